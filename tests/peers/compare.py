# SPDX-License-Identifier: MIT
"""compare.py glmnet|scikit-learn --examples FOLDER --command ALO

Fits ridge, lasso and elastic net with `alo fit` and with the other package on the diabetes study and on two
simulated sets (more rows than columns, and fewer), with and without intercept and standardisation, at three
lambdas each, and compares intercept and coefficients on the original scale. glmnet is run with thresh = 1e-14, and with
1e-20 at the smallest lambda, where its own stopping rule would otherwise leave errors above 1e-6.

Agreement means: the largest difference is at most 1e-6 times the largest coefficient. The intercept, which carries
the offsets of all columns, may differ by 1e-6 times the largest of itself and every |coefficient * column mean|.
The conversions of lambda are those of docs/lambda.md.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy

TOLERANCE = 1e-6
MIX = {"ridge": 0.0, "lasso": 1.0, "elastic-net": 0.3}


@dataclass
class Data:
    name: str
    path: Path
    X: numpy.ndarray
    y: numpy.ndarray


@dataclass
class Case:
    data: Data
    penalty: str
    intercept: bool
    standardize: bool
    lam: float
    tight: bool  # glmnet needs more than thresh = 1e-14

    @property
    def mix(self):
        return MIX[self.penalty]

    def __str__(self):
        return (f"{self.data.name} {self.penalty} {'' if self.intercept else 'no '}intercept, "
                f"{'' if self.standardize else 'not '}standardised, lambda {self.lam:.6g}")


def read(name, path):
    table = numpy.loadtxt(path, delimiter=",", skiprows=1)
    return Data(name, path, table[:, :-1], table[:, -1])


def simulate(name, folder, rows, columns, seed):
    """Columns of unlike scales, each correlated with the next; a third of the coefficients not zero."""
    random = numpy.random.default_rng(seed)
    noise = random.standard_normal((rows, columns + 1))
    scale = 10.0 ** random.uniform(-1, 1, columns)
    X = (0.2 + noise[:, :-1] + 0.25 * noise[:, 1:]) * scale
    effects = numpy.where(numpy.arange(columns) % 3 == 0, random.standard_normal(columns), 0.0) / scale
    y = 1 + X @ effects + random.standard_normal(rows)
    path = folder / f"{name}.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j + 1}" for j in range(columns)] + ["y"])
        writer.writerows([repr(float(v)) for v in row] for row in numpy.column_stack([X, y]))
    return Data(name, path, X, y)


def column_scale(case):
    """What standardisation divides by: the standard deviation with divisor n, intercept or not."""
    return case.data.X.std(axis=0) if case.standardize else numpy.ones(case.data.X.shape[1])


def lambdas(data, intercept, standardize):
    """Shares of the lambda at which a lasso with these settings is empty; whether the share is small."""
    y = data.y - data.y.mean() if intercept else data.y
    X = data.X - data.X.mean(axis=0) if intercept else data.X
    scale = data.X.std(axis=0) if standardize else 1.0
    largest = numpy.abs((X / scale).T @ y).max()
    return [(largest * share, share < 0.1) for share in (0.7, 0.3, 0.02)]


def fit_alo(command, case):
    line = [str(command), "fit", str(case.data.path), "--lambda", repr(float(case.lam)), "--penalty", case.penalty,
            "--json", "-", "--quiet", "--intercept" if case.intercept else "--no-intercept",
            "--standardize" if case.standardize else "--no-standardize"]
    if case.penalty == "elastic-net":
        line += ["--mix", repr(case.mix)]
    result = subprocess.run(line, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(line)}\nended with {result.returncode}\n{result.stderr}")
    point, = json.loads(result.stdout)["path"]
    return point["intercept"], numpy.array(point["coefficients"])


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
        yield float(model.intercept_), model.coef_.ravel() / scale


# glmnet: |r|^2 / (2n) + lambda (alpha |b|_1 + (1 - alpha) |b|^2 / (2 sd(y))), where sd(y) has divisor n and is
# taken about zero when there is no intercept.
def glmnet_lambda(case):
    y = case.data.y
    sd = y.std() if case.intercept else numpy.sqrt((y**2).mean())
    weight = case.mix + (1 - case.mix) * sd
    return case.lam / len(y) * weight, case.mix / weight


def fit_glmnet(cases, folder):
    table, result = folder / "cases.csv", folder / "coefficients.csv"
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file", "lambda", "alpha", "intercept", "standardize", "thresh"])
        for case in cases:
            lam, alpha = glmnet_lambda(case)
            writer.writerow([case.data.path, repr(float(lam)), repr(float(alpha)), case.intercept, case.standardize,
                             1e-20 if case.tight else 1e-14])
    subprocess.run(["Rscript", Path(__file__).with_name("glmnet.R"), table, result], check=True)
    with open(result, newline="") as file:
        for row in csv.reader(file):
            yield float(row[0]), numpy.array([float(value) for value in row[1:]])


def difference(case, ours, theirs):
    (intercept, coefficients), (their_intercept, their_coefficients) = ours, theirs
    largest = numpy.abs(their_coefficients).max()
    moved = numpy.abs(their_coefficients * case.data.X.mean(axis=0)).max()
    return max(numpy.abs(coefficients - their_coefficients).max() / largest,
               abs(intercept - their_intercept) / max(moved, abs(their_intercept), largest))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=["glmnet", "scikit-learn"])
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--command", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sets = [read("diabetes", options.examples / "diabetes.csv"), simulate("tall", folder, 200, 30, seed=1),
                simulate("wide", folder, 60, 100, seed=2)]
        cases = [Case(data, *setting, *level) for data in sets
                 for setting in product(MIX, (True, False), (True, False)) for level in lambdas(data, *setting[1:])]
        fits = fit_sklearn(cases) if options.peer == "scikit-learn" else fit_glmnet(cases, folder)
        worst, faults = 0.0, 0
        for case, theirs in zip(cases, fits, strict=True):
            distance = difference(case, fit_alo(options.command, case), theirs)
            worst = max(worst, distance)
            if not distance <= TOLERANCE:
                faults += 1
                print(f"{distance:.2e}  {case}")
    print(f"{options.peer}: {len(cases)} fits, largest difference {worst:.2e}, {faults} above {TOLERANCE:g}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
