# SPDX-License-Identifier: MIT
"""Data that several tests use."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes


@pytest.fixture(scope="session")
def diabetes():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return X * 10, y


@pytest.fixture(scope="session")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.fixture
def rng():
    return np.random.default_rng(7)
