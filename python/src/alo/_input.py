# SPDX-License-Identifier: MIT
"""Data as users have them, as the arrays that the extension takes: columns of 64-bit numbers, copied only where they
are something else."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils import check_array, check_consistent_length, column_or_1d

from . import _core


def has_contiguous_columns(X: Any) -> bool:
    """Whether each column of an array is one run of 64-bit numbers: Fortran order, or a slice of its rows."""
    return (isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype == np.float64
            and X.strides[0] == X.itemsize and X.strides[1] >= X.itemsize * X.shape[0] and X.strides[1] % X.itemsize == 0)


def column_names(X: Any) -> list[str]:
    """The names of the columns of a data frame; empty where there are none or not all are text."""
    names = getattr(X, "columns", None)
    if names is None:
        return []
    names = list(names)
    return names if names and all(isinstance(name, str) for name in names) else []


def check_options(X: Any) -> dict[str, Any]:
    """What scikit-learn's validation is to make of X."""
    return {"accept_sparse": "csc", "dtype": np.float64, "order": None if has_contiguous_columns(X) else "F"}


def as_design(X: Any) -> _core.Design:
    """A view of a validated array or sparse matrix."""
    if not sparse.issparse(X):
        return _core.Design.dense(X if has_contiguous_columns(X) else np.asfortranarray(X, dtype=np.float64))
    X = X.tocsc()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    indices = np.ascontiguousarray(X.indices, dtype=np.int32)
    starts = np.ascontiguousarray(X.indptr, dtype=np.int32)
    return _core.Design.sparse(np.ascontiguousarray(X.data, dtype=np.float64), indices, starts, *X.shape)


class Response(NamedTuple):
    """A response as numbers; of words, the positions of their labels."""

    values: np.ndarray
    classes: list[str]
    name: str


def as_response(y: Any) -> Response:
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "y"
    values = column_or_1d(np.asarray(y), warn=True)
    if values.dtype.kind == "O" and not all(isinstance(value, str) for value in values):
        values = check_array(values, ensure_2d=False, dtype=np.float64, input_name="y")
    if values.dtype.kind in "USO":
        labels, codes = np.unique(values.astype(str), return_inverse=True)
        return Response(codes.astype(np.float64), [str(label) for label in labels], name)
    return Response(np.ascontiguousarray(values, dtype=np.float64), [], name)


def as_column(values: Any, name: str, rows: int) -> np.ndarray | None:
    """Weights or an offset: one number for each row."""
    if values is None:
        return None
    values = np.ascontiguousarray(column_or_1d(np.asarray(values, dtype=np.float64)))
    if values.shape[0] != rows:
        raise ValueError(f"{name} has {values.shape[0]} values for {rows} rows")
    return values


class Observations(NamedTuple):
    """All that a call of the extension takes but for settings."""

    design: _core.Design
    response: Response
    weights: np.ndarray | None
    offset: np.ndarray | None
    names: list[str]


def as_observations(X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Observations:
    """Validates in scikit-learn's words. X is None for a signal, which has no columns."""
    response = as_response(y)
    rows = response.values.shape[0]
    if X is None:
        design, names = _core.Design.identity(rows), [str(row + 1) for row in range(rows)]
    else:
        names = column_names(X)
        X = check_array(X, **check_options(X))
        check_consistent_length(X, response.values)
        design = as_design(X)
    return Observations(design, response, as_column(sample_weight, "sample_weight", rows),
                        as_column(offset, "offset", rows), names)
