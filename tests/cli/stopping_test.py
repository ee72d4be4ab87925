# SPDX-License-Identifier: MIT
"""Runs that are ended early or cannot write: signals, limits, closed pipes, full disks, terminals."""

import json
import os
import pty
import resource
import re
import select
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandCase, columns_of, csv, data_csv, environment, simulate

# A path of many values on many rows: at least ten seconds of work on any machine.
LENGTH = 100000
SLOW = ("tune", "slow.csv", "--lambdas", str(LENGTH), "--threads", "1")


class Stopping(CommandCase):
    @classmethod
    def setUpClass(cls):
        # A shell that starts this in the background ignores SIGINT, and its children inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        X, y = simulate(10000, 20)
        cls.slow_csv = csv(columns_of(X, y))

    def start(self, *words, **options):
        options.setdefault("env", environment())
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen([COMMAND, *words], cwd=self.folder, stdout=subprocess.PIPE, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for_handler(self, process, number):
        """Until the process catches the signal; one sent earlier would just end it."""
        for _ in range(6000):
            with open(f"/proc/{process.pid}/status") as status:
                caught = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt:"))
            if caught >> (number - 1) & 1:
                return
            time.sleep(0.01)
        self.fail("the command does not catch the signal")

    def check_partial(self, path):
        result = json.loads((self.folder / path).read_text(), parse_constant=self.fail)
        self.assertEqual(result["format"], "alo-result/1")
        self.assertIs(result["complete"], False)
        self.assertGreater(len(result["path"]), 0)
        self.assertLess(len(result["path"]), LENGTH)
        self.assertGreaterEqual(result["selection"]["lambda"], result["path"][-1]["lambda"])

    def assert_only(self, *names):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))

    def start_in_terminal(self, *words, **variables):
        """A run whose stderr is a terminal, and what shows it."""
        leader, follower = pty.openpty()
        process = self.start(*words, stderr=follower, env=environment(**{"TERM": "xterm", **variables}))
        os.close(follower)
        self.addCleanup(os.close, leader)
        return process, leader

    def show(self, terminal, until=None):
        """What comes to the terminal until it closes, or until the text `until`."""
        shown = b""
        while until is None or until not in shown:
            ready, _, _ = select.select([terminal], [], [], 120)
            try:
                part = os.read(terminal, 4096) if ready else b""
            except OSError:  # the other side is closed
                part = b""
            if not part:
                self.assertIsNone(until, f"{until} was not shown: {shown}")
                break
            shown += part
        return shown.decode()

    def interrupt(self, *words, numbers=(signal.SIGINT,), stage=b"path"):
        """Sends signals as soon as the bar shows the stage; returns what was said after that."""
        process, terminal = self.start_in_terminal(*words)
        self.show(terminal, until=stage)
        for number in numbers:
            process.send_signal(number)
        shown = self.show(terminal)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, shown)
        self.assertIn("interrupted", shown)
        self.assertNotIn("internal error", shown)
        self.assertFalse([path for path in self.folder.rglob(".*")], "a temporary file was left")
        return shown

    def test_interrupt_saves_what_is_finished(self):
        self.write("slow.csv", self.slow_csv)
        self.interrupt(*SLOW, "--json", "r.json")
        self.check_partial("r.json")
        self.assert_only("slow.csv", "r.json")

    def test_terminate_saves_what_is_finished(self):
        self.write("slow.csv", self.slow_csv)
        self.interrupt(*SLOW, "--json", "r.json", numbers=(signal.SIGTERM,))
        self.check_partial("r.json")
        self.assert_only("slow.csv", "r.json")

    def test_hang_up_saves_what_is_finished(self):
        self.write("slow.csv", self.slow_csv)
        self.interrupt(*SLOW, "--json", "r.json", numbers=(signal.SIGHUP,))
        self.check_partial("r.json")
        self.assert_only("slow.csv", "r.json")

    def test_interrupt_during_exact_leave_one_out(self):
        X, y = simulate(1500, 150)
        self.write("data.csv", csv(columns_of(X, y)))
        shown = self.interrupt("tune", "data.csv", "--exact", "--full-path", "--lambdas", "3000", "--threads", "1",
                               "--lambda-ratio", "1e-6", "--json", "r.json", stage=b"exact")
        self.assertIn("without exact leave-one-out", shown)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertIs(result["complete"], False)
        self.assertGreaterEqual(len(result["path"]), 3000)

    def test_interrupted_report(self):
        self.write("slow.csv", self.slow_csv)
        self.interrupt(*SLOW, "--out", "report")
        self.check_partial("report/result.json")

    def test_second_interrupt_ends_at_once(self):
        self.write("slow.csv", self.slow_csv)
        shown = self.interrupt(*SLOW, "--json", "r.json", numbers=(signal.SIGINT, signal.SIGTERM))
        self.assertTrue("ended at once" in shown or (self.folder / "r.json").exists(), shown)

    def test_interrupt_before_the_work(self):
        # stdin stays open: the command is still reading.
        process = self.start("tune", "-", "--out", "report", "--json", "r.json", stdin=subprocess.PIPE)
        self.wait_for_handler(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        process.wait(timeout=30)
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(b"nothing was written", err)
        self.assertFalse((self.folder / "r.json").exists())

    def test_time_limit(self):
        self.write("slow.csv", self.slow_csv)
        begin = time.monotonic()
        run = self.run_alo(*SLOW, "--time-limit", 4, "--json", "r.json", code=6)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertIn("time limit of 4 s", run.err)
        self.check_partial("r.json")
        self.assert_only("slow.csv", "r.json")

    def test_time_limit_before_any_result(self):
        self.write("slow.csv", self.slow_csv)
        run = self.run_alo(*SLOW, "--time-limit", 1e-6, "--out", "report", "--json", "r.json", code=6)
        self.assertIn("nothing was written", run.err)
        self.assertEqual(run.out, "")
        self.assert_only("slow.csv")

    def test_memory_limit(self):
        self.write("slow.csv", self.slow_csv)
        for limit in (0.1, 5):
            run = self.run_alo(*SLOW, "--memory-limit", limit, "--json", "r.json", code=6)
            self.assertIn("--memory-limit", run.err)
            self.assertIn("nothing was", run.err)
            self.assertEqual(run.out, "")
            self.assert_only("slow.csv")

    def test_memory_of_what_was_asked_for(self):
        self.write("slow.csv", self.slow_csv)
        words = ("tune", "slow.csv", "--lambdas", "700", "--json", "r.json", "--memory-limit", 1000)
        self.run_alo(*words)
        run = self.run_alo(*words, "--predictions", code=6)
        self.assertIn("more than --memory-limit 1000", run.err)

    def test_limits_that_are_not_reached(self):
        self.write("data.csv", data_csv())
        plain = self.run_alo("tune", "data.csv")
        limited = self.run_alo("tune", "data.csv", "--time-limit", 300, "--memory-limit", 4000)
        self.assertEqual(plain.out, limited.out)

    def test_reader_went_away(self):
        self.write("data.csv", data_csv())
        for words in (["tune", "data.csv"], ["tune", "data.csv", "--json", "-"], ["tune", "--help"], ["--version"]):
            read_end, write_end = os.pipe()
            os.close(read_end)
            run = subprocess.run([COMMAND, *words], cwd=self.folder, stdout=write_end, stderr=subprocess.PIPE,
                                 env=environment())
            os.close(write_end)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertNotIn(b"error", run.stderr)

    def test_closed_standard_output(self):
        self.write("data.csv", data_csv())
        run = subprocess.run(["sh", "-c", 'exec "$0" tune data.csv --json r.json >&-', COMMAND], cwd=self.folder,
                             stderr=subprocess.PIPE, env=environment())
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(b"stdout", run.stderr)
        json.loads((self.folder / "r.json").read_text())
        self.assertEqual((self.folder / "data.csv").read_text(), data_csv())

    def test_file_beyond_its_limit(self):
        self.write("data.csv", data_csv())
        (self.folder / "r.json").write_text("old")
        run = self.run_alo("tune", "data.csv", "--json", "r.json", code=1,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertIn("File too large", run.err)
        self.assertEqual((self.folder / "r.json").read_text(), "old")
        self.assert_only("data.csv", "r.json")

    def test_full_device(self):
        self.write("data.csv", data_csv())
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        run = self.run_alo("tune", "data.csv", "--json", "/dev/full", code=1)
        self.assertIn("/dev/full", run.err)
        self.assertIn("No space left", run.err)
        with open("/dev/full", "wb") as full:
            run = subprocess.run([COMMAND, "tune", "data.csv"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                 env=environment())
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(b"No space left", run.stderr)

    def test_full_disk(self):
        self.write("data.csv", data_csv())
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("a small tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        run = self.run_alo("tune", "data.csv", "--out", disk / "report", code=1)
        self.assertIn("No space left", run.err)
        self.assertIn("report", run.err)
        for path in disk.rglob("report/*"):
            self.assertFalse(path.name.startswith("."), f"{path} was left")
            self.assertGreater(path.stat().st_size, 0, f"{path} was half written")
            if path.suffix == ".json":
                json.loads(path.read_text())
            path.unlink()
        if (disk / "report").exists():
            (disk / "report").rmdir()
        (disk / "filling").write_bytes(b"x" * 12288)
        (disk / "r.json").write_text("old")
        self.run_alo("tune", "data.csv", "--json", disk / "r.json", code=1)
        self.assertEqual((disk / "r.json").read_text(), "old")
        self.assertEqual(sorted(path.name for path in disk.iterdir()), ["filling", "r.json"])

    def run_in_terminal(self, *words, **variables):
        """Standard error of a run whose stderr is a terminal."""
        process, terminal = self.start_in_terminal(*words, **variables)
        shown = self.show(terminal)
        process.communicate(timeout=60)
        return shown

    def test_bar(self):
        self.write("slow.csv", self.slow_csv)
        self.write("data.csv", data_csv())
        shown = self.run_in_terminal(*SLOW, "--time-limit", "4")
        self.assertRegex(shown, r"\[#*\.*\] +\d+ %, .* left")
        self.assertLess(shown.count("left"), 40, "redrawn too often")
        self.assertIn("\r\x1b[K", shown[shown.rindex("left"):], "the bar was not erased")
        for name, words, variables in (
            ("short work", ("tune", "data.csv"), {}),
            ("quiet", (*SLOW, "--time-limit", "2", "--quiet"), {}),
            ("NO_COLOR", (*SLOW, "--time-limit", "2"), {"NO_COLOR": "1"}),
            ("dumb terminal", (*SLOW, "--time-limit", "2"), {"TERM": "dumb"}),
            ("no colour", (*SLOW, "--time-limit", "2", "--no-color"), {}),
        ):
            with self.subTest(name):
                self.assertNotIn("\x1b", self.run_in_terminal(*words, **variables))

    def test_colour_of_the_table(self):
        self.write("data.csv", data_csv())
        plain = self.run_alo("tune", "data.csv").out
        for words, variables, coloured in (([], {}, True), (["--no-color"], {}, False), ([], {"NO_COLOR": "1"}, False)):
            leader, follower = pty.openpty()
            process = subprocess.Popen([COMMAND, "tune", "data.csv", *words], cwd=self.folder, stdout=follower,
                                       stderr=subprocess.DEVNULL, env=environment(TERM="xterm", **variables))
            shown = b""
            while process.poll() is None or select.select([leader], [], [], 0)[0]:
                if select.select([leader], [], [], 0.1)[0]:
                    shown += os.read(leader, 65536)
            os.close(follower)
            os.close(leader)
            text = shown.decode().replace("\r\n", "\n")
            self.assertEqual("\x1b[" in text, coloured, text)
            self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", text), plain)

    def test_no_bar_without_terminal(self):
        self.write("slow.csv", self.slow_csv)
        run = self.run_alo(*SLOW, "--time-limit", 2, code=6)
        self.assertNotIn("\x1b", run.err + run.out)
        self.assertNotIn("left", run.err)


if __name__ == "__main__":
    unittest.main()
