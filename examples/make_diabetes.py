#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes diabetes.csv and diabetes_quadratic.csv beside this file.

The data are the copy in scikit-learn (Debian's python3-sklearn, 1.2 or newer for the raw values).

diabetes.csv            442 rows, 10 columns in their units of measurement, and the target.
diabetes_quadratic.csv  the 64 columns of Efron et al. (2004): 10 main effects, 45 interactions and 9 squares
                        (sex has two values, so its square says nothing new). As in their paper the columns are
                        standardised: the main effects to mean 0 and length 1, then products of those, again
                        to mean 0 and length 1. Numbers are written with the fewest digits that read back the same.
"""

import csv
from itertools import combinations
from pathlib import Path

import numpy
from sklearn.datasets import load_diabetes

FOLDER = Path(__file__).resolve().parent


def number(value):
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)


def write(name, columns, names, target):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, "target"])
        for row, response in zip(columns, target):
            writer.writerow([number(value) for value in (*row, response)])


def standardized(column):
    centered = column - column.mean()
    return centered / numpy.sqrt((centered**2).sum())


def main():
    study = load_diabetes(scaled=False)
    names = list(study.feature_names)
    write("diabetes.csv", study.data, names, study.target)

    effects = {name: standardized(column) for name, column in zip(names, study.data.T)}
    columns = dict(effects)
    for name in names:
        if name != "sex":
            columns[f"{name}^2"] = standardized(effects[name] ** 2)
    for first, second in combinations(names, 2):
        columns[f"{first}:{second}"] = standardized(effects[first] * effects[second])
    write("diabetes_quadratic.csv", numpy.column_stack(list(columns.values())), list(columns), study.target)


if __name__ == "__main__":
    main()
