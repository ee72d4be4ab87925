# SPDX-License-Identifier: MIT
"""Examples in docstrings do what they show, every parameter is described, and types and versions agree."""

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import alo

MODULES = ["alo", *(f"alo.{found.name}" for found in pkgutil.iter_modules(alo.__path__) if found.name != "_core")]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_all_that_is_public_has_a_docstring():
    for name in alo.__all__:
        thing = getattr(alo, name)
        if name != "__version__":
            assert inspect.getdoc(thing), name


def test_every_setting_is_described():
    described = alo.tune.__doc__
    for name in inspect.signature(alo.tune).parameters:
        assert re.search(rf"^ {{4}}(\w+, )*{name}\b", described, re.MULTILINE), name


def test_losses_and_penalties_are_those_of_the_library():
    for table in (alo.losses(), alo.penalties()):
        for name, text in table.items():
            assert f"``{name}``: {text}" in alo.tune.__doc__


def test_versions_agree():
    cmake = re.search(r"project\(alo VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert alo.__version__ == version("alo") == cmake


def test_types():
    pytest.importorskip("mypy")
    run = subprocess.run([sys.executable, "-m", "mypy", "--config-file", ROOT / "python/pyproject.toml", "-p", "alo"],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_the_page_of_functions_is_that_of_the_docstrings():
    run = subprocess.run([sys.executable, ROOT / "python/docs/make_api", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
