# SPDX-License-Identifier: MIT
"""The tables of support vector machines in docs/accuracy.md: a simulation after Wang, Zhou, Lu, Maleki and Mirrokni
(2018), and handwritten digits. Each function takes run(arguments), which gives the JSON of `alo tune`."""

import sys
import tempfile
from pathlib import Path

import numpy

MODEL = ["--loss", "hinge", "--penalty", "ridge", "--metric", "misclassification,hinge"]
METHODS = ("alo", "exact")
METRICS = {"misclassification": "misclassified", "hinge": "hinge"}
ROWS, COLUMNS, SEED = 300, (80, 600), 1
SIMULATED = ["rows × columns", "log λ", "values of λ", "rows at the margin", "risk",
             "mean distance of ALO and exact", "largest", "log λ chosen by ALO", "by exact",
             "exact risk at ALO's choice", "at exact's"]
EXACT = 1e-10  # two hinge risks that differ by rounding only
DIGITS = "mnist49/mnist_t10k_4v9.csv.gz"
DIGIT_LAMBDAS = numpy.geomspace(5e4, 5, 20)
DIGIT = ["λ", "rows at the margin", "misclassified ALO", "exact", "hinge ALO", "exact", "mean distance of their η",
         "largest"]
AGREEMENT = 1e-6  # of a linear predictor between the walk without a row and a fit of a file without it


def joined(values):
    return ",".join(repr(float(value)) for value in values)


def simulate(columns):
    """X and beta / 3 are standard normal, labels logistic."""
    random = numpy.random.default_rng(SEED)
    X = random.standard_normal((ROWS, columns))
    predictor = X @ (3 * random.standard_normal(columns))
    return X, numpy.where(random.uniform(size=ROWS) < 1 / (1 + numpy.exp(-predictor)), 1.0, -1.0)


def tune(run, folder, X, y, arguments):
    numpy.save(folder / "X.npy", X)
    numpy.save(folder / "y.npy", y)
    result = run([folder / "X.npy", "--response", folder / "y.npy", *MODEL, "--no-intercept", "--no-standardize",
                  "--choose", "alo", "--lambda", joined(numpy.exp(numpy.linspace(12, 4, 40))), *arguments])
    return result["path"]


def simulated_path(run, columns):
    """The path with exact leave-one-out, which must be the fits of files without the row."""
    X, y = simulate(columns)
    with tempfile.TemporaryDirectory() as name:
        path = tune(run, Path(name), X, y, ["--exact", "--predictions"])
        worst = 0.0
        for row in range(ROWS):
            without = tune(run, Path(name), numpy.delete(X, row, axis=0), numpy.delete(y, row), ["--all-coefficients"])
            for point, refit in zip(path, without, strict=True):
                worst = max(worst, abs(X[row] @ refit["coefficients"] - point["predictions"]["exact"][row]))
    size = f"{ROWS} x {columns}"
    print(f"{size}: exact leave-one-out is {worst:.1e} from fits without the row", file=sys.stderr, flush=True)
    if worst > AGREEMENT:
        raise SystemExit(f"{size}: more than {AGREEMENT:g} apart")
    return path


def curve(path, metric, method):
    return numpy.array([point["risk"][metric][method]["mean"] for point in path], float)


def best(risks):
    """The first, hence largest lambda; beyond some lambda nothing but rounding may change."""
    return int(numpy.argmax(risks <= risks.min() + EXACT))


def part_lines(columns, path, first, last):
    """One line for each metric of the points first..last-1; choices are those of the whole path."""
    logs = numpy.log([point["lambda"] for point in path])
    most = max(int(point["df"]) for point in path[first:last])
    least = min(int(point["df"]) for point in path[first:last])
    form = ".1g" if first == 0 else ".4f"
    for metric, name in METRICS.items():
        alo, exact = curve(path, metric, "alo"), curve(path, metric, "exact")
        difference = numpy.abs(alo - exact)[first:last]
        choices = [""] * 4
        if last == len(path):
            ours, theirs = best(alo), best(exact)
            choices = [f"{logs[ours]:.2f}", f"{logs[theirs]:.2f}", f"{exact[ours]:.4f}", f"{exact[theirs]:.4f}"]
        yield [f"{ROWS} × {columns}", f"{logs[first]:.2f} to {logs[last - 1]:.2f}", str(last - first),
               f"{least} to {most}" if most else "0", name, f"{difference.mean():{form}}",
               f"{difference.max():{form}}", *choices]


def simulated_lines(run):
    for columns in COLUMNS:
        path = simulated_path(run, columns)
        apart = numpy.abs(curve(path, "hinge", "alo") - curve(path, "hinge", "exact")) > EXACT
        start = int(numpy.argmax(apart))
        yield from part_lines(columns, path, 0, start)
        yield from part_lines(columns, path, start, len(path))


def digit_lines(run, file):
    """The lines, and the timing of the command."""
    result = run([file, "--target", "y", *MODEL, "--exact", "--predictions", "--choose", "alo",
                  "--lambda", joined(DIGIT_LAMBDAS)])
    path, lines = result["path"], []
    chosen = {(metric, method): best(curve(path, metric, method)) for metric in METRICS for method in METHODS}
    for k, point in enumerate(path):
        rows = point["predictions"]
        difference = numpy.abs(numpy.subtract(rows["alo"], rows["exact"]))
        risks = [f"{point['risk'][metric][method]['mean']:.4f}" + (" ←" if chosen[metric, method] == k else "")
                 for metric in METRICS for method in METHODS]
        lines.append([f"{point['lambda']:.4g}", str(int(point["df"])), *risks, f"{difference.mean():.4f}",
                      f"{difference.max():.2f}"])
    return lines, result["timing"]
