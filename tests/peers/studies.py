# SPDX-License-Identifier: MIT
"""The published studies on which losses other than the squared one are compared, as tables of numbers: heart disease in
South Africa (two classes), visits to the doctor in the RAND health insurance experiment (counts), handwritten digits
(ten classes). They are read from the folder ALO_DATA, or ../shared/data beside the repository.
"""

import gzip
import os
from pathlib import Path

import numpy


def data_folder():
    return Path(os.environ.get("ALO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def heart_disease(folder):
    present = {"Present": 1.0, "Absent": 0.0}
    table = numpy.loadtxt(folder / "saheart" / "SAheart.data", delimiter=",", skiprows=1,
                          converters={5: lambda word: present[word if isinstance(word, str) else word.decode()]})
    return table[:, 1:-1], table[:, -1]


def doctor_visits(folder):
    table = numpy.loadtxt(folder / "randhie" / "randhie.csv", delimiter=",", skiprows=1)
    return table[:, 1:], table[:, 0]


def digits(folder):
    with gzip.open(folder / "digits" / "digits.csv.gz", "rt") as file:
        table = numpy.loadtxt(file, delimiter=",")
    return table[:, :-1], table[:, -1]


# {loss: (name, reader, penalties, glmnet's thresh)}. Without squares a multinomial lasso has several solutions, so there
# is none here; and below 1e-16 glmnet does not come to an end on it.
PENALTIES = ("ridge", "lasso", "elastic-net")
STUDIES = {
    "logistic": ("heart disease", heart_disease, PENALTIES, 1e-20),
    "poisson": ("doctor visits", doctor_visits, PENALTIES, 1e-20),
    "multinomial": ("digits", digits, ("ridge", "elastic-net"), 1e-16),
}


def null_residuals(loss, y):
    """The response less the mean of the fit that has only intercepts; one column for each class."""
    outputs = (y[:, None] == numpy.unique(y)).astype(float) if loss == "multinomial" else y[:, None]
    return outputs - outputs.mean(axis=0)
