# SPDX-License-Identifier: MIT
"""Leave-one-out for penalised models, from one fit: tuning, scikit-learn estimators, and the score of the model you have.

Examples
--------
>>> import alo
>>> from sklearn.datasets import load_diabetes
>>> X, y = load_diabetes(return_X_y=True)
>>> round(alo.tune(X, y).lambda_, 2)
32.53
>>> alo.LassoALO().fit(X, y).verdict_.reliable
True
"""

import atexit as _atexit
from importlib.metadata import version as _version

from . import conversions
from ._core import losses, metrics, penalties
from ._core import wait_for_interrupted_runs as _wait
from ._estimators import ALOClassifier, ALORegressor
from ._fitted import FittedResult, leave_one_out
from ._model import Model, load
from ._named import (ElasticNetALO, FusedLassoALO, GroupLassoALO, HuberALO, LassoALO, LinearSVCALO, LogisticALO,
                     PoissonALO, QuantileALO, RidgeALO, SlopeALO, SVCALO, TrendFilter)
from ._result import Result
from ._tune import check, tune
from ._values import Check, Choice, Rows, Verdict

# Threads that Ctrl-C left behind must end before the library does.
_atexit.register(_wait)

__version__ = _version("alo")

__all__ = [
    "ALOClassifier", "ALORegressor", "Check", "Choice", "ElasticNetALO", "FittedResult", "FusedLassoALO",
    "GroupLassoALO", "HuberALO", "LassoALO", "LinearSVCALO", "LogisticALO", "Model", "PoissonALO", "QuantileALO",
    "Result", "RidgeALO", "Rows", "SVCALO", "SlopeALO", "TrendFilter", "Verdict", "__version__", "check", "conversions",
    "leave_one_out", "load", "losses", "metrics", "penalties", "tune",
]
