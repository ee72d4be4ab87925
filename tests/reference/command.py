# SPDX-License-Identifier: MIT
"""Runs of the command: their result, user seconds and peak memory."""

import json
import os
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 240  # seconds of one run, where the longest take some 20; a longer one counts as a failure
RESULTS = (0, 4, 5, 6)  # exit codes with which a result is written


def data_folder():
    return Path(os.environ.get("ALO_DATA", ROOT / "../shared/data"))


class CommandFailed(Exception):
    pass


@dataclass
class Run:
    result: dict
    user_seconds: float
    megabytes: float  # peak; Linux counts this Python program's own memory where that is larger
    code: int
    notes: str


def run(alo, arguments):
    """`alo ARGUMENTS --json -` on one thread."""
    line = [str(alo), *map(str, arguments), "--threads", "1", "--json", "-"]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as notes:
        process = subprocess.Popen(line, stdout=output, stderr=notes, env=environment)
        alarm = threading.Timer(LONGEST, process.send_signal, [signal.SIGKILL])
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        notes.seek(0)
        output.seek(0)
        words = notes.read().decode(errors="replace")
        if process.returncode not in RESULTS:
            raise CommandFailed(f"{' '.join(line)}\nended with {process.returncode}\n{words.strip()}")
        return Run(json.load(output), usage.ru_utime, usage.ru_maxrss / 1024, process.returncode, words)


def knows(alo, option):
    """Whether `alo tune` has an option."""
    text = subprocess.run([str(alo), "tune", "--help"], capture_output=True, text=True, check=True).stdout
    return option in text.replace(",", " ").split()


def of_alo_alone(alo):
    """The options by which ALO alone chooses and nothing exact is computed."""
    return ["--choose", "alo"] if knows(alo, "--choose") else ["--prove", "never"]


def exact_at(alo, arguments, value, proof=()):
    """Exact leave-one-out at one lambda: its mean, its standard error, and the run."""
    fit = run(alo, ["fit", *arguments, "--lambda", repr(value), "--exact", *proof])
    point = fit.result["path"][0]
    exact = point["risk"][fit.result["problem"]["metric"]]["exact"]
    return exact["mean"], exact["se"], fit


def exact_curve(alo, arguments, values):
    """(lambda, mean, se) at each of the values, with None where exact leave-one-out is undefined, and the run."""
    tuned = run(alo, ["tune", *arguments, "--lambda", ",".join(map(repr, values)), "--exact"])
    metric = tuned.result["problem"]["metric"]
    curve = [(point["lambda"], point["risk"][metric]["exact"]["mean"], point["risk"][metric]["exact"]["se"])
             for point in tuned.result["path"]]
    return curve, tuned
