# SPDX-License-Identifier: MIT
"""The tables of the fused lasso in docs/accuracy.md: a simulation after Wang, Zhou, Lu, Maleki and Mirrokni (2018).
lines(run) takes run(arguments), which gives the JSON of `alo tune`."""

import sys
import tempfile
from pathlib import Path

import numpy

ROWS, JUMPS, SEED = 200, 20, 1
GRIDS = {100: numpy.geomspace(1e2, 1e-2, 40), 400: numpy.geomspace(10, 0.1, 30)}
SHOWN = 8  # lines of each size, beside the chosen lambdas
COLUMNS = ["rows × columns", "λ", "blocks", "largest leverage", "in sample", "ALO", "exact",
           "mean distance of their predictions", "largest", "rows certified"]
AGREEMENT = 1e-6  # of a prediction between the walk without a row and a fit of a file without it
CHECKED = 10  # rows


def simulate(columns):
    """Entries of X have variance 0.05, the coefficients are the cumulative sum of 20 standard normal jumps at random
    places, scaled to standard deviation one, the noise has variance 0.25."""
    random = numpy.random.default_rng(SEED)
    X = numpy.sqrt(0.05) * random.standard_normal((ROWS, columns))
    jumps = numpy.zeros(columns)
    jumps[random.choice(columns, JUMPS, replace=False)] = random.standard_normal(JUMPS)
    beta = numpy.cumsum(jumps)
    beta /= beta.std()
    return X, X @ beta + 0.5 * random.standard_normal(ROWS)


def tune(run, folder, X, y, lambdas, arguments):
    numpy.save(folder / "X.npy", X)
    numpy.save(folder / "y.npy", y)
    grid = ",".join(repr(float(value)) for value in lambdas)
    result = run([folder / "X.npy", "--response", folder / "y.npy", "--penalty", "fused-lasso", "--no-intercept",
                  "--choose", "alo", "--lambda", grid, *arguments])
    return result["path"]


def simulated_path(run, columns):
    """The path with exact leave-one-out, which must be the fits of files without the row."""
    X, y = simulate(columns)
    with tempfile.TemporaryDirectory() as name:
        path = tune(run, Path(name), X, y, GRIDS[columns], ["--exact", "--predictions", "--all-coefficients"])
        worst = 0.0
        for row in range(0, ROWS, ROWS // CHECKED):
            without = tune(run, Path(name), numpy.delete(X, row, axis=0), numpy.delete(y, row), GRIDS[columns],
                           ["--all-coefficients"])
            for point, refit in zip(path, without, strict=True):
                worst = max(worst, abs(X[row] @ refit["coefficients"] - point["predictions"]["exact"][row]))
    print(f"{ROWS} x {columns}: exact leave-one-out is {worst:.1e} from fits without the row", file=sys.stderr)
    if worst > AGREEMENT:
        raise SystemExit(f"{ROWS} x {columns}: more than {AGREEMENT:g} apart")
    return path, y


def lines(run):
    for columns in GRIDS:
        path, y = simulated_path(run, columns)
        risks = {method: numpy.array([numpy.nan if point["risk"]["mse"][method]["mean"] is None
                                      else point["risk"]["mse"][method]["mean"] for point in path])
                 for method in ("alo", "exact")}
        chosen = {method: int(numpy.nanargmin(values)) for method, values in risks.items()}
        shown = set(numpy.linspace(0, len(path) - 1, SHOWN).round().astype(int)) | set(chosen.values())
        for k in sorted(shown):
            point = path[k]
            rows = point["predictions"]
            fitted, alo, exact = (numpy.array(rows[name], float) for name in ("fitted", "alo", "exact"))
            distance = numpy.abs(alo - exact)
            cells = [f"{risks[method][k]:.4f}" + (" ←" if chosen[method] == k else "") for method in ("alo", "exact")]
            yield [f"{ROWS} × {columns}", f"{point['lambda']:.4g}",
                   str(1 + numpy.count_nonzero(numpy.diff(point["coefficients"]))), f"{max(rows['leverage']):.2f}",
                   f"{numpy.mean((fitted - y) ** 2):.4f}", *cells, f"{numpy.nanmean(distance):.4f}",
                   f"{numpy.nanmax(distance):.2f}", f"{rows['certified'].count(True)} of {ROWS}"]
