# SPDX-License-Identifier: MIT
"""The methods that the tables compare, behind one interface, and the one gap by which all lassos are judged.

A method is a name, a call that returns its elapsed seconds, and, where it has any, the lambdas and coefficients of
its last call. Data are in memory before a call: alo's in the worker, glmnet's in a long-lived R, scikit-learn's here.
"""

import subprocess
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import numpy


class Worker:
    """A process that answers each line with one line of names and numbers."""

    def __init__(self, line):
        self.line = [str(word) for word in line]
        self.process = subprocess.Popen(self.line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        command = " ".join(str(word) for word in words)
        try:
            print(command, file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer.endswith("\n"):
            raise SystemExit(f"{' '.join(self.line)} ended at: {command}")
        pairs = answer.split()
        return {name: float(value) for name, value in zip(pairs[::2], pairs[1::2])}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Data:
    folder: Path
    X: numpy.ndarray
    y: numpy.ndarray
    lambdas: numpy.ndarray


@dataclass
class Method:
    name: str
    call: Callable[[], dict]  # "seconds" and whatever else is worth a line in the CSV
    path: Optional[Callable[[], tuple]] = None  # lambdas, and one column of coefficients for each


def read_data(folder, rows, columns):
    X = numpy.fromfile(folder / "X").reshape((rows, columns), order="F")
    return Data(folder, X, numpy.fromfile(folder / "y"), numpy.fromfile(folder / "lambda"))


def read_path(worker, data):
    worker.ask("coefficients", data.folder / "coefficients")
    values = numpy.fromfile(data.folder / "coefficients")
    return data.lambdas, values.reshape((data.X.shape[1], len(data.lambdas)), order="F")


def largest_gap(data, path):
    """max over lambda of (P - D) / null deviance for P = |y - Xb|^2 / 2 + lambda |b|_1. The dual point is the residual
    r times the largest s <= 1 with s |X'r|_inf <= lambda; the null deviance is |y|^2 / 2. P - D is computed as
    (1 - s)^2 |r|^2 / 2 + sum_j (lambda |b_j| - s b_j x_j'r), where no large numbers cancel."""
    lambdas, coefficients = path
    residuals = data.y[:, None] - data.X @ coefficients
    slopes = data.X.T @ residuals
    shrink = numpy.minimum(1.0, lambdas / numpy.maximum(numpy.abs(slopes).max(axis=0), 1e-300))
    penalty_terms = (lambdas * numpy.abs(coefficients) - coefficients * slopes * shrink).sum(axis=0)
    gaps = 0.5 * ((1.0 - shrink) ** 2) * (residuals**2).sum(axis=0) + penalty_terms
    return gaps.max() / (0.5 * data.y @ data.y)


def alo_methods(worker, data, exact, exact_path):
    middle, count = len(data.lambdas) // 2, len(data.lambdas)

    def hold_out(first, count):
        numbers = worker.ask("exact", first, count, 0)
        return numbers | worker.ask("refit", 5)

    yield Method("alo fit", lambda: worker.ask("fit"), lambda: read_path(worker, data))
    yield Method("alo fit and ALO", lambda: worker.ask("fit_alo"), lambda: read_path(worker, data))
    if exact:
        yield Method("alo exact, one lambda", lambda: hold_out(middle, 1))
    if exact_path:
        yield Method("alo exact, all lambda", lambda: hold_out(0, count))


def glmnet_methods(worker, data, thresholds, family="gaussian"):
    worker.ask("load", data.folder, *data.X.shape, len(data.lambdas), family)
    for threshold in thresholds:
        yield Method(f"glmnet {threshold}", lambda threshold=threshold: worker.ask("fit", threshold),
                     lambda: read_path(worker, data))


def sklearn_methods(data):
    """|r|^2 / (2n) + alpha |b|_1, so alpha = lambda / n. What does not converge shows in the gap: no warnings."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LassoCV, lasso_path

    n, last = len(data.y), {}

    def timed(function):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            start = time.perf_counter()
            result = function()
            return time.perf_counter() - start, result

    def path():
        seconds, (_, last["path"], _) = timed(lambda: lasso_path(
            data.X, data.y, alphas=data.lambdas / n, tol=1e-7, precompute="auto", max_iter=100_000))
        return {"seconds": seconds}

    def cross_validate():
        seconds, last["model"] = timed(lambda: LassoCV(
            alphas=data.lambdas / n, cv=5, fit_intercept=False).fit(data.X, data.y))
        return {"seconds": seconds}

    def chosen():
        return numpy.array([last["model"].alpha_ * n]), last["model"].coef_[:, None]

    yield Method("scikit-learn lasso_path", path, lambda: (data.lambdas, last["path"]))
    yield Method("scikit-learn LassoCV", cross_validate, chosen)


def linear_svc_methods(data):
    """|b|^2 / 2 + C sum of hinges, so C = 1 / lambda; one fit for each lambda, as it has no warm start. X is given by
    rows, as it would be copied otherwise in each fit."""
    from sklearn.svm import LinearSVC

    X, last = numpy.ascontiguousarray(data.X), {}

    def fits():
        columns, start = [], time.perf_counter()
        for value in data.lambdas:
            model = LinearSVC(loss="hinge", dual=True, tol=1e-6, C=1.0 / value, fit_intercept=False,
                              max_iter=10_000_000, random_state=0)
            columns.append(model.fit(X, data.y).coef_[0])
        seconds = time.perf_counter() - start
        last["path"] = numpy.column_stack(columns)
        return {"seconds": seconds}

    yield Method("LinearSVC", fits, lambda: (data.lambdas, last["path"]))
