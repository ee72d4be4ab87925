# SPDX-License-Identifier: MIT
"""Short names for what people look for. Each is :class:`ALORegressor` or :class:`ALOClassifier` with its loss and penalty
set and the parameters that remain; attributes are those of the two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._estimators import ALOClassifier, ALORegressor
from ._tune import run


class LassoALO(ALORegressor):
    """The lasso, as ``LassoCV``, its alpha chosen by leave-one-out.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.LassoALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, penalty_weights: Any = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="squared", penalty="lasso", penalty_weights=penalty_weights, alphas=alphas,
                         lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class RidgeALO(ALORegressor):
    """Ridge regression, as ``RidgeCV``: leave-one-out is exact.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.RidgeALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, penalty_weights: Any = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="squared", penalty="ridge", penalty_weights=penalty_weights, alphas=alphas,
                         lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class ElasticNetALO(ALORegressor):
    """The elastic net, as ``ElasticNetCV``.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.ElasticNetALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, l1_ratio: float | None = None, ridge: float | None = None, penalty_weights: Any = None,
                 alphas: Any = None, lambdas: Any = None, n_lambdas: int | None = None,
                 lambda_ratio: float | None = None, fit_intercept: bool = True, standardize: bool | None = None,
                 weights_are: str | None = None, metric: Any = None, rule: str | None = None,
                 choose: str | None = None, effort: float | None = None, n_jobs: int | None = None,
                 random_state: int | None = None):
        super().__init__(loss="squared", penalty="elastic-net", l1_ratio=l1_ratio, ridge=ridge,
                         penalty_weights=penalty_weights, alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas,
                         lambda_ratio=lambda_ratio, fit_intercept=fit_intercept, standardize=standardize,
                         weights_are=weights_are, metric=metric, rule=rule, choose=choose, effort=effort,
                         n_jobs=n_jobs, random_state=random_state)


class LogisticALO(ALOClassifier):
    """Logistic regression, as ``LogisticRegressionCV``, of two or more classes; `penalty` may be lasso or elastic-net.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = alo.LogisticALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, penalty: str = "ridge", l1_ratio: float | None = None, penalty_weights: Any = None,
                 alphas: Any = None, lambdas: Any = None, n_lambdas: int | None = None,
                 lambda_ratio: float | None = None, fit_intercept: bool = True, standardize: bool | None = None,
                 weights_are: str | None = None, metric: Any = None, rule: str | None = None,
                 choose: str | None = None, effort: float | None = None, n_jobs: int | None = None,
                 random_state: int | None = None):
        super().__init__(loss="logistic", penalty=penalty, l1_ratio=l1_ratio, penalty_weights=penalty_weights,
                         alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class LinearSVCALO(ALOClassifier):
    """The linear support vector machine of two classes. Its intercept is not penalised, as that of ``SVC`` and unlike that
    of ``LinearSVC``.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = alo.LinearSVCALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, penalty_weights: Any = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="hinge", penalty="ridge", penalty_weights=penalty_weights, alphas=alphas,
                         lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class SVCALO(ALOClassifier):
    """The support vector machine of two classes with a kernel, as ``SVC``. There is no search over gamma: its default is
    that of ``SVC``, 1 / (p * variance of X).

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = alo.SVCALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, kernel: str = "rbf", gamma: float | None = None, degree: int | None = None,
                 coef0: float | None = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="hinge", penalty="ridge", kernel=kernel, gamma=gamma, degree=degree, coef0=coef0,
                         alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class HuberALO(ALORegressor):
    """Regression with Huber's loss, for responses with outliers. Its delta is fixed along the path, by default from the
    spread of the response.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.HuberALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, penalty: str = "ridge", delta: float | None = None, l1_ratio: float | None = None,
                 penalty_weights: Any = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="huber", penalty=penalty, delta=delta, l1_ratio=l1_ratio,
                         penalty_weights=penalty_weights, alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas,
                         lambda_ratio=lambda_ratio, fit_intercept=fit_intercept, standardize=standardize,
                         weights_are=weights_are, metric=metric, rule=rule, choose=choose, effort=effort,
                         n_jobs=n_jobs, random_state=random_state)


class QuantileALO(ALORegressor):
    """Regression for a quantile of the response, by default the median, with a ridge penalty (``QuantileRegressor`` has a
    lasso, with which there is no approximate leave-one-out).

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.QuantileALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, quantile: float | None = None, penalty: str = "ridge", l1_ratio: float | None = None,
                 penalty_weights: Any = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="quantile", penalty=penalty, quantile=quantile, l1_ratio=l1_ratio,
                         penalty_weights=penalty_weights, alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas,
                         lambda_ratio=lambda_ratio, fit_intercept=fit_intercept, standardize=standardize,
                         weights_are=weights_are, metric=metric, rule=rule, choose=choose, effort=effort,
                         n_jobs=n_jobs, random_state=random_state)


class PoissonALO(ALORegressor):
    """Regression of counts with a log link, as ``PoissonRegressor``.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.PoissonALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, penalty: str = "ridge", l1_ratio: float | None = None, penalty_weights: Any = None,
                 alphas: Any = None, lambdas: Any = None, n_lambdas: int | None = None,
                 lambda_ratio: float | None = None, fit_intercept: bool = True, standardize: bool | None = None,
                 weights_are: str | None = None, metric: Any = None, rule: str | None = None,
                 choose: str | None = None, effort: float | None = None, n_jobs: int | None = None,
                 random_state: int | None = None):
        super().__init__(loss="poisson", penalty=penalty, l1_ratio=l1_ratio, penalty_weights=penalty_weights,
                         alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class GroupLassoALO(ALORegressor):
    """The group lasso: `groups` has a label for every column, and groups become zero as one. Without them every column is a
    group.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.GroupLassoALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, groups: Any = None, penalty_weights: Any = None, alphas: Any = None,
                 lambdas: Any = None, n_lambdas: int | None = None, lambda_ratio: float | None = None,
                 fit_intercept: bool = True, standardize: bool | None = None, weights_are: str | None = None,
                 metric: Any = None, rule: str | None = None, choose: str | None = None,
                 effort: float | None = None, n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="squared", penalty="group-lasso", groups=groups, penalty_weights=penalty_weights,
                         alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class FusedLassoALO(ALORegressor):
    """The fused lasso: coefficients of neighbouring columns become equal. Neighbours are those in a row, of a `graph` or of a
    `grid`.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.FusedLassoALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, graph: Any = None, grid: Any = None, sparse: float | None = None, alphas: Any = None,
                 lambdas: Any = None, n_lambdas: int | None = None, lambda_ratio: float | None = None,
                 fit_intercept: bool = True, standardize: bool | None = None, weights_are: str | None = None,
                 metric: Any = None, rule: str | None = None, choose: str | None = None,
                 effort: float | None = None, n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="squared", penalty="fused-lasso", graph=graph, grid=grid, sparse=sparse,
                         alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas, lambda_ratio=lambda_ratio,
                         fit_intercept=fit_intercept, standardize=standardize, weights_are=weights_are,
                         metric=metric, rule=rule, choose=choose, effort=effort, n_jobs=n_jobs,
                         random_state=random_state)


class TrendFilter(ALORegressor):
    """Trend filtering: coefficients of ordered columns are polynomials in pieces. :meth:`smooth` filters a signal.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.TrendFilter().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, order: int | None = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="squared", penalty="trend-filter", order=order, alphas=alphas, lambdas=lambdas,
                         n_lambdas=n_lambdas, lambda_ratio=lambda_ratio, fit_intercept=fit_intercept,
                         standardize=standardize, weights_are=weights_are, metric=metric, rule=rule,
                         choose=choose, effort=effort, n_jobs=n_jobs, random_state=random_state)

    def smooth(self, y: Any, sample_weight: Any = None) -> np.ndarray:
        """The trend of a signal: each value has a coefficient of its own. ``result_`` has the rest.

        Examples
        --------
        >>> import alo, numpy as np
        >>> t = np.linspace(0, 1, 60)
        >>> y = np.abs(t - 0.5) + 0.05 * np.random.default_rng(0).normal(size=60)
        >>> alo.TrendFilter().smooth(y).shape
        (60,)
        """
        values = np.asarray(y, dtype=np.float64)
        self.n_features_in_ = values.shape[0]
        settings = self._settings(self.loss, self.penalty, float(values.shape[0]))
        kind = settings.pop("weights_are")
        del settings["intercept"]
        self.result_ = run(None, values, sample_weight, None, kind, settings)
        return self.result_.rows.fitted


class SlopeALO(ALORegressor):
    """SLOPE: the larger a coefficient, the larger its weight in the penalty; correlated columns get equal ones.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.SlopeALO().fit(X, y)
    >>> model.loo_predictions_.shape == y.shape
    True
    """

    def __init__(self, *, slope_shape: str | None = None, slope_q: float | None = None,
                 penalty_weights: Any = None, alphas: Any = None, lambdas: Any = None,
                 n_lambdas: int | None = None, lambda_ratio: float | None = None, fit_intercept: bool = True,
                 standardize: bool | None = None, weights_are: str | None = None, metric: Any = None,
                 rule: str | None = None, choose: str | None = None, effort: float | None = None,
                 n_jobs: int | None = None, random_state: int | None = None):
        super().__init__(loss="squared", penalty="slope", slope_shape=slope_shape, slope_q=slope_q,
                         penalty_weights=penalty_weights, alphas=alphas, lambdas=lambdas, n_lambdas=n_lambdas,
                         lambda_ratio=lambda_ratio, fit_intercept=fit_intercept, standardize=standardize,
                         weights_are=weights_are, metric=metric, rule=rule, choose=choose, effort=effort,
                         n_jobs=n_jobs, random_state=random_state)
