# SPDX-License-Identifier: MIT
"""The parts of a result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

KINDS = {
    "exact": "exact leave-one-out",
    "sampled": "exact leave-one-out of a sample of the rows",
    "repaired": "approximate leave-one-out, exact in the rows where it is in doubt",
    "corrected": "approximate leave-one-out, corrected by exact values beside it",
    "alo": "approximate leave-one-out",
}


class Verdict(NamedTuple):
    """Whether a choice can be relied on, and what speaks against it."""

    reliable: bool
    reasons: list[str]

    def __bool__(self) -> bool:
        return self.reliable

    def __str__(self) -> str:
        if self.reliable:
            return "The choice can be relied on."
        return "The choice cannot be relied on:" + "".join(f"\n  - {reason}" for reason in self.reasons)


class Rows(NamedTuple):
    """Values of every row at one lambda. Predictions are linear predictors; of several classes there is a column for
    each. ``exact`` is None where exact leave-one-out was computed in no row, and NaN in rows where it was not.
    ``certified`` is 1 where the approximation is proved to be exact, 0 where it is not, NaN where that is unknown."""

    fitted: np.ndarray
    alo: np.ndarray
    exact: np.ndarray | None
    exact_low: np.ndarray | None
    exact_high: np.ndarray | None
    leverage: np.ndarray
    certified: np.ndarray
    flags: np.ndarray

    @property
    def held_out(self) -> np.ndarray:
        """The best that is known of the prediction without the row: exact, else approximate."""
        return self.alo if self.exact is None else np.where(np.isnan(self.exact), self.alo, self.exact)


@dataclass(frozen=True)
class Choice:
    """One lambda of a result. ``risk`` is that of the curve that chose, ``kind`` what it was computed from, ``error``
    how far it may be from exact leave-one-out (None: unknown); ``index`` is its place on the path (None: between)."""

    lambda_: float
    index: int | None
    risk: float | None
    se: float | None
    kind: str
    error: float | None
    intercept: Any
    coef: np.ndarray = field(repr=False)
    nonzero: int
    df: float
    max_leverage: float
    gap: float | None
    kkt: float
    status: str
    alo: dict[str, dict[str, Any]] = field(repr=False)
    exact: dict[str, dict[str, Any]] = field(repr=False)
    rows: Rows | None = field(repr=False)


class Check(NamedTuple):
    """Exact leave-one-out on sampled rows beside the approximation: ``verdict`` is "trusted", "undecided" or
    "refuted"; ``corrected_risk`` estimates the exact risk of all rows, with its 95 % ``interval``."""

    lambda_: float
    rows: np.ndarray
    alo: np.ndarray
    exact: np.ndarray
    mean_difference: float
    max_difference: float
    alo_risk: dict[str, Any]
    exact_risk: dict[str, Any]
    settled: int
    corrected_risk: float
    interval: tuple[float, float]
    verdict: str
    deciding_rows: int | None

    def __str__(self) -> str:
        words = {"trusted": "ALO can be trusted here.", "refuted": "ALO is wrong here.",
                 "undecided": "Undecided: these rows do not tell whether ALO can be trusted"
                              + (f"; sample={self.deciding_rows} should." if self.deciding_rows else ".")}
        low, high = self.interval
        return (f"exact leave-one-out of {len(self.rows)} rows at lambda = {self.lambda_:.6g}: |ALO - LOO| "
                f"{self.mean_difference:.3g} on average, {self.max_difference:.3g} at most; risk of all rows "
                f"{self.corrected_risk:.6g} (95 % interval {low:.6g} to {high:.6g}). {words[self.verdict]}")
