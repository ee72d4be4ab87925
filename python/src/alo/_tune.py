# SPDX-License-Identifier: MIT
"""The functions: data and settings in, a result out."""

from __future__ import annotations

import inspect
from typing import Any

from . import _core
from ._input import as_observations
from ._result import Result
from ._settings import as_settings


def run(X: Any, y: Any, sample_weight: Any, offset: Any, weights_are: str | None, settings: dict[str, Any]) -> Result:
    """Tunes with settings that may be None, which stands for the library's default."""
    observations = as_observations(X, y, sample_weight, offset)
    if weights_are is not None and sample_weight is None:
        raise ValueError("weights_are says what weights mean, but there are none: add sample_weight")
    chosen = as_settings(settings)
    if X is None:
        chosen["design"] = "identity"
    kind = weights_are or _core.words()["weights_are"][0]
    response = observations.response
    return Result(_core.run(observations.design, response.values, chosen, response.classes, observations.weights,
                            observations.offset, observations.names, response.name, kind))


def tune(X: Any, y: Any, *, loss: str | None = None, penalty: str | None = None, lambdas: Any = None,
         n_lambdas: int | None = None, lambda_ratio: float | None = None, full_path: bool | None = None,
         mix: float | None = None, ridge: float | None = None, penalty_weights: Any = None,
         quantile: float | None = None, delta: float | None = None, epsilon: float | None = None,
         positive: str | None = None, order: int | None = None, penalty_matrix: Any = None, graph: Any = None,
         grid: tuple[int, int] | None = None, sparse: float | None = None, groups: Any = None,
         slope_shape: str | None = None, slope_q: float | None = None, shape: tuple[int, int] | None = None,
         smoothing: float | None = None, kernel: str | None = None, gamma: float | None = None,
         degree: int | None = None, coef0: float | None = None, intercept: bool | None = None,
         standardize: bool | None = None, sample_weight: Any = None, weights_are: str | None = None,
         offset: Any = None, metric: str | list[str] | None = None, rule: str | None = None,
         search: str | None = None, choose: str | None = None, effort: float | None = None,
         framework: str | None = None, exact: bool | None = None, folds: int | None = None,
         repair: str | None = None, outer: int | None = None, predictions: bool | None = None,
         time_limit: float | None = None, threads: int | None = None, seed: int | None = None) -> Result:
    """Fits a path of penalised models, estimates by leave-one-out how well each predicts, and chooses lambda.

    This is the command ``alo tune``: the same settings, defaults and numbers. A setting that is None has the
    library's default, which may follow from the data.

    Parameters
    ----------
    X : array, sparse matrix or data frame, n x p
        64-bit numbers in Fortran order and compressed sparse columns are used where they are; anything else is copied
        once. None: y is a signal, each value of which has a coefficient of its own.
    y : array of n numbers or labels
        Two distinct values or words are classes unless `loss` says otherwise.
    loss : str
        By default logistic for two distinct values, multinomial for words with more, else squared. One of

{losses}
    penalty : str
        By default the lasso, for losses with kinks the ridge. One of

{penalties}
    lambdas : array or float
        Values in place of a grid. Lambda multiplies the penalty beside the *sum* of losses; docs/lambda.md and
        :mod:`alo.conversions` have scikit-learn's alpha.
    n_lambdas, lambda_ratio, full_path
        The number of values of a grid, its smallest over its largest value, and whether it goes on where only
        worse values would follow.
    mix : float
        Share of the lasso in elastic-net and sparse-group-lasso (``l1_ratio``).
    ridge : float
        A fixed ridge part of the elastic net in place of the mix: lambda scales the lasso alone.
    penalty_weights : array of p factors
        0 leaves a coefficient unpenalised, inf leaves it out; for slope the sequence.
    quantile, delta, epsilon : float
        Parameters of the losses quantile, huber and pseudo-huber, epsilon-insensitive.
    positive : str
        Which of two labels is +1.
    order, penalty_matrix, graph, grid, sparse
        Of trend-filter; the matrix D of generalized-lasso; of fused-lasso pairs of columns that are joined, counted
        from 0, or the sides of a grid, and a factor of absolute coefficients.
    groups : array of p labels
        Of group-lasso and sparse-group-lasso; None and NaN are groups alone.
    slope_shape, slope_q
        The sequence of slope.
    shape, smoothing
        Of the penalties on a matrix of coefficients (row by row), and of schatten.
    kernel, gamma, degree, coef0
        A function of the similarities of rows in place of a linear one (hinge, epsilon-insensitive).
    intercept, standardize : bool
        An unpenalised intercept; penalties on columns divided by their standard deviation.
    sample_weight : array of n weights
    weights_are : str
        "importance": leaving a row out removes its whole weight; "frequency": weights count copies, one of which
        is removed.
    offset : array of n numbers that are added to the linear predictor
    metric : str or list
        The first one chooses; see ``alo.metrics()``.
    rule : "min", "1se" or "1se-paired"
    search : "grid" or "exact" (between the values of the grid too, where the path is affine in lambda)
    choose : "auto", "alo", "exact" or "kfold"
        Which estimate chooses; "auto" is the most exact that the effort allows.
    effort : float
        Work for exact leave-one-out, in costs of the path.
    framework : "auto", "primal" or "dual" formula
    exact, folds
        Also exact leave-one-out along the path; also K-fold cross-validation.
    repair : "auto", "none" or "exact"
    outer : int
        Also the error of the whole procedure, tuning included, by that many outer folds.
    predictions : bool
        Keep the values of every row at every lambda (``Result.rows_at``).
    time_limit : float
        Seconds after which what is finished is returned (``Result.complete`` is False).
    threads : int
        By default all cores.
    seed : int
        Of folds and samples.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        For data and settings that do not fit, with the parameter to change.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = alo.tune(X, y, penalty="ridge", metric=["deviance", "auc"])
    >>> bool(result.verdict)
    True
    >>> round(float(result.risk("auc")["estimate"].max()), 3)
    0.995
    """
    settings = dict(locals())
    for name in ("X", "y", "sample_weight", "offset", "weights_are"):
        del settings[name]
    return run(X, y, sample_weight, offset, weights_are, settings)


def check(X: Any, y: Any, *, sample: int | None = None, **settings: Any) -> Result:
    """Exact leave-one-out on sampled rows beside the approximation: can it be trusted on these data?

    Parameters
    ----------
    X, y : the data, as for ``tune``
    sample : int
        Rows to refit without, at least 5; by default 200, or all if there are fewer.
    **settings : those of ``tune``; the check itself computes exact leave-one-out, so that ``choose`` is "alo" here.

    Returns
    -------
    Result
        Its ``check`` has the comparison.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> alo.check(X, y, penalty="ridge", sample=50).check.verdict
    'trusted'
    """
    data = {name: settings.pop(name, None) for name in ("sample_weight", "offset", "weights_are")}
    unknown = sorted(set(settings) - set(inspect.signature(tune).parameters))
    if unknown:
        raise TypeError(f"check() got an unexpected keyword argument {unknown[0]!r}")
    return run(X, y, **data, settings={**settings, "choose": "alo", "sample": sample or _core.default_check_rows})


def _table(entries: dict[str, str]) -> str:
    return "\n".join(f"        - ``{name}``: {text}" for name, text in entries.items())


if tune.__doc__:
    tune.__doc__ = tune.__doc__.format(losses=_table(_core.losses()), penalties=_table(_core.penalties()))
