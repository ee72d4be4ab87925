# SPDX-License-Identifier: MIT
"""Settings as users write them, as the extension takes them. Which there are, what they mean and what they are by
default is the library's: a setting that is None is not passed on."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array

from . import _core
from ._input import as_design


def group_numbers(groups: Any) -> np.ndarray:
    """Groups numbered from 0 in the order of their first members; None and NaN are groups alone."""
    numbers: dict[Any, int] = {}
    result = []
    for place, group in enumerate(np.asarray(groups, dtype=object)):
        alone = group is None or group != group
        result.append(numbers.setdefault(("alone", place) if alone else group, len(numbers)))
    return np.array(result, dtype=np.int64)


def _pairs(graph: Any) -> np.ndarray:
    ends = np.asarray(graph)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise ValueError("graph is not a list of pairs of column numbers, counted from 0")
    return np.ascontiguousarray(ends, dtype=np.int64).ravel()


def _numbers(values: Any) -> np.ndarray:
    return np.atleast_1d(np.ascontiguousarray(values, dtype=np.float64)).ravel()


def _matrix(values: Any) -> _core.Design:
    return as_design(check_array(values, accept_sparse="csc", dtype=np.float64, order="F"))


CONVERSIONS = {
    "lambdas": _numbers,
    "penalty_weights": _numbers,
    "penalty_matrix": _matrix,
    "graph": _pairs,
    "groups": group_numbers,
    "grid": tuple,
    "shape": tuple,
    "metric": lambda names: [names] if isinstance(names, str) else list(names),
}


def as_settings(given: dict[str, Any]) -> dict[str, Any]:
    settings = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in CONVERSIONS:
            value = CONVERSIONS[name](value)
        settings[name] = value.item() if isinstance(value, np.generic) else value
    return settings
