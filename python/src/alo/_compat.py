# SPDX-License-Identifier: MIT
"""Where releases of scikit-learn differ."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

try:  # scikit-learn 1.6
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: BaseEstimator, X: Any, y: Any = "no_validation", **options: Any) -> Any:
        return estimator._validate_data(X, y, **options)


__all__ = ["validate_data"]
