# SPDX-License-Identifier: MIT
"""Estimators after scikit-learn's conventions."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core, _html
from ._compat import validate_data
from ._input import as_design, check_options
from ._result import Result
from ._tune import run
from .conversions import alpha_of_lambda, c_of_lambda, lambda_of_alpha

# Parameters that scikit-learn has by another name.
RENAMED = {"l1_ratio": "mix", "fit_intercept": "intercept", "random_state": "seed"}
POSITIVE_RESPONSES = ("poisson", "gamma")
PROBABILITIES = ("logistic", "probit", "multinomial")


class _ALOEstimator(BaseEstimator):
    """What regressors and classifiers share. Parameters of the library that a subclass does not have stay None."""

    result_: Result

    def _settings(self, loss: str, penalty: str, total_weight: float) -> dict[str, Any]:
        settings = {RENAMED.get(name, name): value for name, value in vars(self).items()
                    if not name.endswith("_") and not name.startswith("_")}
        alphas = settings.pop("alphas")
        if alphas is not None:
            if settings["lambdas"] is not None:
                raise ValueError("alphas and lambdas are the same values in other units: give one of them")
            settings["lambdas"] = lambda_of_alpha(np.atleast_1d(np.asarray(alphas, dtype=np.float64)), loss, penalty,
                                                  total_weight)
        jobs = settings.pop("n_jobs")
        settings["threads"] = 1 if jobs is None else jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)
        if penalty.endswith("group-lasso") and settings.get("groups") is None:
            settings["groups"] = np.arange(self.n_features_in_)
        return {**settings, "loss": loss, "penalty": penalty}

    def _fit(self, X: Any, y: Any, sample_weight: Any, loss: str) -> Result:
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        total = float(X.shape[0] if weights is None else weights.sum())
        settings = self._settings(loss, self.penalty, total)
        kind = settings.pop("weights_are")
        if weights is not None and kind is None:
            # A weight of 2 is the row twice, as everywhere in scikit-learn. Other numbers cannot be copies.
            kind = "frequency" if np.all(weights == np.floor(weights)) else "importance"
        result = run(X, y, weights, None, kind if weights is not None else None, settings)
        result._facts["names"] = list(getattr(self, "feature_names_in_", result.feature_names))
        chosen = result.chosen
        self.result_ = result
        self.lambda_, self.lambdas_ = chosen.lambda_, result.lambdas
        self.alpha_ = alpha_of_lambda(chosen.lambda_, loss, self.penalty, total)
        self.alphas_ = alpha_of_lambda(result.lambdas, loss, self.penalty, total)
        self.loo_predictions_ = result.loo_predictions()
        self.loo_risk_ = chosen.risk
        self.risk_curve_ = result.risk()
        self.leverage_ = result.leverage
        self.verdict_ = result.verdict
        self.n_iter_ = len(result.lambdas)
        if not result._facts["certified"]:
            warnings.warn("the certificate of optimality was missed at some lambda; the numbers there may be off "
                          "(result_.gap has the gaps)", ConvergenceWarning, stacklevel=3)
        return result

    def _raw(self, X: Any, kind: str) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **check_options(X))
        return self.result_.model._model.predict(as_design(X), kind, "", None)

    def _has_kernel(self) -> bool:
        return getattr(self, "kernel", None) is not None

    def _html_with_verdict(self, diagram: str) -> str:
        if not hasattr(self, "result_"):
            return diagram
        return diagram + _html.verdict_box(self.result_._headline, self.result_._choice_line, self.verdict_)

    def _repr_html_(self) -> str:
        from sklearn.utils import estimator_html_repr

        return self._html_with_verdict(estimator_html_repr(self))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"requires_positive_y": self.loss in POSITIVE_RESPONSES, "binary_only": self._is_binary()}

    def __sklearn_tags__(self) -> Any:  # from scikit-learn 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.positive_only = self.loss in POSITIVE_RESPONSES
        return tags

    def _is_binary(self) -> bool:
        return False


class ALORegressor(RegressorMixin, _ALOEstimator):
    """A regression with any loss and penalty of the library, whose lambda is chosen by leave-one-out.

    Parameters that are None have the library's defaults, as in :func:`alo.tune`, which describes them.

    Parameters
    ----------
    loss, penalty : str
        See ``alo.losses()`` and ``alo.penalties()``.
    alphas : array, optional
        Values of the penalty in scikit-learn's units (:mod:`alo.conversions`); or `lambdas` in the library's.
    l1_ratio : float, optional
        The share of the lasso in the elastic net (``mix``).
    fit_intercept : bool
    weights_are : str, optional
        What sample weights mean: "frequency" (a weight of 2 is the row twice), by default if all are whole numbers,
        or "importance" (leaving a row out removes its whole weight).
    n_jobs : int, optional
        Threads: one by default, -1 is all cores.

    Attributes
    ----------
    coef_, intercept_ : on the scale of the data; no ``coef_`` with a kernel
    alpha_, alphas_, lambda_, lambdas_ : the chosen value and all, in scikit-learn's units and in the library's
    loo_predictions_ : the prediction of each row by the fit without it
    loo_risk_, risk_curve_ : the risk at the chosen lambda, and along the path (``Result.risk``)
    leverage_ : the share of each row's own response in its fit
    verdict_ : whether the choice can be relied on, and what speaks against it
    result_ : the whole ``alo.Result``
    n_iter_ : the number of lambdas
    n_features_in_, feature_names_in_ : of the training data

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.ALORegressor(loss="huber", penalty="elastic-net", l1_ratio=0.8).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.51
    """

    def __init__(self, loss: str = "squared", penalty: str = "lasso", *, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, full_path: bool | None = None,
                 l1_ratio: float | None = None, ridge: float | None = None, penalty_weights: Any = None,
                 quantile: float | None = None, delta: float | None = None, epsilon: float | None = None,
                 order: int | None = None, penalty_matrix: Any = None, graph: Any = None, grid: Any = None,
                 sparse: float | None = None, groups: Any = None, slope_shape: str | None = None,
                 slope_q: float | None = None, shape: Any = None, smoothing: float | None = None,
                 kernel: str | None = None, gamma: float | None = None, degree: int | None = None,
                 coef0: float | None = None, fit_intercept: bool = True, standardize: bool | None = None,
                 weights_are: str | None = None, metric: Any = None, rule: str | None = None,
                 search: str | None = None, choose: str | None = None, effort: float | None = None,
                 framework: str | None = None, exact: bool | None = None, folds: int | None = None,
                 repair: str | None = None, outer: int | None = None, time_limit: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        for name, value in list(locals().items()):
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ALORegressor:
        """Fits the path, estimates the risk of each lambda by leave-one-out, and keeps the chosen fit."""
        X, y = validate_data(self, X, y, y_numeric=True, multi_output=False, ensure_min_samples=2, **check_options(X))
        result = self._fit(X, y, sample_weight, self.loss)
        self.intercept_ = result.intercept_
        if not self._has_kernel():
            self.coef_ = result.coef_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The mean of the response (or its median or quantile, as the loss is) for new rows."""
        return self._raw(X, "response")[:, 0]


class ALOClassifier(ClassifierMixin, _ALOEstimator):
    """A classifier with any loss for classes and any penalty of the library, whose lambda is chosen by leave-one-out.

    Parameters that are None have the library's defaults, as in :func:`alo.tune`, which describes them; those that it
    shares with :class:`ALORegressor` are described there. ``loss="logistic"`` takes more than two classes too (the
    multinomial loss).

    Attributes
    ----------
    classes_ : the labels
    C_ : the chosen value as the ``C`` of LogisticRegression, SVC or LinearSVC
    coef_, intercept_ : a row, or a number, for each class; one for two classes
    loo_predictions_ : the probability of ``classes_[1]``, of several classes of each; without probabilities the decision
        function, by the fit without the row
    others : as those of :class:`ALORegressor`

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = alo.ALOClassifier(loss="squared-hinge", penalty="ridge").fit(X, y)
    >>> round(model.score(X, y), 2)
    0.99
    """

    def __init__(self, loss: str = "logistic", penalty: str = "lasso", *, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, full_path: bool | None = None,
                 l1_ratio: float | None = None, ridge: float | None = None, penalty_weights: Any = None,
                 order: int | None = None, penalty_matrix: Any = None, graph: Any = None, grid: Any = None,
                 sparse: float | None = None, groups: Any = None, slope_shape: str | None = None,
                 slope_q: float | None = None, shape: Any = None, smoothing: float | None = None,
                 kernel: str | None = None, gamma: float | None = None, degree: int | None = None,
                 coef0: float | None = None, fit_intercept: bool = True, standardize: bool | None = None,
                 weights_are: str | None = None, metric: Any = None, rule: str | None = None,
                 search: str | None = None, choose: str | None = None, effort: float | None = None,
                 framework: str | None = None, exact: bool | None = None, folds: int | None = None,
                 repair: str | None = None, outer: int | None = None, time_limit: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        for name, value in list(locals().items()):
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ALOClassifier:
        """Fits the path, estimates the risk of each lambda by leave-one-out, and keeps the chosen fit."""
        X, y = validate_data(self, X, y, multi_output=False, ensure_min_samples=2, **check_options(X))
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"a classifier needs samples of at least two classes, but y has one class: {self.classes_[0]!r}")
        if len(self.classes_) > 2 and self._is_binary():
            raise ValueError("Only binary classification is supported. The type of the target is "
                             f"{type_of_target(y, input_name='y')}.")
        loss = "multinomial" if len(self.classes_) > 2 and self.loss == "logistic" else self.loss
        result = self._fit(X, y if y.dtype.kind in "iufUS" else codes.astype(float), sample_weight, loss)
        self.C_ = c_of_lambda(self.lambda_, loss)
        self.intercept_ = np.atleast_1d(result.intercept_)
        if not self._has_kernel():
            self.coef_ = np.atleast_2d(result.coef_)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """The linear predictor: above zero for ``classes_[1]``; of several classes the largest is predicted."""
        values = self._raw(X, "link")
        return values[:, 0] if values.shape[1] == 1 else values

    def predict(self, X: Any) -> np.ndarray:
        """The label of each row."""
        positions = self._raw(X, "class")[:, 0].astype(int)
        return self.classes_[positions]

    @available_if(lambda self: self.loss in PROBABILITIES)
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class."""
        values = self._raw(X, "response")
        return np.column_stack([1 - values[:, 0], values[:, 0]]) if values.shape[1] == 1 else values

    @available_if(lambda self: self.loss in PROBABILITIES)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Its logarithm."""
        return np.log(self.predict_proba(X))

    def _is_binary(self) -> bool:
        return self.loss not in ("logistic", "multinomial")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._is_binary()
        return tags
