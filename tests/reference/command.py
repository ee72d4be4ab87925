# SPDX-License-Identifier: MIT
"""Runs of the command: their result, user seconds and peak memory."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 240  # seconds of one run, where the longest take some 20; a longer one counts as a failure
RESULTS = (0, 4, 5, 6)  # exit codes with which a result is written


def data_folder():
    return Path(os.environ.get("ALO_DATA", ROOT / "../shared/data"))


# Starts a command, ends it after LONGEST seconds, and prints its exit code, user seconds and peak memory. Linux counts the
# memory of the program that starts another one where that is larger; this one has some ten megabytes.
MEASURE = f"""
import json, os, signal, sys
files = [(os.POSIX_SPAWN_DUP2, int(os.environ.pop(name)), place) for name, place in (("OUTPUT", 1), ("NOTES", 2))]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=files)
signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
signal.alarm({LONGEST})
_, status, usage = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime, usage.ru_maxrss / 1024]))
"""


class CommandFailed(Exception):
    pass


@dataclass
class Run:
    result: dict
    user_seconds: float
    megabytes: float  # peak
    code: int
    notes: str


def run(alo, arguments):
    """`alo ARGUMENTS --json -` on one thread."""
    line = [str(alo), *map(str, arguments), "--threads", "1", "--json", "-"]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as notes:
        process = subprocess.Popen([sys.executable, "-S", "-E", "-c", MEASURE, *line], stdout=subprocess.PIPE,
                                   pass_fds=(output.fileno(), notes.fileno()),
                                   env=dict(environment, OUTPUT=str(output.fileno()), NOTES=str(notes.fileno())))
        code, user_seconds, megabytes = json.loads(process.communicate()[0])
        notes.seek(0)
        output.seek(0)
        words = notes.read().decode(errors="replace")
        if code not in RESULTS:
            raise CommandFailed(f"{' '.join(line)}\nended with {code}\n{words.strip()}")
        return Run(json.load(output), user_seconds, megabytes, code, words)


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
