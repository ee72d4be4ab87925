# SPDX-License-Identifier: MIT
"""check_diabetes.py FOLDER: shapes, sums and standardisation of the diabetes data, rebuilt here from
diabetes.csv without the script that wrote them. Sums of the raw columns are those of the published table."""

import csv
import math
import sys
from itertools import combinations
from pathlib import Path

SUMS = {"age": 21445, "sex": 649, "bmi": 11658.1, "bp": 41833.98, "target": 67243}


def read(path):
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    columns = list(zip(*[[float(field) for field in row] for row in rows]))
    return dict(zip(names, columns)), len(rows)


def standardized(column):
    mean = math.fsum(column) / len(column)
    centered = [value - mean for value in column]
    length = math.sqrt(math.fsum(value * value for value in centered))
    return [value / length for value in centered]


def product(first, second):
    return standardized([a * b for a, b in zip(first, second)])


def main(folder):
    raw, rows = read(folder / "diabetes.csv")
    assert rows == 442 and len(raw) == 11, (rows, len(raw))
    for name, total in SUMS.items():
        assert math.isclose(math.fsum(raw[name]), total, rel_tol=1e-12), (name, math.fsum(raw[name]))

    main_effects = [name for name in raw if name != "target"]
    effects = {name: standardized(raw[name]) for name in main_effects}
    expected = dict(effects)
    expected |= {f"{name}^2": product(effects[name], effects[name]) for name in main_effects if name != "sex"}
    expected |= {f"{a}:{b}": product(effects[a], effects[b]) for a, b in combinations(main_effects, 2)}
    expected["target"] = raw["target"]

    quadratic, rows = read(folder / "diabetes_quadratic.csv")
    assert rows == 442 and len(quadratic) == 65, (rows, len(quadratic))
    assert list(quadratic) == list(expected), list(quadratic)
    for name, column in expected.items():
        worst = max(abs(a - b) for a, b in zip(quadratic[name], column))
        assert worst < 1e-13, (name, worst)


main(Path(sys.argv[1]))
