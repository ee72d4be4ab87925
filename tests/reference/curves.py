# SPDX-License-Identifier: MIT
"""The kept exact leave-one-out curves: one small file for each problem, curves/NAME.csv, with the columns lambda, mean
and se. An empty cell is a lambda at which a row has no exact held-out prediction."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "curves"


def path_of(name):
    return FOLDER / f"{name.replace(chr(39), '').replace(' ', '-')}.csv"


def read(name):
    """(lambda, mean, se) by falling lambda."""
    curve = []
    for line in path_of(name).read_text().splitlines()[1:]:
        value, mean, se = line.split(",")
        curve.append((float(value), float(mean) if mean else None, float(se) if se else None))
    return curve


def write(name, curve):
    def cell(value, digits):
        return "" if value is None else f"{value:.{digits}g}"

    FOLDER.mkdir(exist_ok=True)
    lines = [f"{value!r},{cell(mean, 8)},{cell(se, 4)}" for value, mean, se in sorted(curve, reverse=True)]
    path_of(name).write_text("\n".join(["lambda,mean,se", *lines]) + "\n")


def best(curve):
    """(lambda, mean, se) of the smallest mean; of equal ones the largest lambda."""
    return min((point for point in curve if point[1] is not None), key=lambda point: (point[1], -point[0]))
