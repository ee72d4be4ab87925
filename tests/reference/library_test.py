#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The default command on a part of the reference library, held to the bar of docs/trust.md. ALO_COMMAND names the
command. Published data that are not there (ALO_DATA, ../shared/data) are left out; the simulated ones always are there.

Limits are those of judgement.py. A share of a part of the library is coarse: one problem of forty may have a regret
between 2 and 5 %, or a red verdict over a number that is right, as 5 % of the whole library may.
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
# One or more of every family of losses and penalties, those that were once got wrong, and the cheapest of each kind.
PART = [
    "diabetes lasso", "diabetes quadratic lasso", "prostate ridge", "prostate epsilon-insensitive ridge", "longley ridge",
    "heart svm", "colon lasso", "colon svm", "leukaemia lasso", "breast cancer svm", "breast cancer kernel svm",
    "all fours and nines lasso", "digits multinomial lasso", "volcano completion", "warpbreaks lasso",
    "discoveries steps", "nile steps", "coriell sparse steps", "nile trend",
    "lasso 60 x 200", "lasso sparse design 100 x 150", "lasso weak signal 60 x 120", "ridge 60 x 120",
    "ridge factor 50 x 300", "elastic net 60 x 150", "group lasso 60 x 120", "sparse group lasso 60 x 100",
    "slope 50 x 100", "fused lasso 60 x 100", "trend filter 60 x 60", "wavelet 80 x 64", "nuclear 50 x 8 x 8",
    "huber lasso 60 x 120", "absolute ridge 60 x 100", "quantile elastic net 60 x 60", "logistic lasso rare 150 x 60",
    "logistic ridge 60 x 150", "squared hinge ridge 80 x 120", "svm balanced 60 x 200",
    "svm elastic net balanced 60 x 60", "svm kernel 80 x 5", "poisson lasso 80 x 120", "gamma lasso 80 x 60",
    "multinomial lasso 90 x 60", "completion 12 x 10", "paper's fused lasso 60 x 100",
]
SHARE = 0.05  # of the problems, at least one
# Of a kept exact risk against today's: both are of fits with a certified gap of 1e-6 or less, and the files have eight
# digits. A held-out prediction that moves by the root of a gap moves a mean of some sixty rows by less than this.
SAME = 1e-4


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.judged, cls.moved = [], []
        for name in PART:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    arguments = problems.arguments(problems.BY_NAME[name], command.data_folder(), Path(folder))
                except FileNotFoundError as missing:
                    print(f"{name}: left out, there is no {missing}", file=sys.stderr)
                    continue
                curve = curves.read(name)
                cls.judged.append(judgement.judge(ALO, name, arguments, curve, with_alo=False))
                cls.compare_with_kept(name, arguments, curve)

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
