# SPDX-License-Identifier: MIT
"""How good is the model I have? Leave-one-out of fitted scikit-learn models."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from . import _html
from ._input import check_options
from ._result import Result
from ._translate import Translation, translate
from ._tune import run
from ._values import KINDS, Verdict

# A fit is called loose where its objective exceeds the smallest by more than this share. The coefficients then differ
# in about the third digit, for the excess is quadratic in their error.
LOOSE = 1e-6


class Looseness(NamedTuple):
    """How far a fit is from its optimum: `excess`, that of its objective over the tight fit's, relative to it (None with
    a kernel, whose coefficients scikit-learn does not keep in these terms); `shift`, the largest difference of a row's
    linear predictor, and `shift_share`, the same over their standard deviation."""

    excess: float | None
    shift: float
    shift_share: float

    @property
    def is_loose(self) -> bool:
        return self.shift_share > math.sqrt(LOOSE) if self.excess is None else self.excess > LOOSE


class FittedResult:
    """What leave-one-out says of a fitted model.

    Attributes
    ----------
    risk, se, metric : the mean of the metric over the rows at the predictions without them, and its standard error
    kind, error : what it was computed from, and how far it may be from exact leave-one-out (None: unknown)
    loo_predictions : of every row without it: the mean of the response, or the probability of the second class (of
        several classes, of each); linear predictors of machines without probabilities
    fitted, leverage, certified : of every row, as in ``alo.Rows``
    verdict : whether the number can be relied on
    looseness : how far the given fit is from its optimum, which is what the numbers are about
    lambda_ : the strength of its penalty beside the sum of losses
    result : the whole ``alo.Result``
    """

    def __init__(self, name: str, result: Result, looseness: Looseness, note: str):
        self.name, self.result, self.looseness, self.note = name, result, looseness, note
        choice = result.chosen
        self.risk, self.se, self.kind, self.error = choice.risk, choice.se, choice.kind, choice.error
        self.metric, self.lambda_ = result.metrics[0], choice.lambda_
        self.loo_predictions = result.loo_predictions()
        self.fitted, self.leverage, self.certified = result.rows.fitted, result.rows.leverage, result.rows.certified
        self.verdict: Verdict = result.verdict

    @property
    def _lines(self) -> list[str]:
        lines = [f"{self.metric} {self.risk:.5g} +- {self.se:.3g} by {KINDS[self.kind]}"]
        if self.looseness.is_loose:
            excess = self.looseness.excess
            objective = "" if excess is None else f"its objective is {excess:.1e} above the smallest value, "
            lines.append(f"the fit is loose: {objective}predictors are up to {self.looseness.shift:.2g} off; the numbers "
                         "are those of the tight fit")
        return lines + ([self.note] if self.note else [])

    def __repr__(self) -> str:
        verdict = str(self.verdict).replace("The choice", "The number")
        size = self.result._headline.split(", ", 1)[1]
        return "\n  ".join([f"<alo.FittedResult: leave-one-out of {self.name}, {size}", *self._lines, verdict]) + ">"

    def _repr_html_(self) -> str:
        return _html.verdict_box(f"Leave-one-out of {self.name}", "; ".join(self._lines), self.verdict).replace(
            "The choice", "The number")


def _final(model: Any, X: Any) -> tuple[Any, Any]:
    """The model at the end of pipelines, and what it was given."""
    while isinstance(model, Pipeline):
        if len(model.steps) > 1:
            X = model[:-1].transform(X)
        model = model.steps[-1][1]
    return model, X


def _with_column(X: Any, value: float) -> Any:
    column = np.full((X.shape[0], 1), value)
    return sparse.hstack([X, column], format="csc") if sparse.issparse(X) else np.asfortranarray(np.hstack([X, column]))


def _weights(translation: Translation, model: Any, y: Any, sample_weight: Any) -> Any:
    if translation.class_weights is None:
        return sample_weight
    of_rows = translation.class_weights[np.searchsorted(model.classes_, np.asarray(y))]
    return of_rows if sample_weight is None else of_rows * np.asarray(sample_weight)


def _linear_predictor(model: Any, X: Any, loss: str) -> np.ndarray:
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X))
    predictions = np.asarray(model.predict(X), dtype=np.float64)
    return np.log(predictions) if loss in ("poisson", "gamma") else predictions


def _looseness(model: Any, X: Any, translation: Translation, result: Result) -> Looseness:
    theirs, tight = _linear_predictor(model, X, translation.loss), result.rows.fitted
    if tight.ndim > 1:  # the common level of several classes is no part of a prediction
        theirs, tight = theirs - theirs.mean(axis=1, keepdims=True), tight - tight.mean(axis=1, keepdims=True)
    shift = float(np.max(np.abs(theirs - tight)))
    share = shift / float(np.std(tight) or 1.0)
    if "kernel" in translation.settings:
        return Looseness(None, shift, share)
    coefficients = np.atleast_2d(model.coef_.toarray() if sparse.issparse(model.coef_) else model.coef_)
    intercept = np.atleast_1d(np.asarray(model.intercept_, dtype=np.float64))
    if translation.intercept_column is not None:
        coefficients = np.hstack([coefficients, intercept[:, None] / translation.intercept_column])
        intercept = np.zeros_like(intercept)
    ours = result.chosen
    smallest = _objective(result, np.asarray(ours.intercept), ours.coef)
    excess = (_objective(result, intercept, coefficients) - smallest) / abs(smallest) if smallest else 0.0
    return Looseness(max(0.0, excess), shift, share)


def _objective(result: Result, intercept: np.ndarray, coefficients: np.ndarray) -> float:
    """The library's, of coefficients with a row for each output."""
    flat = [np.ascontiguousarray(np.ravel(values), dtype=np.float64) for values in (intercept, coefficients)]
    return result._live().certificate(*flat, result.lambda_)[2]


def leave_one_out(model: Any, X: Any, y: Any, sample_weight: Any = None, *, metric: str | list[str] | None = None,
                  exact: bool | None = None, effort: float | None = None, threads: int | None = None) -> FittedResult:
    """How good is the model I have? Leave-one-out of a fitted scikit-learn model, for about the price of one fit.

    The penalty and its strength are read from the model. The fit is found again to a duality gap of 1e-10, and how loose
    the given one was is said. Leaving a row out keeps the strength of the penalty beside the *sum* of the losses: where
    scikit-learn divides that sum by n, as in ``Lasso``, the same is a refit with alpha * n / (n - 1). Steps of a pipeline
    before its end keep what they learned from all rows.

    Parameters
    ----------
    model : a fitted Lasso, ElasticNet, Ridge, LinearRegression, HuberRegressor, QuantileRegressor, PoissonRegressor,
        GammaRegressor, LogisticRegression, LinearSVC, SVC, SVR, or LassoCV, ElasticNetCV, RidgeCV, LogisticRegressionCV;
        or a Pipeline that ends in one
    X, y, sample_weight : the data that it was fitted to
    metric : str or list
        See ``alo.metrics()``; the default is the loss's own.
    exact : bool
        Exact leave-one-out of all rows, whatever it costs.
    effort : float
        Work for exact leave-one-out in costs of the fit; by default about half a second.
    threads : int

    Returns
    -------
    FittedResult

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    >>> found = alo.leave_one_out(model, X, y, metric="misclassification")
    >>> round(found.risk, 4)
    0.0211
    """
    name = "a pipeline that ends in " if isinstance(model, Pipeline) else ""
    model, X = _final(model, X)
    check_is_fitted(model)
    name += type(model).__name__
    X = check_array(X, **check_options(X))
    total = float(X.shape[0] if sample_weight is None else np.sum(sample_weight))
    translation = translate(model, total, y)
    classes = getattr(model, "classes_", None)
    values = np.asarray(y)
    if classes is not None and values.dtype.kind not in "iufUS":
        values = np.searchsorted(classes, values).astype(float)
    design = X if translation.intercept_column is None else _with_column(X, translation.intercept_column)
    settings = {**translation.settings, "loss": translation.loss, "lambdas": translation.lambda_, "standardize": False,
                "metric": metric, "exact": exact, "effort": effort, "threads": threads}
    result = run(design, values, _weights(translation, model, y, sample_weight), None, None, settings)
    return FittedResult(name, result, _looseness(model, X, translation, result), translation.note)
