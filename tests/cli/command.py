# SPDX-License-Identifier: MIT
"""Runs the command in a folder of its own, for the tests beside this file."""

import gzip
import json
import math
import os
import random
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

COMMAND = os.environ.get("ALO_COMMAND", str(Path(__file__).parents[2] / "build/dev/bin/alo"))
CODES = (0, 1, 2, 3, 4, 5, 6, 130)


def environment(**extra):
    names = ("PATH", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, "LC_ALL": "C", **extra}


class CommandCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run_alo(self, *words, stdin=b"", code=0, **options):
        """Runs `alo words...` in the folder and checks its exit code (None: any known one)."""
        options.setdefault("env", environment())
        run = subprocess.run([COMMAND, *map(str, words)], cwd=self.folder, input=stdin, capture_output=True,
                             timeout=300, **options)
        run.out, run.err = run.stdout.decode(), run.stderr.decode()
        where = f"alo {' '.join(map(str, words))}\nstdout: {run.out[:2000]}\nstderr: {run.err[:4000]}"
        if code is None:
            self.assertIn(run.returncode, CODES, where)
        else:
            self.assertEqual(run.returncode, code, where)
        self.assertNotIn("internal error", run.err, where)
        self.assertNotIn("Sanitizer", run.err, where)
        run.where = where
        return run

    def run_json(self, *words, **options):
        run = self.run_alo(*words, "--json", "-", **options)
        return json.loads(run.out, parse_constant=self.fail)

    def listing(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                for path in sorted(self.folder.rglob("*"))}

    def assert_close(self, actual, expected, tolerance, what=""):
        self.assertEqual(len(actual), len(expected), what)
        for i, (a, b) in enumerate(zip(actual, expected)):
            self.assertTrue(abs(a - b) <= tolerance * max(1.0, abs(b)), f"{what}[{i}]: {a} is not {b}")


def simulate(n, p, seed=1, noise=0.5):
    """Rows of a linear model with three effects; values with six digits."""
    source = random.Random(seed)
    X = [[round(source.gauss(0, 1), 6) for _ in range(p)] for _ in range(n)]
    effects = [2.0, -1.0, 0.5]
    y = [round(1 + sum(b * x for b, x in zip(effects, row)) + noise * source.gauss(0, 1), 6) for row in X]
    return X, y


def csv(columns, header=True):
    """CSV text of {name: values}."""
    lines = [",".join(columns)] if header else []
    lines += [",".join(str(value) for value in row) for row in zip(*columns.values())]
    return "\n".join(lines) + "\n"


def columns_of(X, y=None, **more):
    columns = {f"x{j + 1}": [row[j] for row in X] for j in range(len(X[0]))}
    columns.update(more)
    if y is not None:
        columns["y"] = y
    return columns


def data_csv(n=30, p=4, seed=1, **more):
    X, y = simulate(n, p, seed)
    return csv(columns_of(X, y, **more))


def npy(values, order="C", shape=None):
    rows, columns = len(values), len(values[0])
    header = f"{{'descr': '<f8', 'fortran_order': {order == 'F'}, 'shape': {shape or (rows, columns)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    flat = [v for row in values for v in row] if order == "C" else [row[j] for j in range(columns) for row in values]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(flat)}d", *flat)


def mtx(values):
    entries = [(i + 1, j + 1, v) for i, row in enumerate(values) for j, v in enumerate(row) if v != 0]
    head = f"%%MatrixMarket matrix coordinate real general\n{len(values)} {len(values[0])} {len(entries)}\n"
    return head + "".join(f"{i} {j} {v}\n" for i, j, v in entries)


def libsvm(X, y):
    rows = (" ".join([str(t)] + [f"{j + 1}:{v}" for j, v in enumerate(row) if v != 0]) for row, t in zip(X, y))
    return "\n".join(rows) + "\n"


def gz(content):
    return gzip.compress(content if isinstance(content, bytes) else content.encode(), mtime=0)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
