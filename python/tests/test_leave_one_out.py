# SPDX-License-Identifier: MIT
"""Leave-one-out of fitted scikit-learn models, against refits of the same models without each row."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import (ElasticNet, ElasticNetCV, GammaRegressor, HuberRegressor, Lasso, LassoCV,
                                  LinearRegression, LogisticRegression, PoissonRegressor, QuantileRegressor, Ridge,
                                  RidgeCV)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

import alo

N = 40


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(N, 5))
    return X, X @ [2, -1, 0.5, 0, 0] + rng.normal(size=N)


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(N, 5))
    return X, np.where(X @ [2, -1, 0.5, 0, 0] + 1.5 * rng.normal(size=N) > 0, "yes", "no")


def predictor(model, X):
    if hasattr(model, "decision_function"):
        return model.decision_function(X)
    predicted = model.predict(X)
    return np.log(predicted) if isinstance(model, (PoissonRegressor, GammaRegressor)) else predicted


def refits(model, X, y, **changed):
    values = []
    for i in range(len(y)):
        kept = np.arange(len(y)) != i
        one = clone(model).set_params(**changed).fit(X[kept], y[kept])
        values.append(predictor(one, X[i:i + 1])[0])
    return np.array(values)


def exact_of(found):
    rows = found.result.rows
    assert rows.exact is not None and np.isfinite(rows.exact).all()
    return rows.exact


# scikit-learn divides the loss by n in some models; their refits keep lambda by this factor of alpha.
MEAN = N / (N - 1)
TIGHT = {"tol": 1e-13, "max_iter": 10**6}


@pytest.mark.parametrize("model, changed, tolerance", [
    (Ridge(alpha=3.0), {}, 1e-10),
    (Ridge(alpha=3.0, fit_intercept=False), {}, 1e-10),
    (LinearRegression(), {}, 1e-10),
    (Lasso(alpha=0.1, **TIGHT), {"alpha": 0.1 * MEAN}, 1e-6),
    (ElasticNet(alpha=0.2, l1_ratio=0.3, **TIGHT), {"alpha": 0.2 * MEAN}, 1e-6),
    (SVR(kernel="linear", C=0.7, tol=1e-10), {}, 5e-6),  # LIBSVM's objective is above ours by 7e-7
    (SVR(kernel="rbf", C=2.0, gamma=0.1, tol=1e-10), {}, 1e-6),
    (QuantileRegressor(quantile=0.3, alpha=0.05), {"alpha": 0.05 * MEAN}, 2e-6),
])
def test_numbers_as_refits(model, changed, tolerance, numbers):
    X, y = numbers
    found = alo.leave_one_out(model.fit(X, y), X, y, exact=True)
    rows, expected = found.result.rows, refits(model, X, y, **changed)
    # Where the fit without a row is not unique, any value of an interval is one.
    unique = np.ones(N, bool) if rows.exact_low is None else rows.exact_low == rows.exact_high
    assert unique.sum() > N / 2
    np.testing.assert_allclose(exact_of(found)[unique], expected[unique], atol=tolerance)
    assert not found.looseness.is_loose
    sure = (rows.certified == 1) & unique
    np.testing.assert_allclose(rows.alo[sure], expected[sure], atol=tolerance)


@pytest.mark.parametrize("model", [PoissonRegressor(alpha=0.1, tol=1e-11, max_iter=10**5),
                                   GammaRegressor(alpha=0.1, tol=1e-11, max_iter=10**5)])
def test_counts_as_refits(model, numbers):
    X, y = numbers
    y = np.round(np.abs(y)) + 1
    found = alo.leave_one_out(model.fit(X, y), X, y, exact=True)
    np.testing.assert_allclose(exact_of(found), refits(model, X, y, alpha=0.1 * MEAN), atol=1e-5)
    np.testing.assert_allclose(found.loo_predictions, np.exp(exact_of(found)), rtol=1e-12)


@pytest.mark.parametrize("model, tolerance", [
    (LogisticRegression(C=0.8, solver="newton-cholesky", **TIGHT), 1e-6),
    (LogisticRegression(C=0.8, solver="newton-cholesky", fit_intercept=False, **TIGHT), 1e-6),
    (LogisticRegression(C=0.8, solver="liblinear", tol=1e-13, max_iter=10**5, intercept_scaling=2.0), 1e-6),
    (LinearSVC(C=0.5, tol=1e-14, max_iter=10**7), 1e-6),
    (LinearSVC(C=0.5, tol=1e-14, max_iter=10**7, fit_intercept=False), 1e-6),
    (SVC(kernel="linear", C=0.5, tol=1e-11), 1e-6),
    (SVC(kernel="rbf", C=2.0, gamma=0.2, tol=1e-11), 1e-6),
    (SVC(kernel="poly", C=1.0, gamma=0.3, coef0=1.0, degree=2, tol=1e-11), 1e-6),
    (SVC(kernel="linear", C=0.5, tol=1e-11, class_weight={"yes": 2.0, "no": 0.5}), 1e-6),
])
def test_classes_as_refits(model, tolerance, classes):
    X, y = classes
    found = alo.leave_one_out(model.fit(X, y), X, y, exact=True)
    rows, expected = found.result.rows, refits(model, X, y)
    unique = np.ones(N, bool) if rows.exact_low is None else rows.exact_low == rows.exact_high
    np.testing.assert_allclose(exact_of(found)[unique], expected[unique], atol=tolerance)
    assert unique.sum() > N / 2


def test_several_classes_as_refits():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 4))
    y = np.argmax(X[:, :3] + rng.normal(size=(60, 3)), axis=1)
    model = LogisticRegression(C=0.5, solver="newton-cg", tol=1e-9, max_iter=10**5).fit(X, y)
    found = alo.leave_one_out(model, X, y, exact=True)
    expected = refits(model, X, y)
    exact = exact_of(found)
    level = lambda rows: rows - rows.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(level(exact), level(expected), atol=1e-5)


def test_huber_at_its_scale(numbers):
    """Refits estimate the scale again, so that only the fit itself and alo at the same settings can agree."""
    X, y = numbers
    model = HuberRegressor(alpha=0.3, epsilon=1.4, tol=1e-9, max_iter=10**5).fit(X, y)
    found = alo.leave_one_out(model, X, y, exact=True)
    np.testing.assert_allclose(found.fitted, model.predict(X), atol=1e-4)  # L-BFGS, in coefficients and scale
    direct = alo.tune(X, y, loss="huber", penalty="ridge", delta=1.4 * model.scale_, lambdas=0.3 * model.scale_,
                      standardize=False, exact=True)
    np.testing.assert_allclose(exact_of(found), direct.rows.exact, atol=1e-10)
    assert "scale_" in repr(found)


def test_a_loose_fit_is_tightened_and_said(cancer):
    X, y = cancer
    model = LogisticRegression().fit(X, y)
    tight = LogisticRegression(solver="newton-cholesky", **TIGHT).fit(X, y)
    found = alo.leave_one_out(model, X, y)
    assert found.looseness.is_loose and found.looseness.excess > 1e-6 and "the fit is loose" in repr(found)
    np.testing.assert_allclose(found.fitted, tight.decision_function(X), atol=1e-5)
    expected = np.max(np.abs(model.decision_function(X) - tight.decision_function(X)))
    assert found.looseness.shift == pytest.approx(expected, rel=1e-3)
    again = alo.leave_one_out(tight, X, y)
    assert not again.looseness.is_loose and "loose" not in repr(again)
    assert again.risk == found.risk


def test_pipelines_and_searches(diabetes):
    X, y = diabetes
    for model in (LassoCV(tol=1e-8), RidgeCV(), ElasticNetCV(tol=1e-8)):
        pipe = make_pipeline(StandardScaler(), model).fit(X, y)
        found = alo.leave_one_out(pipe, X, y)
        direct = alo.leave_one_out(pipe[-1], StandardScaler().fit_transform(X), y)
        assert found.risk == direct.risk and found.name.startswith("a pipeline that ends in")
        np.testing.assert_allclose(found.fitted, pipe.predict(X), atol=0.2)


def test_weights_and_sparse(numbers):
    X, y = numbers
    weights = np.random.default_rng(1).random(N) + 0.5
    model = Ridge(alpha=2.0).fit(X, y, sample_weight=weights)
    found = alo.leave_one_out(model, X, y, sample_weight=weights)
    np.testing.assert_allclose(found.fitted, model.predict(X), atol=1e-9)
    thin = sparse.csr_matrix(X * (np.abs(X) > 1))
    for model in (Ridge(fit_intercept=False), LinearSVC(tol=1e-12, max_iter=10**6)):
        target = y if isinstance(model, Ridge) else y > 0
        model.fit(thin, target)
        np.testing.assert_allclose(alo.leave_one_out(model, thin, target).fitted, predictor(model, thin), atol=1e-4)


@pytest.mark.parametrize("model, words", [
    (Lasso(positive=True), "positive=True"),
    (SVC(kernel="sigmoid"), "its kernel is 'sigmoid'"),
    (StandardScaler(), "known are Lasso"),
])
def test_what_cannot_be_read_is_refused(model, words, classes):
    X, y = classes
    y = (y == "yes").astype(float)
    with pytest.raises(ValueError, match=words):
        alo.leave_one_out(model.fit(X, y), X, y)


def test_more_refusals(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="several targets"):
        alo.leave_one_out(Ridge().fit(X, np.column_stack([y, y])), X, y)
    with pytest.raises(ValueError, match="3 classes"):
        alo.leave_one_out(SVC().fit(X, np.arange(N) % 3), X, np.arange(N) % 3)
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        alo.leave_one_out(Lasso(), X, y)
