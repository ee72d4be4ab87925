# SPDX-License-Identifier: MIT
"""The tables and pictures of the nuclear norm in docs/accuracy.md: a simulation after Wang, Zhou, Lu, Maleki and Mirrokni
(2018). parts(run, images) takes run(arguments), which gives the JSON of `alo tune`."""

import shutil
import sys
import tempfile
from pathlib import Path

import numpy

SHAPE, SIZES, SEED = (20, 20), (600, 200), 1
LAMBDAS = numpy.geomspace(50, 0.5, 30)
SHOWN = 8  # lines of each size, beside the chosen lambdas
CURVES = ["rows", "λ", "rank", "largest leverage", "in sample", "ALO", "exact", "mean distance of their predictions",
          "largest", "mean distance of exact and fitted"]
CHOICES = ["rows", "λ chosen by ALO", "by exact", "ALO's risk at its choice", "exact there", "smallest exact",
           "standard error of it", "largest distance of the curves"]
AGREEMENT = 1e-6  # of a prediction between the refits of the command and a fit of a file without the row
CHECKED = 5  # rows


def simulate(rows):
    """X is standard normal, the coefficients are a b' with standard normal a and b, the noise has variance 0.25."""
    random = numpy.random.default_rng(SEED)
    X = random.standard_normal((rows, SHAPE[0] * SHAPE[1]))
    coefficients = numpy.outer(*(random.standard_normal(size) for size in SHAPE))
    return X, X @ coefficients.ravel() + 0.5 * random.standard_normal(rows)


def tune(run, folder, X, y, arguments):
    numpy.save(folder / "X.npy", X)
    numpy.save(folder / "y.npy", y)
    grid = ",".join(repr(float(value)) for value in LAMBDAS)
    return run([folder / "X.npy", "--response", folder / "y.npy", "--penalty", "nuclear", "--shape",
                f"{SHAPE[0]}x{SHAPE[1]}", "--no-intercept", "--choose", "alo", "--lambda", grid, *arguments])


def simulated(run, rows, picture):
    """The result with exact leave-one-out of every row, which must be the fits of files without the row."""
    X, y = simulate(rows)
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result = tune(run, folder, X, y, ["--exact", "--predictions", "--all-coefficients", "--out", folder / "out"])
        shutil.copy(folder / "out" / "risk.svg", picture)
        for row in range(0, rows, rows // CHECKED):
            without = tune(run, folder, numpy.delete(X, row, axis=0), numpy.delete(y, row), ["--all-coefficients"])
            for point, refit in zip(result["path"], without["path"], strict=True):
                worst = max(worst, abs(X[row] @ refit["coefficients"] - point["predictions"]["exact"][row]))
    print(f"{rows} rows: exact leave-one-out is {worst:.1e} from fits without the row", file=sys.stderr, flush=True)
    if worst > AGREEMENT:
        raise SystemExit(f"{rows} rows: more than {AGREEMENT:g} apart")
    return result, y


def curve(path, method):
    return numpy.array([point["risk"]["mse"][method]["mean"] for point in path], float)


def curve_lines(rows, path, y, chosen):
    shown = set(numpy.linspace(0, len(path) - 1, SHOWN).round().astype(int)) | set(chosen.values())
    for k in sorted(shown):
        point = path[k]
        fitted, alo, exact = (numpy.array(point["predictions"][name], float) for name in ("fitted", "alo", "exact"))
        distance = numpy.abs(alo - exact)
        values = numpy.linalg.svd(numpy.reshape(point["coefficients"], SHAPE), compute_uv=False)
        rank = numpy.count_nonzero(values > 1e-9 * values[0])
        risks = [f"{point['risk']['mse'][method]['mean']:.4f}" + (" ←" if chosen[method] == k else "")
                 for method in chosen]
        yield [str(rows), f"{point['lambda']:.4g}", str(rank), f"{max(point['predictions']['leverage']):.2f}",
               f"{numpy.mean((fitted - y) ** 2):.4f}", *risks, f"{distance.mean():.4f}", f"{distance.max():.3f}",
               f"{numpy.abs(exact - fitted).mean():.3f}"]


def choice_line(rows, path, chosen):
    alo, exact = curve(path, "alo"), curve(path, "exact")
    ours, theirs = chosen["alo"], chosen["exact"]
    return [str(rows), f"{path[ours]['lambda']:.4g}", f"{path[theirs]['lambda']:.4g}", f"{alo[ours]:.4f}",
            f"{exact[ours]:.4f}", f"{exact[theirs]:.4f}", f"{path[theirs]['risk']['mse']['exact']['se']:.4f}",
            f"{numpy.abs(alo / exact - 1).max():.1%}"]


def parts(run, images):
    """The lines of the choices, and of the curves."""
    choices, curves = [], []
    for rows in SIZES:
        result, y = simulated(run, rows, images / f"nuclear_{rows}.svg")
        chosen = {method: int(numpy.argmin(curve(result["path"], method))) for method in ("alo", "exact")}
        choices.append(choice_line(rows, result["path"], chosen))
        curves += curve_lines(rows, result["path"], y, chosen)
    return choices, curves
