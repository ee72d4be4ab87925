# SPDX-License-Identifier: MIT
"""Which problem a fitted scikit-learn model solves, in the library's terms. Each function reads one kind of model."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from .conversions import huber_of_scale, lambda_of_alpha, lambda_of_c


class Translation(NamedTuple):
    """`settings` are those of ``alo.tune``. Where the model penalises its intercept, as LIBLINEAR does, a column of
    `intercept_column` takes its place. `class_weights` multiply the weights of the rows."""

    loss: str
    lambda_: float
    settings: dict[str, Any]
    intercept_column: float | None = None
    class_weights: np.ndarray | None = None
    note: str = ""


def refuse(model: Any, why: str) -> ValueError:
    return ValueError(f"leave_one_out cannot read this {type(model).__name__}: {why}")


def _check_unconstrained(model: Any) -> None:
    if getattr(model, "positive", False):
        raise refuse(model, "positive=True keeps coefficients above zero, and the library has no such constraint")
    if np.ndim(model.coef_) > 1:
        raise refuse(model, "it has several targets; give it one of them")


def _linear(model: Any, total: float, loss: str, penalty: str, alpha: float, **settings: Any) -> Translation:
    lambda_ = float(lambda_of_alpha(alpha, loss, penalty, total))
    return Translation(loss, lambda_, {"penalty": penalty, "intercept": bool(model.fit_intercept), **settings})


def _lasso(model: Any, total: float, y: Any) -> Translation:
    _check_unconstrained(model)
    return _linear(model, total, "squared", "lasso", getattr(model, "alpha_", None) or model.alpha)


def _elastic_net(model: Any, total: float, y: Any) -> Translation:
    _check_unconstrained(model)
    share = float(getattr(model, "l1_ratio_", model.l1_ratio))
    return _linear(model, total, "squared", "elastic-net", getattr(model, "alpha_", None) or model.alpha, mix=share)


def _ridge(model: Any, total: float, y: Any) -> Translation:
    _check_unconstrained(model)
    alpha = np.unique(getattr(model, "alpha_", None) or model.alpha)
    if alpha.size > 1:
        raise refuse(model, "it has an alpha for each target")
    return _linear(model, total, "squared", "ridge", float(alpha[0]))


def _least_squares(model: Any, total: float, y: Any) -> Translation:
    _check_unconstrained(model)
    return _linear(model, total, "squared", "ridge", 0.0)


def _huber(model: Any, total: float, y: Any) -> Translation:
    lambda_, delta = huber_of_scale(model.alpha, model.epsilon, model.scale_)
    note = f"scale_ = {model.scale_:.6g} is kept at its value of all rows; refits of the model estimate it again"
    return Translation("huber", lambda_, {"penalty": "ridge", "intercept": bool(model.fit_intercept), "delta": delta},
                       note=note)


def _quantile(model: Any, total: float, y: Any) -> Translation:
    # With a lasso this is a linear program, which has exact leave-one-out alone.
    return _linear(model, total, "quantile", "lasso", model.alpha, quantile=float(model.quantile), choose="exact")


def _poisson(model: Any, total: float, y: Any) -> Translation:
    return _linear(model, total, "poisson", "ridge", model.alpha)


def _gamma(model: Any, total: float, y: Any) -> Translation:
    return _linear(model, total, "gamma", "ridge", model.alpha)


def _class_weights(model: Any, y: Any) -> np.ndarray | None:
    if model.class_weight is None:
        return None
    return compute_class_weight(model.class_weight, classes=model.classes_, y=np.asarray(y))


def _check_two_classes(model: Any) -> None:
    if len(model.classes_) > 2:
        raise refuse(model, f"it has {len(model.classes_)} classes, told apart by several machines of two; "
                            "multinomial logistic regression is read as one model")


def _logistic_penalty(model: Any) -> dict[str, Any]:
    """The penalty parameter is deprecated from scikit-learn 1.8 on, and l1_ratio says all."""
    name, share = getattr(model, "penalty", "deprecated"), model.l1_ratio
    if name == "deprecated":
        name = "elasticnet"
    if name == "elasticnet" and share not in (None, 0, 1):
        return {"penalty": "elastic-net", "mix": float(share)}
    is_lasso = name == "l1" or (name == "elasticnet" and share == 1)
    return {"penalty": "lasso" if is_lasso else "ridge"}


def _logistic(model: Any, total: float, y: Any) -> Translation:
    several = len(model.classes_) > 2
    if several and (model.solver == "liblinear" or getattr(model, "multi_class", "auto") == "ovr"):
        raise refuse(model, "it is one model for each class against the rest; read them one by one")
    loss = "multinomial" if several else "logistic"
    settings = _logistic_penalty(model)
    free = getattr(model, "penalty", None) in (None, "none") or np.isinf(model.C)
    lambda_ = 0.0 if free else float(lambda_of_c(np.ravel(getattr(model, "C_", model.C))[0], loss))
    penalized = model.solver == "liblinear" and model.fit_intercept
    return Translation(loss, lambda_, {**settings, "intercept": bool(model.fit_intercept) and not penalized},
                       float(model.intercept_scaling) if penalized else None, _class_weights(model, y))


def _linear_svc(model: Any, total: float, y: Any) -> Translation:
    _check_two_classes(model)
    loss = {"hinge": "hinge", "squared_hinge": "squared-hinge"}[model.loss]
    penalty = {"l1": "lasso", "l2": "ridge"}[model.penalty]
    column = float(model.intercept_scaling) if model.fit_intercept else None
    return Translation(loss, float(lambda_of_c(model.C, loss)), {"penalty": penalty, "intercept": False}, column,
                       _class_weights(model, y))


def _kernel(model: Any) -> dict[str, Any]:
    if model.kernel == "linear":
        return {}
    if model.kernel not in ("rbf", "poly"):
        raise refuse(model, f"its kernel is {model.kernel!r}; linear, rbf and poly are known")
    settings = {"kernel": model.kernel, "gamma": float(model._gamma)}
    if model.kernel == "poly":
        settings.update(degree=int(model.degree), coef0=float(model.coef0))
    return settings


def _svc(model: Any, total: float, y: Any) -> Translation:
    _check_two_classes(model)
    return Translation("hinge", float(lambda_of_c(model.C, "hinge")),
                       {"penalty": "ridge", "intercept": True, **_kernel(model)},
                       class_weights=_class_weights(model, y))


def _svr(model: Any, total: float, y: Any) -> Translation:
    return Translation("epsilon-insensitive", float(lambda_of_c(model.C, "epsilon-insensitive")),
                       {"penalty": "ridge", "intercept": True, "epsilon": float(model.epsilon), **_kernel(model)})


READERS: dict[str, Callable[[Any, float, Any], Translation]] = {
    "Lasso": _lasso, "LassoCV": _lasso, "ElasticNet": _elastic_net, "ElasticNetCV": _elastic_net, "Ridge": _ridge,
    "RidgeCV": _ridge, "LinearRegression": _least_squares, "HuberRegressor": _huber, "QuantileRegressor": _quantile,
    "PoissonRegressor": _poisson, "GammaRegressor": _gamma, "LogisticRegression": _logistic,
    "LogisticRegressionCV": _logistic, "LinearSVC": _linear_svc, "SVC": _svc, "SVR": _svr,
}


def translate(model: Any, total_weight: float, y: Any) -> Translation:
    """Refuses models that are not known; a subclass is read as its class of scikit-learn."""
    for kind in type(model).__mro__:
        if kind.__module__.startswith("sklearn.") and kind.__name__ in READERS:
            return READERS[kind.__name__](model, total_weight, y)
    raise refuse(model, f"known are {', '.join(READERS)}, and a Pipeline that ends in one")
