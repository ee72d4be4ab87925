# SPDX-License-Identifier: MIT
"""What a tuned model is, and how far it can be relied on."""

from __future__ import annotations

import json
import os
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _core, _html
from ._model import Model
from ._values import KINDS, Check, Choice, Rows, Verdict

def _as_rows(values: dict[str, Any] | None) -> Rows | None:
    if values is None:
        return None
    optional = {name: values.get(name) for name in ("exact", "exact_low", "exact_high")}
    return Rows(**{**values, **optional, "flags": np.array(values["flags"], dtype=object)})


def _scalar(values: np.ndarray) -> Any:
    return float(values[0]) if values.shape[0] == 1 else values


class Result:
    """A tuned model: the path, the risk, the choice and its verdict. Arrays of rows and of the chosen coefficients are
    views of the result, not copies.

    Examples
    --------
    >>> import alo
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> result = alo.tune(X, y)
    >>> result
    <alo.Result: lasso with squared loss, 442 rows x 10 columns
      lambda = 32.531 (min), mse 2993.9 +- 187 by exact leave-one-out; 9 of 10 coefficients are not zero
      The choice can be relied on.>
    >>> result.coef_.round()
    array([  -7., -236.,  522.,  321., -573.,  306.,    0.,  142.,  672.,
             67.])
    """

    def __init__(self, run: _core.Run, title: str = ""):
        self._run: Any = run
        self._title = title

    # What is in the extension, once it is asked for.

    def _live(self) -> Any:
        if self._run is None:
            raise RuntimeError("this result was unpickled, and its data were left behind: tune again, or write the "
                               "report before pickling")
        return self._run

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self._live().facts()

    @cached_property
    def _path(self) -> dict[str, Any]:
        return self._live().path()

    @cached_property
    def _coefficients(self) -> np.ndarray:
        values = self._live().stacked(False).T
        outputs = self._facts["outputs"]
        return values if outputs == 1 else values.reshape(values.shape[0], outputs, -1)

    @cached_property
    def _intercepts(self) -> np.ndarray:
        values = self._live().stacked(True).T
        return values[:, 0] if self._facts["outputs"] == 1 else values

    @cached_property
    def _risks(self) -> dict[str, dict[str, np.ndarray]]:
        risks = {}
        for place, name in enumerate(self._facts["metrics"]):
            risks[name] = self._live().risk(place)
            risks[name]["kind"] = np.array(risks[name]["kind"], dtype=object)
        return risks

    @cached_property
    def _choices(self) -> dict[str, Choice | None]:
        return {which: self._choice(which) for which in ("min", "one_se", "chosen")}

    def _choice(self, which: str) -> Choice | None:
        values = self._live().selected(which)
        if values is None:
            return None
        names = [item.name for item in fields(Choice) if item.name in values]
        coefficients = values["coefficients"]
        return Choice(**{name: values[name] for name in names if name not in ("rows", "intercept")},
                      lambda_=values["lambda"], intercept=_scalar(values["intercept"]),
                      coef=coefficients if coefficients.ndim == 1 else coefficients.T,
                      rows=_as_rows(values.get("rows")))

    @cached_property
    def check(self) -> Check | None:
        """The check of ``alo.check``; None where none was asked."""
        values = self._live().check()
        if values is None:
            return None
        values["lambda_"], values["rows"] = values.pop("lambda"), np.asarray(values["rows"])
        return Check(**values)

    @cached_property
    def outer(self) -> dict[str, Any] | None:
        """The error of the whole procedure, tuning included, by outer folds; None where none were asked."""
        return self._live().outer()

    @cached_property
    def _model_text(self) -> str:
        return self._live().model_json()

    @cached_property
    def _json_text(self) -> str:
        return self._live().json(self._title)

    def __getstate__(self) -> dict[str, Any]:
        parts = ("_facts", "_path", "_coefficients", "_intercepts", "_risks", "_choices", "check", "outer", "_json_text")
        state = {name: getattr(self, name) for name in parts}
        if self._choices["chosen"] is not None:
            state["_model_text"] = self._model_text
        return {**state, "_run": None, "_title": self._title}

    # The path.

    @property
    def lambdas(self) -> np.ndarray:
        """Falling; lambda multiplies the penalty beside the sum of losses (not their mean)."""
        return self._path["lambda"]

    @property
    def coefs(self) -> np.ndarray:
        """A row of coefficients for each lambda, on the scale of the data; of several classes lambda x class x column."""
        return self._coefficients

    @property
    def intercepts(self) -> np.ndarray:
        return self._intercepts

    @property
    def df(self) -> np.ndarray:
        """Degrees of freedom: the sum of the leverages, intercept included."""
        return self._path["df"]

    @property
    def nonzero(self) -> np.ndarray:
        return self._path["nonzero"].astype(int)

    @property
    def max_leverage(self) -> np.ndarray:
        return self._path["max_leverage"]

    @property
    def gap(self) -> np.ndarray:
        """The duality gap of each fit over the null deviance: how far it can be from optimal. NaN: no bound is known."""
        return self._path["gap"]

    @property
    def kkt(self) -> np.ndarray:
        return self._path["kkt"]

    @property
    def metrics(self) -> list[str]:
        """The first one chooses."""
        return self._facts["metrics"]

    def risk(self, metric: str | None = None) -> dict[str, np.ndarray]:
        """The risk along the path, by way of holding rows out: ``estimate`` (the best that is known of exact
        leave-one-out, which chooses), ``alo``, and where computed ``exact`` and ``kfold``; each with ``_se`` and
        ``_undefined`` (rows without a prediction); ``kind`` and ``error`` of the estimate."""
        metric = self.metrics[0] if metric is None else metric
        if metric not in self._risks:
            raise ValueError(f"metric={metric!r} was not computed; these were: {', '.join(self.metrics)}")
        return self._risks[metric]

    def rows_at(self, index: int) -> Rows | None:
        """Values of every row at a lambda of the path; None unless ``predictions=True`` kept them."""
        return _as_rows(self._live().rows_at(index))

    # The choice.

    @property
    def min(self) -> Choice | None:
        """The lambda of the best risk; None where no risk is defined."""
        return self._choices["min"]

    @property
    def one_se(self) -> Choice | None:
        """The largest lambda whose risk is within one standard error of the best."""
        return self._choices["one_se"]

    @property
    def chosen(self) -> Choice:
        """That of the two that the rule says."""
        choice = self._choices["chosen"]
        if choice is None:
            raise ValueError("no lambda could be chosen: the risk is undefined at every lambda. " + str(self.verdict))
        return choice

    @property
    def lambda_(self) -> float:
        return self.chosen.lambda_

    @property
    def coef_(self) -> np.ndarray:
        """Coefficients at the chosen lambda, on the scale of the data."""
        return self.chosen.coef

    @property
    def intercept_(self) -> Any:
        return self.chosen.intercept

    @property
    def loo_risk(self) -> float | None:
        """The risk at the chosen lambda: that of the best of many, so a little too small (``outer=`` is not)."""
        return self.chosen.risk

    @property
    def loo_se(self) -> float | None:
        return self.chosen.se

    @property
    def leverage(self) -> np.ndarray:
        """The share of each row's own response in its fit, at the chosen lambda."""
        return self._rows.leverage

    @property
    def _rows(self) -> Rows:
        rows = self.chosen.rows
        if rows is None:
            raise ValueError("there are no values of rows")
        return rows

    @property
    def rows(self) -> Rows:
        """Values of every row at the chosen lambda."""
        return self._rows

    def loo_predictions(self, type: str = "response") -> np.ndarray:
        """The prediction of each row by the fit without it, at the chosen lambda: the mean of the response or the
        probability of the class that is +1, of several classes a column for each; "link" is the linear predictor."""
        link = self._rows.held_out
        if type == "link":
            return link
        if type != "response":
            raise ValueError(f"type={type!r}; it is response or link")
        values = self._live().mean(np.ascontiguousarray(link.ravel(order="F")))
        return values[:, 0] if values.shape[1] == 1 else values

    @property
    def verdict(self) -> Verdict:
        return Verdict(self._facts["reliable"], self._facts["reasons"])

    @property
    def notes(self) -> list[str]:
        """What was chosen for the user, and done to the data."""
        return self._facts["notes"]

    @property
    def warnings(self) -> list[str]:
        return self._facts["warnings"]

    @property
    def complete(self) -> bool:
        """False when a time limit ended it: what was finished is there."""
        return self._facts["complete"]

    @property
    def feature_names(self) -> list[str]:
        return self._facts["names"]

    @property
    def classes(self) -> list[str]:
        return self._facts["classes"]

    # What is made of it.

    @property
    def model(self) -> Model:
        """The chosen model without the data."""
        return Model(self._model_text)

    def predict(self, X: Any, type: str = "response", at: str | None = None, offset: Any = None) -> np.ndarray:
        """Predictions for new rows: see ``Model.predict``."""
        return self.model.predict(X, type, at, offset)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``model.json``; ``alo.load`` and the command read it."""
        self.model.save(path)

    def report(self, folder: str | os.PathLike[str], title: str = "") -> Path:
        """Writes the report into a folder: a page that works offline, tables, pictures, ``model.json``. Returns the path
        of the page."""
        self._live().write_report(os.fspath(folder), title or self._title)
        return Path(folder) / "report.html"

    def to_json(self) -> dict[str, Any]:
        """The result as the command writes it (``alo-result/1``)."""
        return json.loads(self._json_text)

    def to_frame(self, metric: str | None = None) -> Any:
        """A pandas DataFrame with a row for each lambda."""
        import pandas

        risk = self.risk(metric)
        columns = {name: risk[name] for name in risk if not name.endswith("_undefined")}
        return pandas.DataFrame({"lambda": self.lambdas, "df": self.df, "nonzero": self.nonzero,
                                 "max_leverage": self.max_leverage, "gap": self.gap, **columns})

    def plot(self, what: str = "risk", ax: Any = None) -> Any:
        """Draws with matplotlib: "risk", "paths" (coefficients) or "leverage". Returns the axes."""
        from . import _plots

        return _plots.draw(self, what, ax)

    def __str__(self) -> str:
        return self._live().table() if self._run is not None else repr(self)

    @property
    def _headline(self) -> str:
        facts = self._facts
        return (f"{facts['penalty']} with {facts['loss']} loss, {facts['rows']} rows x "
                f"{facts['columns']} {'features of the kernel' if facts['has_kernel'] else 'columns'}")

    @property
    def _choice_line(self) -> str:
        choice = self._choices["chosen"]
        if choice is None:
            return "no lambda could be chosen"
        se = "" if choice.se is None else f" +- {choice.se:.3g}"
        terms = "" if self._facts["has_kernel"] else f"; {choice.nonzero} of {choice.coef.size} coefficients are not zero"
        return (f"lambda = {choice.lambda_:.6g} ({self._facts['rule']}), {self.metrics[0]} {choice.risk:.5g}{se} by "
                f"{KINDS[choice.kind]}{terms}")

    def __repr__(self) -> str:
        return f"<alo.Result: {self._headline}\n  {self._choice_line}\n  {self.verdict}>"

    def _repr_html_(self) -> str:
        return _html.verdict_box(self._headline, self._choice_line, self.verdict)
