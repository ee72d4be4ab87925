# SPDX-License-Identifier: MIT
"""compare.py glmnet|scikit-learn|quantreg [--studies] --examples FOLDER --command ALO

Fits with `alo fit` and with the other package, and compares intercept and coefficients on the original scale.

Squared loss: ridge, lasso and elastic net on the diabetes study and on two simulated sets (more rows than columns, and
fewer), with and without intercept and standardisation, at three lambdas each. glmnet is run with thresh = 1e-14, and
with 1e-20 at the smallest lambda, where its own stopping rule would otherwise leave errors above 1e-6. Beside
scikit-learn also the huber loss with a ridge on the diabetes study.
Beside quantreg: the quantile loss on the diabetes study and the tall simulated set, at a lambda so small that the
fit is the corner of the linear program without penalty.
With --studies, beside glmnet: the logistic, poisson and multinomial losses on the data of studies.py.

Agreement means: the largest difference is at most 1e-6 times the largest coefficient, 1e-5 for losses other than the
squared one, whose peers stop earlier. The intercept, which carries the offsets of all columns, may differ by that share
of the largest of itself and every |coefficient * column mean|. The conversions of lambda are those of docs/lambda.md.
Every fit must meet its certificate, but for quantiles of the simulated set: these are named, and compared all the same.
Ends with 77, for a test that was skipped, where the studies or the other package are not at hand.
"""

import argparse
import csv
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Optional

import numpy
from studies import STUDIES, data_folder, null_residuals

SKIPPED = 77
MISSED = 4  # the command's exit code for a certificate that was missed
MIX = {"ridge": 0.0, "lasso": 1.0, "elastic-net": 0.3}
FAMILIES = {"squared": "gaussian", "logistic": "binomial", "poisson": "poisson", "multinomial": "multinomial"}


@dataclass
class Data:
    name: str
    path: Path
    X: numpy.ndarray
    y: numpy.ndarray
    loss: str = "squared"


@dataclass
class Case:
    data: Data
    penalty: str
    intercept: bool
    standardize: bool
    lam: float
    thresh: Optional[float] = None  # of glmnet
    delta: Optional[float] = None
    quantile: Optional[float] = None
    may_miss: bool = False  # its certificate

    @property
    def mix(self):
        return MIX[self.penalty]

    @property
    def tolerance(self):
        return 1e-6 if self.data.loss == "squared" else 1e-5

    def __str__(self):
        quantile = "" if self.quantile is None else f"{self.quantile} "
        return (f"{self.data.name} {self.data.loss} {quantile}{self.penalty} {'' if self.intercept else 'no '}intercept, "
                f"{'' if self.standardize else 'not '}standardised, lambda {self.lam:.6g}")


def read(name, path):
    table = numpy.loadtxt(path, delimiter=",", skiprows=1)
    return Data(name, path, table[:, :-1], table[:, -1])


def write(name, folder, X, y, loss="squared"):
    path = folder / f"{name.replace(' ', '_')}.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j + 1}" for j in range(X.shape[1])] + ["y"])
        writer.writerows([repr(float(v)) for v in row] for row in numpy.column_stack([X, y]))
    return Data(name, path, X, y, loss)


def simulate(name, folder, rows, columns, seed):
    """Columns of unlike scales, each correlated with the next; a third of the coefficients not zero."""
    random = numpy.random.default_rng(seed)
    noise = random.standard_normal((rows, columns + 1))
    scale = 10.0 ** random.uniform(-1, 1, columns)
    X = (0.2 + noise[:, :-1] + 0.25 * noise[:, 1:]) * scale
    effects = numpy.where(numpy.arange(columns) % 3 == 0, random.standard_normal(columns), 0.0) / scale
    y = 1 + X @ effects + random.standard_normal(rows)
    return write(name, folder, X, y)


def column_scale(case):
    """What standardisation divides by: the standard deviation with divisor n, intercept or not."""
    return case.data.X.std(axis=0) if case.standardize else numpy.ones(case.data.X.shape[1])


def lambdas(data, intercept, standardize):
    """Shares of the lambda at which a lasso with these settings is empty, and glmnet's thresh there."""
    y = data.y - data.y.mean() if intercept else data.y
    X = data.X - data.X.mean(axis=0) if intercept else data.X
    scale = data.X.std(axis=0) if standardize else 1.0
    largest = numpy.abs((X / scale).T @ y).max()
    return [(largest * share, 1e-20 if share < 0.1 else 1e-14) for share in (0.7, 0.3, 0.02)]


def squared_cases(examples, folder):
    sets = [read("diabetes", examples / "diabetes.csv"), simulate("tall", folder, 200, 30, seed=1),
            simulate("wide", folder, 60, 100, seed=2)]
    for data in sets:
        for penalty, intercept, standardize in product(MIX, (True, False), (True, False)):
            for level in lambdas(data, intercept, standardize):
                yield Case(data, penalty, intercept, standardize, *level)


def study_cases(folder):
    """Shares of the lambda at which a lasso with an intercept is empty."""
    for loss, (name, reader, penalties, thresh) in STUDIES.items():
        data = write(name, folder, *reader(data_folder()), loss)
        centred = data.X - data.X.mean(axis=0)
        for penalty, standardize in product(penalties, (True, False)):
            deviations = data.X.std(axis=0)
            scale = numpy.where(deviations > 0, deviations, 1.0) if standardize else 1.0
            largest = numpy.abs((centred / scale).T @ null_residuals(loss, data.y)).max()
            for share in (0.5, 0.02):
                yield Case(data, penalty, True, standardize, largest * share, thresh)


def fit_alo(command, case):
    line = [str(command), "fit", str(case.data.path), "--lambda", repr(float(case.lam)), "--penalty", case.penalty,
            "--loss", case.data.loss, "--choose", "alo", "--json", "-", "--quiet", "--intercept" if case.intercept else "--no-intercept",
            "--standardize" if case.standardize else "--no-standardize"]
    if case.penalty == "elastic-net":
        line += ["--mix", repr(case.mix)]
    if case.delta is not None:
        line += ["--delta", repr(float(case.delta))]
    if case.quantile is not None:
        line += ["--quantile", repr(case.quantile)]
    result = subprocess.run(line, capture_output=True, text=True)
    if result.returncode == MISSED and case.may_miss:
        print(f"certificate missed: {case}")
    elif result.returncode != 0:
        raise SystemExit(f"{' '.join(line)}\nended with {result.returncode}\n{result.stderr}")
    point, = json.loads(result.stdout)["path"]
    return numpy.array(point["intercept"]), numpy.array(point["coefficients"])


# scikit-learn: |r|^2 + alpha |b|^2 for Ridge, |r|^2 / (2n) + alpha (...) for the others.
def fit_sklearn(cases):
    from sklearn.linear_model import ElasticNet, Lasso, Ridge

    for case in cases:
        scale, n = column_scale(case), len(case.data.y)
        descent = {"tol": 1e-15, "max_iter": 1_000_000, "fit_intercept": case.intercept}
        model = {
            "ridge": lambda: Ridge(alpha=case.lam, fit_intercept=case.intercept),
            "lasso": lambda: Lasso(alpha=case.lam / n, **descent),
            "elastic-net": lambda: ElasticNet(alpha=case.lam / n, l1_ratio=case.mix, **descent),
        }[case.penalty]()
        model.fit(case.data.X / scale, case.data.y)
        yield case, (float(model.intercept_), model.coef_.ravel() / scale)


# HuberRegressor minimises, over s as well, sum_i [s + s H(r_i / s)] + alpha |b|^2, H(z) = z^2 up to epsilon and then
# 2 epsilon |z| - epsilon^2. At its s that is 2/s times our objective with delta = epsilon s and lambda = alpha s. It
# stops when the objective falls by less than 2e-9 of itself, so it is given centred columns and started again
# from where it stopped. With y in another unit coefficients and s change with it; delta = epsilon s and lambda stays.
def fit_sklearn_huber(data):
    from sklearn.linear_model import HuberRegressor

    means, scale, unit = data.X.mean(axis=0), data.X.std(axis=0), data.y.std()
    for epsilon, alpha in product((1.1, 1.35, 2.0), (10.0, 100.0, 1000.0)):
        model = HuberRegressor(epsilon=epsilon, alpha=alpha, max_iter=10_000, tol=1e-12, warm_start=True)
        with suppress(ValueError):  # when its line search finds no lower point: the fit before stays
            for _ in range(100):
                model.fit((data.X - means) / scale, (data.y - data.y.mean()) / unit)
        coefficients = unit * model.coef_ / scale
        intercept = data.y.mean() + unit * float(model.intercept_) - coefficients @ means
        case = Case(data, "ridge", True, True, alpha * model.scale_, delta=epsilon * model.scale_ * unit)
        yield case, (intercept, coefficients)


# glmnet: |r|^2 / (2n) + lambda (alpha |b|_1 + (1 - alpha) |b|^2 / (2 sd(y))), where sd(y) has divisor n and is
# taken about zero when there is no intercept. Of other losses the mean, and no sd(y).
def glmnet_lambda(case):
    y = case.data.y
    if case.data.loss != "squared":
        return case.lam / len(y), case.mix
    sd = y.std() if case.intercept else numpy.sqrt((y**2).mean())
    weight = case.mix + (1 - case.mix) * sd
    return case.lam / len(y) * weight, case.mix / weight


def fit_glmnet(cases, folder):
    table, result = folder / "cases.csv", folder / "coefficients.csv"
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file", "family", "lambda", "alpha", "intercept", "standardize", "thresh"])
        for case in cases:
            lam, alpha = glmnet_lambda(case)
            writer.writerow([case.data.path, FAMILIES[case.data.loss], repr(float(lam)), repr(float(alpha)),
                             case.intercept, case.standardize, case.thresh])
    subprocess.run(["Rscript", Path(__file__).with_name("glmnet.R"), table, result], check=True)
    with open(result, newline="") as file:
        for case, row in zip(cases, csv.reader(file), strict=True):
            values = numpy.array([float(value) for value in row])
            columns = case.data.X.shape[1]
            if len(values) == columns + 1:
                yield case, (values[0], values[1:])
            else:  # several outputs: their intercepts, then the coefficients of one after those of the other
                outputs = len(values) // (columns + 1)
                yield case, (values[:outputs], values[outputs:].reshape(columns, outputs, order="F"))


# A corner stays the solution for lambda from zero up to some bound, which is above 1e-6 here and for a median of
# the simulated set below 1e-3. The rounding of the gap grows as 1 / lambda: on that set it is some 1e-8, and the
# certificate is missed.
def quantile_cases(examples, folder):
    sets = [(read("diabetes", examples / "diabetes.csv"), False), (simulate("tall", folder, 200, 30, seed=1), True)]
    for (data, may_miss), quantile, intercept in product(sets, (0.25, 0.5, 0.9), (True, False)):
        yield Case(replace(data, loss="quantile"), "ridge", intercept, False, 1e-6, quantile=quantile, may_miss=may_miss)


def fit_quantreg(cases, folder):
    table, result = folder / "cases.csv", folder / "coefficients.csv"
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file", "tau", "intercept"])
        writer.writerows([case.data.path, case.quantile, case.intercept] for case in cases)
    subprocess.run(["Rscript", Path(__file__).with_name("quantreg.R"), table, result], check=True)
    with open(result, newline="") as file:
        for case, row in zip(cases, csv.reader(file), strict=True):
            values = numpy.array([float(value) for value in row])
            yield case, (values[0], values[1:])


def difference(case, ours, theirs):
    (intercept, coefficients), (their_intercept, their_coefficients) = ours, theirs
    if case.data.loss == "multinomial":  # a number added to all intercepts changes nothing
        intercept, their_intercept = intercept - intercept.mean(), their_intercept - their_intercept.mean()
    largest = numpy.abs(their_coefficients).max()
    moved = numpy.abs(their_coefficients.T * case.data.X.mean(axis=0)).max()
    return max(numpy.abs(coefficients - their_coefficients).max() / largest,
               numpy.abs(intercept - their_intercept).max() / max(moved, numpy.abs(their_intercept).max(), largest))


def pairs(options, folder):
    """Every case with the other package's intercept and coefficients."""
    if options.studies:
        yield from fit_glmnet(list(study_cases(folder)), folder)
        return
    if options.peer == "quantreg":
        yield from fit_quantreg(list(quantile_cases(options.examples, folder)), folder)
        return
    cases = list(squared_cases(options.examples, folder))
    if options.peer == "glmnet":
        yield from fit_glmnet(cases, folder)
    else:
        yield from fit_sklearn(cases)
        diabetes = read("diabetes", options.examples / "diabetes.csv")
        yield from fit_sklearn_huber(replace(diabetes, loss="huber"))


def what_is_missing(options):
    if options.peer == "scikit-learn":
        return None if importlib.util.find_spec("sklearn") else "scikit-learn is not installed"
    if not shutil.which("Rscript") or subprocess.run(
            ["Rscript", "-e", f"library({options.peer})"], capture_output=True).returncode != 0:
        return f"R with {options.peer} is not installed"
    if options.studies and not data_folder().is_dir():
        return f"there is no folder {data_folder()}; ALO_DATA names another"
    return None


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=["glmnet", "scikit-learn", "quantreg"])
    parser.add_argument("--studies", action="store_true")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--command", type=Path, required=True)
    options = parser.parse_args()
    if options.studies and options.peer != "glmnet":
        parser.error("--studies are compared with glmnet")
    return options


def main():
    options = parse_options()
    missing = what_is_missing(options)
    if missing:
        print(f"skipped: {missing}")
        return SKIPPED
    worst, count, faults = {}, 0, 0
    with tempfile.TemporaryDirectory() as name:
        for case, theirs in pairs(options, Path(name)):
            distance = difference(case, fit_alo(options.command, case), theirs)
            worst[case.data.loss] = max(worst.get(case.data.loss, 0.0), distance)
            count += 1
            if not distance <= case.tolerance:
                faults += 1
                print(f"{distance:.2e}  {case}")
    largest = ", ".join(f"{loss} {distance:.2e}" for loss, distance in worst.items())
    print(f"{options.peer}: {count} fits, largest difference {largest}; {faults} above the tolerance")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
