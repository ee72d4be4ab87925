# SPDX-License-Identifier: MIT
"""The estimators keep scikit-learn's conventions."""

import pickle
import warnings

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, PoissonRegressor, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import alo

NAMED = [alo.LassoALO, alo.RidgeALO, alo.ElasticNetALO, alo.LogisticALO, alo.LinearSVCALO, alo.SVCALO, alo.HuberALO,
         alo.QuantileALO, alo.PoissonALO, alo.GroupLassoALO, alo.FusedLassoALO, alo.TrendFilter, alo.SlopeALO]


# No check is expected to fail. A short grid keeps the many fits of the checks short; the two general estimators have their
# defaults.
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([alo.ALORegressor(), alo.ALOClassifier(), *[named(n_lambdas=25) for named in NAMED]])
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("named", NAMED)
def test_short_names_have_the_attributes(named, diabetes, cancer):
    X, y = cancer if issubclass(named, alo.ALOClassifier) else diabetes
    model = named(n_lambdas=10, lambda_ratio=1e-3).fit(X, y)
    for name in ("alpha_", "lambda_", "alphas_", "loo_predictions_", "loo_risk_", "risk_curve_", "leverage_", "verdict_",
                 "n_iter_", "n_features_in_", "intercept_"):
        assert hasattr(model, name), name
    assert hasattr(model, "coef_") == (named is not alo.SVCALO)
    assert model.loo_predictions_.shape == np.shape(y) and model.leverage_.shape == np.shape(y)
    assert np.min(model.lambdas_) <= model.lambda_ <= np.max(model.lambdas_) and model.n_iter_ == len(model.alphas_)
    assert isinstance(model.verdict_.reliable, bool)
    assert "relied on" in model._repr_html_()
    assert clone(model).get_params() == model.get_params()


def test_columns_keep_their_names(diabetes):
    X, y = diabetes
    model = alo.LassoALO().fit(X, y)
    assert list(model.feature_names_in_) == list(X.columns) == model.result_.feature_names
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)


def test_polars_is_a_data_frame(diabetes):
    polars = pytest.importorskip("polars")
    X, y = diabetes
    model = alo.LassoALO().fit(polars.from_pandas(X), polars.from_pandas(y))
    assert model.coef_.tolist() == alo.LassoALO().fit(X, y).coef_.tolist()
    assert list(model.feature_names_in_) == list(X.columns)
    assert alo.tune(polars.from_pandas(X), polars.from_pandas(y)).feature_names == list(X.columns)


@pytest.mark.parametrize("layout", [sparse.csc_matrix, sparse.csr_matrix, sparse.coo_matrix])
def test_sparse_is_dense(layout, rng):
    X = rng.normal(size=(80, 30)) * (rng.random((80, 30)) < 0.2)
    y = X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=80)
    dense, thin = alo.LassoALO().fit(X, y), alo.LassoALO().fit(layout(X), y)
    np.testing.assert_allclose(thin.coef_, dense.coef_, atol=1e-8)
    np.testing.assert_allclose(thin.predict(layout(X)), dense.predict(X), atol=1e-8)


@pytest.mark.parametrize("ours, theirs", [
    (alo.LassoALO, lambda a: Lasso(alpha=a, tol=1e-13, max_iter=10**6)),
    (alo.RidgeALO, lambda a: Ridge(alpha=a)),
    (lambda **p: alo.ElasticNetALO(l1_ratio=0.4, **p), lambda a: ElasticNet(alpha=a, l1_ratio=0.4, tol=1e-13, max_iter=10**6)),
    (alo.PoissonALO, lambda a: PoissonRegressor(alpha=a, tol=1e-10, max_iter=10**5)),
])
@pytest.mark.parametrize("weighted", [False, True])
def test_alphas_are_those_of_scikit_learn(ours, theirs, weighted, diabetes, rng):
    X, y = diabetes
    y = np.round(y / 20)
    weights = rng.random(len(y)) + 0.5 if weighted else None
    for alpha in (0.02, 0.3):
        model = ours(alphas=[alpha], standardize=False, choose="alo").fit(X, y, sample_weight=weights)
        other = theirs(alpha).fit(X, y, sample_weight=weights)
        assert model.alpha_ == pytest.approx(alpha, rel=1e-14)
        np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-5, atol=1e-6)
        assert model.intercept_ == pytest.approx(other.intercept_, rel=1e-6)


@pytest.mark.parametrize("loss, theirs", [
    ("logistic", lambda C: LogisticRegression(C=C, tol=1e-12, solver="newton-cholesky")),
    ("hinge", lambda C: SVC(kernel="linear", C=C, tol=1e-10)),
    ("squared-hinge", lambda C: LinearSVC(C=C, tol=1e-12, max_iter=10**6, fit_intercept=False)),
])
def test_C_is_that_of_scikit_learn(loss, theirs, cancer):
    X, y = cancer
    model = alo.ALOClassifier(loss=loss, penalty="ridge", lambdas=[7.0], standardize=False, choose="alo",
                              fit_intercept=loss != "squared-hinge").fit(X, y)
    np.testing.assert_allclose(model.coef_, theirs(model.C_).fit(X, y).coef_, rtol=2e-4, atol=2e-6)


def test_weights_are_copies(diabetes, rng):
    X, y = diabetes
    X, y = X.to_numpy()[:60], y.to_numpy()[:60]
    counts = rng.integers(0, 4, size=60)
    weighted = alo.LassoALO().fit(X, y, sample_weight=counts)
    repeated = alo.LassoALO().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.lambda_ == pytest.approx(repeated.lambda_, rel=1e-12)
    assert weighted.loo_risk_ == pytest.approx(repeated.loo_risk_, rel=1e-9)


def test_they_work_within_others(diabetes, cancer):
    X, y = diabetes
    columns = make_column_transformer((StandardScaler(), ["bmi", "bp", "s5"]), remainder="passthrough")
    pipe = make_pipeline(columns, alo.LassoALO(standardize=False)).fit(X, y)
    assert pipe.score(X, y) > 0.5
    search = GridSearchCV(alo.ElasticNetALO(n_lambdas=20, choose="alo"), {"l1_ratio": [0.2, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_["l1_ratio"] in (0.2, 1.0)
    assert cross_val_score(alo.LogisticALO(choose="alo"), *cancer, cv=3).mean() > 0.95


def test_pickles_keep_the_result(diabetes):
    X, y = diabetes
    model = alo.RidgeALO().fit(X, y)
    other = pickle.loads(pickle.dumps(model))
    assert other.predict(X).tolist() == model.predict(X).tolist()
    assert other.result_.risk()["alo"].tolist() == model.result_.risk()["alo"].tolist()
    assert repr(other.result_) == repr(model.result_)
    assert other.result_.to_json()["path"] == model.result_.to_json()["path"]
    with pytest.raises(RuntimeError, match="unpickled"):
        other.result_.report("nowhere")


def test_several_classes():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    names = load_iris().target_names[y]
    model = alo.LogisticALO(n_lambdas=20).fit(X, names)
    assert model.coef_.shape == (3, 4) and model.loo_predictions_.shape == (150, 3)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, atol=1e-12)
    assert model.score(X, names) > 0.95
    with pytest.raises(ValueError, match="Only binary classification"):
        alo.SVCALO().fit(X, y)


def test_bad_input_is_refused_in_words(diabetes, cancer):
    X, y = diabetes
    model = alo.LassoALO()
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X.where(X != X.iloc[3, 2]), y)
    with pytest.raises(ValueError, match="1 sample"):
        model.fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="could not convert string to float"):
        model.fit(X.astype(object).replace(X.iloc[0, 0], "text"), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, y[:-1])
    with pytest.raises(ValueError, match="n_features|features"):
        model.fit(X.to_numpy(), y).predict(X.to_numpy()[:, :3])
    with pytest.raises(ValueError, match="class"):
        alo.LogisticALO().fit(cancer[0], np.ones(len(cancer[1])))
    with pytest.raises(ValueError, match="give one of them"):
        alo.LassoALO(alphas=[1.0], lambdas=[1.0]).fit(X, y)
    with pytest.raises(ValueError, match="is not between 0 and 1|between 0 and 1"):
        alo.ElasticNetALO(l1_ratio=1.5).fit(X, y)


def test_trend_filter_smooths_a_signal(rng):
    t = np.linspace(0, 1, 120)
    truth = np.abs(t - 0.4)
    y = truth + 0.05 * rng.normal(size=120)
    filtered = alo.TrendFilter()
    smooth = filtered.smooth(y)
    assert np.mean((smooth - truth) ** 2) < 0.25 * np.mean((y - truth) ** 2)
    assert pandas.Series(np.diff(smooth, 2)).abs().gt(1e-9).sum() < 30


def test_a_graph_joins_columns(diabetes):
    X, y = diabetes
    chain = [(j, j + 1) for j in range(9)]
    one = alo.FusedLassoALO(lambdas=[50.0]).fit(X, y)
    np.testing.assert_allclose(alo.FusedLassoALO(graph=chain, lambdas=[50.0]).fit(X, y).coef_, one.coef_, rtol=1e-9)
    with pytest.raises(ValueError, match="no pair of 10 coefficients"):
        alo.FusedLassoALO(graph=[(0, 10)]).fit(X, y)
    groups = ["a", "a", "b", "b", None, "c", "c", np.nan, "d", "d"]
    coef = alo.GroupLassoALO(groups=groups, lambdas=[900.0]).fit(X, y).coef_
    assert all((coef[j] == 0) == (coef[j + 1] == 0) for j in (0, 2, 5, 8)) and (coef == 0).any()
