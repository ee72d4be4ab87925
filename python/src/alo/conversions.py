# SPDX-License-Identifier: MIT
"""Lambda here and the penalty parameters of scikit-learn: the one place where they are converted.

alo minimises ``sum of w * loss + lambda * penalty``, with the loss half the squared residual and the ridge penalty half
the sum of squares. scikit-learn divides the sum by the weights in most linear models, not in ``Ridge``, and multiplies
it by C in classifiers and support vector machines.

Examples
--------
>>> import numpy as np, alo
>>> from alo.conversions import lambda_of_alpha
>>> from sklearn.linear_model import Lasso
>>> from sklearn.datasets import load_diabetes
>>> X, y = load_diabetes(return_X_y=True)
>>> theirs = Lasso(alpha=0.1, tol=1e-12, max_iter=100000).fit(X, y)
>>> ours = alo.tune(X, y, lambdas=lambda_of_alpha(0.1, "squared", "lasso", len(y)), standardize=False)
>>> bool(np.allclose(ours.coef_, theirs.coef_))
True
"""

from __future__ import annotations

from typing import Any


def _divisor(loss: str, penalty: str, total_weight: float) -> float:
    """By what lambda is divided to be scikit-learn's alpha. ``Ridge`` has a sum of squares without the half on either
    side; all other linear models have a mean of the loss as it is here."""
    return 1.0 if (loss, penalty) == ("squared", "ridge") else total_weight


def alpha_of_lambda(lambda_: Any, loss: str, penalty: str, total_weight: float) -> Any:
    """The ``alpha`` of Lasso, ElasticNet, Ridge, PoissonRegressor, GammaRegressor and QuantileRegressor. `total_weight`
    is the sum of the weights of the rows, without weights their number."""
    return lambda_ / _divisor(loss, penalty, total_weight)


def lambda_of_alpha(alpha: Any, loss: str, penalty: str, total_weight: float) -> Any:
    """The other way."""
    return alpha * _divisor(loss, penalty, total_weight)


def c_of_lambda(lambda_: Any, loss: str) -> Any:
    """The ``C`` of LogisticRegression, SVC, SVR and LinearSVC, whose squared hinge is twice the one here."""
    return (0.5 if loss == "squared-hinge" else 1.0) / lambda_


def lambda_of_c(C: Any, loss: str) -> Any:
    """The other way."""
    return (0.5 if loss == "squared-hinge" else 1.0) / C


def huber_of_scale(alpha: float, epsilon: float, scale: float) -> tuple[float, float]:
    """Lambda and delta of ``HuberRegressor``, whose scale is estimated together with its coefficients, at that scale."""
    return alpha * scale, epsilon * scale
