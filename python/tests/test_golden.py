# SPDX-License-Identifier: MIT
"""The same data give the same digits as the command."""

import json
import os
import subprocess

import numpy as np
import pytest

import alo

COMMAND = os.environ.get("ALO_COMMAND")
pytestmark = pytest.mark.skipif(not COMMAND, reason="ALO_COMMAND does not name the command")

CASES = {
    "lasso": ([], {}),
    "ridge": (["--penalty", "ridge"], {"penalty": "ridge"}),
    "elastic net": (["--penalty", "elastic-net", "--mix", "0.3", "--rule", "1se"],
                    {"penalty": "elastic-net", "mix": 0.3, "rule": "1se"}),
    "huber": (["--loss", "huber", "--metric", "mae,mse", "--folds", "4"],
              {"loss": "huber", "metric": ["mae", "mse"], "folds": 4}),
    "quantile": (["--loss", "quantile", "--quantile", "0.7", "--lambdas", "20"],
                 {"loss": "quantile", "quantile": 0.7, "n_lambdas": 20}),
    "kernel": (["--loss", "epsilon-insensitive", "--kernel", "rbf", "--lambdas", "8", "--epsilon", "5"],
               {"loss": "epsilon-insensitive", "kernel": "rbf", "n_lambdas": 8, "epsilon": 5}),
    "slope": (["--penalty", "slope", "--lambda", "300,100", "--no-intercept"],
              {"penalty": "slope", "lambdas": [300, 100], "intercept": False}),
    "fused lasso": (["--penalty", "fused-lasso", "--sparse", "0.5", "--standardize"],
                    {"penalty": "fused-lasso", "sparse": 0.5, "standardize": True}),
}


def of_command(folder, X, y, words):
    table = np.column_stack([X, y])
    np.savetxt(folder / "data.csv", table, delimiter=",", header=",".join([*X.columns, y.name]), comments="", fmt="%.17g")
    subprocess.run([COMMAND, "tune", folder / "data.csv", "--quiet", "--threads", "1", "--predictions", "--json",
                    folder / "result.json", "--out", folder / "report", *words], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / "result.json").read_text())


def without(document, *keys):
    return {key: value for key, value in document.items() if key not in keys}


@pytest.mark.parametrize("case", CASES)
def test_every_number_is_that_of_the_command(case, diabetes, tmp_path):
    X, y = diabetes
    words, settings = CASES[case]
    theirs = of_command(tmp_path, X, y, words)
    result = alo.tune(X, y, threads=1, predictions=True, **settings)
    ours = result.to_json()
    # The name of the file, times, and settings as each spells them in its sentences.
    apart = ("timing", "warnings", "verdict")
    ours["data"], theirs["data"] = (without(d["data"], "source", "notes") for d in (ours, theirs))
    assert without(ours, *apart) == without(theirs, *apart)
    assert ours["verdict"]["reliable"] == theirs["verdict"]["reliable"]
    if "kernel" not in settings:
        for point, coefficients in zip(theirs["path"], result.coefs):
            assert point["coefficients"] == coefficients.tolist()
    result.save(tmp_path / "model.json")
    assert (tmp_path / "model.json").read_text() == (tmp_path / "report/model.json").read_text()


def test_layouts_give_the_same_digits(diabetes):
    X, y = diabetes
    values = X.to_numpy()
    expected = alo.tune(np.asfortranarray(values), y.to_numpy(), threads=1).coef_
    wide = np.asfortranarray(np.vstack([values, values]))[: len(values)]
    assert not wide.flags.f_contiguous
    for layout in (X, np.ascontiguousarray(values), wide, np.repeat(values, 2, axis=1)[:, ::2]):
        assert alo.tune(layout, y, threads=1).coef_.tolist() == expected.tolist()


def test_words_as_classes(cancer, tmp_path):
    X, y = cancer
    labels = np.where(y == 1, "benign", "malignant")
    rows = [",".join(f"x{j + 1}" for j in range(5)) + ",y"]
    rows += [",".join(f"{value:.17g}" for value in row[:5]) + "," + label for row, label in zip(X, labels)]
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n")
    run = subprocess.run([COMMAND, "tune", tmp_path / "data.csv", "--quiet", "--threads", "1", "--json", "-"],
                         check=True, capture_output=True)
    theirs = json.loads(run.stdout)
    result = alo.tune(X[:, :5], labels, threads=1)
    assert result.classes == theirs["data"]["classes"] == ["benign", "malignant"]
    assert result.coef_.tolist() == theirs["selection"]["min"]["coefficients"]


def test_a_model_of_python_is_one_of_the_command(diabetes, tmp_path):
    X, y = diabetes
    X.assign(target=y).to_csv(tmp_path / "data.csv", index=False)
    result = alo.tune(X, y, loss="huber")
    result.save(tmp_path / "model.json")
    run = subprocess.run([COMMAND, "predict", tmp_path / "model.json", tmp_path / "data.csv"], check=True,
                         capture_output=True, text=True)
    theirs = [float(line) for line in run.stdout.splitlines()[1:]]
    np.testing.assert_allclose(result.predict(X), theirs, rtol=1e-13)
    assert alo.load(tmp_path / "model.json").lambda_ == result.lambda_


def test_options_of_the_command_are_parameters(tmp_path):
    """Neither front end has a setting that the other lacks, but for those of files and of the terminal."""
    import inspect
    import re

    helped = subprocess.run([COMMAND, "tune", "--help"], check=True, capture_output=True, text=True).stdout
    options = set(re.findall(r"^ +--([a-z0-9-]+)", helped, re.MULTILINE)) - {"help"}
    of_files = {"target", "response", "drop", "design", "left", "right", "format", "skip", "missing", "json", "out",
                "all-coefficients", "quiet", "no-color", "strict", "memory-limit"}
    other_names = {"lambda": "lambdas", "lambdas": "n_lambdas", "weights": "sample_weight"}
    expected = {other_names.get(name, name.replace("-", "_")) for name in options - of_files}
    assert of_files <= options
    assert set(inspect.signature(alo.tune).parameters) - {"X", "y"} == expected
