#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The default command on the reference library, held to the bar of docs/trust.md. ALO_COMMAND names the command.
Published data that are not there (ALO_DATA, ../shared/data) are left out; the simulated ones always are there.

Limits are those of judgement.py: of all problems 5 % may have a regret between 2 and 5 %, and 5 % a red verdict over a
number that is right.
"""

import os
import sys
import tempfile
import unittest
from pathlib import Path

import command
import curves
import judgement
import problems

ALO = Path(os.environ.get("ALO_COMMAND", command.ROOT / "build/release/bin/alo"))
SHARE = 0.05  # of the problems, at least one
# Of a kept exact risk against today's: both are of fits with a certified gap of 1e-6 or less, and the files have eight
# digits. A held-out prediction that moves by the root of a gap moves a mean of some sixty rows by less than this.
SAME = 1e-4


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.judged, cls.moved = [], []
        for problem in problems.PROBLEMS:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    arguments = problems.arguments(problem, command.data_folder(), Path(folder))
                except FileNotFoundError as missing:
                    print(f"{problem.name}: left out, there is no {missing}", file=sys.stderr)
                    continue
                curve = curves.read(problem.name)
                cls.judged.append(judgement.judge(ALO, problem.name, arguments, curve, with_alo=False))
                cls.compare_with_kept(problem.name, arguments, curve)

    @classmethod
    def compare_with_kept(cls, name, arguments, curve):
        value, kept, _ = curves.best(curve)
        mean, _, _ = command.exact_at(ALO, arguments, value)
        if mean is None or abs(mean - kept) > SAME * kept:
            cls.moved.append(f"{name}: {mean} at lambda {value:g}, where {kept} was kept")

    def assert_none(self, found):
        self.assertFalse(found, "\n" + "\n".join(found))

    def assert_few(self, found):
        allowed = max(1, round(SHARE * len(self.judged)))
        self.assertLessEqual(len(found), allowed, "\n" + "\n".join(found))

    def test_no_run_fails(self):
        self.assert_none([f"{one.name}: {one.failure}" for one in self.judged if one.failure])

    def test_exact_leave_one_out_is_what_was_kept(self):
        self.assert_none(self.moved)

    def test_no_choice_costs_more_than_its_limit(self):
        self.assert_none([f"{one.name}: {one.regret:.3f} at lambda {one.chosen}, {one.best} is better"
                          for one in self.judged if one.regret > judgement.LARGEST_REGRET])

    def test_few_choices_cost_more_than_two_per_cent(self):
        self.assert_few([f"{one.name}: {one.regret:.3f}" for one in self.judged if one.regret > judgement.SMALL_REGRET])

    def test_a_green_verdict_stands_over_a_number_that_is_right(self):
        self.assert_none([f"{one.name}: {one.reported} ({one.kind}) where exact is {one.exact}, {one.errors:.2f} errors"
                          for one in self.judged if one.wrongly_green])

    def test_few_red_verdicts_stand_over_what_is_right(self):
        self.assert_few([f"{one.name}: {'; '.join(one.reasons)}" for one in self.judged if one.wrongly_red])


if __name__ == "__main__":
    unittest.main()
