# SPDX-License-Identifier: MIT
"""What the tables of this folder share: the programs they need, calls in turn, the CSV, peak memory."""

import argparse
import csv
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MISSING = "is missing; script/bootstrap --build --bench --peers installs what this needs"
CALLS, ENOUGH_SECONDS = 3, 10.0


def require(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise SystemExit(f"{error.name} {MISSING}")


require("numpy")
from methods import Worker


def parse_size(text):
    if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"a size is ROWSxCOLUMNS, such as 800x200, not {text}")
    return text


def say(text):
    print(text, file=sys.stderr, flush=True)


def show(line=""):
    print(line, flush=True)


def build_worker():
    for command in ("cmake", "ninja", "g++"):
        if not shutil.which(command):
            raise SystemExit(f"{command} {MISSING}")
    steps = "source script/environment.sh; configure bench; compile bench --target compare_worker >&2"
    if subprocess.run(["bash", "-c", steps], cwd=ROOT).returncode != 0:
        raise SystemExit(f"the worker was not built. If a package {MISSING}")
    return ROOT / "build" / "bench" / "bin" / "compare_worker"


def start_glmnet():
    if not shutil.which("Rscript"):
        raise SystemExit(f"R {MISSING}")
    if subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True).returncode != 0:
        raise SystemExit(f"glmnet {MISSING}")
    return Worker(["Rscript", Path(__file__).with_name("glmnet_worker.R")])


class Record:
    """The CSV: one number a line, after what it is a number of."""

    def __init__(self, path, keys):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "w", newline="")
        self.writer = csv.writer(self.file)
        self.writer.writerow([*keys, "method", "measurement", "value"])

    def add(self, keys, method, numbers):
        for name, value in numbers.items():
            self.writer.writerow([*keys, method, name, repr(float(value))])
        self.file.flush()


def time_methods(methods, seed):
    """Calls the methods in turn, the order shifted by the seed, and yields each with the numbers of its call."""
    shift = seed % len(methods)
    spent = {method.name: 0.0 for method in methods}
    for _ in range(CALLS):
        for method in methods[shift:] + methods[:shift]:
            if spent[method.name] < ENOUGH_SECONDS:
                numbers = method.call()
                spent[method.name] += numbers["seconds"]
                yield method, numbers


def best_times(methods, seed, title, gap):
    """{method: numbers} with the least time of its calls, and the gap of its first where it has a path."""
    found = {method.name: {} for method in methods}
    for method, numbers in time_methods(methods, seed):
        before = found[method.name]
        if not before:
            say(f"{title} seed {seed}: {method.name}, {numbers['seconds']:.3f} s")
            before = numbers | ({"gap": gap(method.path())} if method.path else {})
        found[method.name] = before | {"seconds": min(before["seconds"], numbers["seconds"])}
    return found


def spread(values, form):
    return f"{min(values):{form}} .. {max(values):{form}}"


def show_memory(program, cases, add):
    """Peak memory of fit and ALO; cases are {name: command that makes the data}, each in a process of its own."""
    show("\nPeak memory of fit and ALO along 50 lambdas, ten fits kept at a time")
    show(f"{'':34}{'seconds':>8}{'X MB':>8}{'before':>8}{'peak':>8}{'peak - X':>10}{'in X':>7}{'active s':>10}"
         f"{'in 3 s^2 doubles':>18}")
    for name, command in cases.items():
        with Worker([program]) as worker:
            worker.ask(*command.split())
            numbers = worker.ask("memory")
        add(name, {f"memory {key}": numbers[key] for key in numbers})
        design, active = numbers["design_bytes"], numbers["active"]
        beyond = numbers["peak"] - design
        show(f"{name:34}{numbers['seconds']:8.1f}{design / 1e6:8.1f}{numbers['peak_before'] / 1e6:8.1f}"
             f"{numbers['peak'] / 1e6:8.1f}{beyond / 1e6:10.1f}{beyond / design:7.2f}{active:10.0f}"
             f"{beyond / (24 * active**2):18.2f}")
