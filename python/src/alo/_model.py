# SPDX-License-Identifier: MIT
"""Models apart from the data that they were fitted to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import check_array

from . import _core
from ._input import as_column, as_design, check_options


class Model:
    """A tuned model, as ``model.json`` holds it: what the command writes, Python reads, and the other way.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = alo.tune(X, y, penalty="ridge").model
    >>> model.predict(X[:2]).round()
    array([205.,  69.])
    """

    def __init__(self, text: str, source: str = "the model"):
        self._text = text
        self._model: Any = _core.parse_model(text, source)

    def __getstate__(self) -> dict[str, str]:
        return {"text": self._text}

    def __setstate__(self, state: dict[str, str]) -> None:
        self.__init__(state["text"])  # type: ignore[misc]

    def __repr__(self) -> str:
        return (f"<alo.Model: {self._model.penalty} with {self._model.loss} loss, "
                f"lambda = {self.lambda_:.6g}, {len(self._model.column_names)} columns>")

    @property
    def loss(self) -> str:
        return self._model.loss

    @property
    def penalty(self) -> str:
        return self._model.penalty

    @property
    def classes(self) -> list[str]:
        """The labels of the classes; with two, that of -1 first."""
        return self._model.classes

    @property
    def feature_names(self) -> list[str]:
        return self._model.column_names

    @property
    def lambda_(self) -> float:
        return self._model.point()["lambda"]

    @property
    def coef_(self) -> np.ndarray:
        """One coefficient for each column; of several classes, a row for each. With a kernel, one for each row that
        the model keeps."""
        values = self._model.point()["coefficients"]
        return values[:, 0] if values.shape[1] == 1 else values.T

    @property
    def intercept_(self) -> Any:
        values = self._model.point()["intercept"]
        return float(values[0]) if values.shape[0] == 1 else values

    def predict(self, X: Any, type: str = "response", at: str | None = None, offset: Any = None) -> np.ndarray:
        """Predictions for new rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame with the columns of the model
        type : "response" (the mean, or the probability of each class), "link" (the linear predictor) or "class"
        at : "min" or "1se"; by default what the rule chose
        offset : array with a number for each row, added to the linear predictor
        """
        X = check_array(X, **check_options(X))
        values = self._model.predict(as_design(X), type, at or "", as_column(offset, "offset", X.shape[0]))
        if type == "class":
            return np.array(self.classes)[values[:, 0].astype(int)]
        return values[:, 0] if values.shape[1] == 1 else values

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``model.json``, which ``alo predict`` reads too."""
        Path(path).write_text(self._text)


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model that ``Model.save``, ``Result.save`` or the command wrote.

    Examples
    --------
    >>> import alo, tempfile, pathlib
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "model.json")
    >>> alo.tune(X, y, penalty="ridge").save(path)
    >>> alo.load(path)
    <alo.Model: ridge with squared loss, lambda = 1.94684, 10 columns>
    """
    path = Path(path)
    path = path / "model.json" if path.is_dir() else path
    return Model(path.read_text(), str(path))
