# SPDX-License-Identifier: MIT
"""The Python of the pages runs, block after block in one session, and prints what they show."""

import contextlib
import importlib.util
import io
from pathlib import Path

import pytest
import sklearn.utils

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("run_page", ROOT / "tests/docs/run_page.py")


def runner():
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["run_page"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_page(page, tmp_path, monkeypatch):
    if not hasattr(sklearn.utils, "Tags"):
        pytest.skip("the pages show how loose the fits of a current scikit-learn are")
    run_page = runner()
    monkeypatch.chdir(tmp_path)
    session = {"__name__": "__main__"}
    found = run_page.blocks((ROOT / page).read_text())
    shown = 0
    for block, after in zip(found, [*found[1:], None]):
        if block.language != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, f"{page}:{block.line}", "exec"), session)
        if after is not None and after.language == "text":
            assert run_page.matches(after.text, printed.getvalue()), f"{page}:{block.line} prints\n{printed.getvalue()}"
            shown += 1
    assert shown > 0 or page == "python/README.md"
