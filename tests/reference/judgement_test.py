#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What judges the command is itself right: simulated data do not change, curves are read as they were written, and
planted faults of a result are found."""

import hashlib
import math
import tempfile
import unittest
from pathlib import Path

import curves
import judgement
import problems
import simulation
from draws import Draws
from simulated import Model, draw, product

CURVE = [(8.0, 2.0, 0.2), (4.0, 1.0, 0.1), (2.0, 1.5, 0.1)]


def result(chosen, mean, reliable=True, exact=None, estimate=None):
    """A result with the path of CURVE; `exact` and `estimate` are of the chosen lambda."""
    path = [{"lambda": value, "risk": {"mse": {"alo": {"mean": mean if value == chosen else 9.0, "se": 0.1}}}}
            for value, _, _ in CURVE]
    for point in path:
        if point["lambda"] == chosen and exact is not None:
            point["risk"]["mse"]["exact"] = {"mean": exact, "se": 0.1}
        if point["lambda"] == chosen and estimate is not None:
            point["risk"]["mse"]["estimate"] = {"mean": estimate, "se": 0.1, "kind": "repaired", "error": None}
    return {"data": {"rows": 50, "columns": ["a", "b"]}, "problem": {"metric": "mse"}, "path": path,
            "selection": {"lambda": chosen}, "verdict": {"reliable": reliable, "reasons": []}}


def judged(*arguments, **more):
    one = judgement.Judgement("planted")
    planted = result(*arguments, **more)
    judgement.judge_choice(one, None, [], planted, CURVE, judgement.own_exact(planted))
    return one


class Verdicts(unittest.TestCase):
    def test_the_best_choice_has_no_regret(self):
        one = judged(4.0, 1.0, exact=1.0)
        self.assertEqual(one.regret, 0.0)
        self.assertEqual(one.verdict, "green")

    def test_a_worse_choice_has_its_regret(self):
        one = judged(2.0, 1.5, exact=1.5)
        self.assertAlmostEqual(one.regret, 0.5, delta=1e-12)
        self.assertEqual(one.verdict, "green, regret")

    def test_the_estimate_is_what_is_reported(self):
        one = judged(4.0, 1.0, exact=1.0, estimate=1.2)
        self.assertEqual((one.reported, one.kind), (1.2, "repaired"))
        self.assertTrue(one.wrongly_green and one.badly_green)

    def test_a_small_part_of_the_standard_error_is_right(self):
        self.assertTrue(judged(4.0, 1.0, exact=1.0, estimate=1.024).right)  # 2.4 %, and 0.24 of the standard error
        self.assertFalse(judged(4.0, 1.0, exact=1.0, estimate=1.026).right)

    def test_a_red_verdict_over_what_is_right_is_found(self):
        self.assertTrue(judged(4.0, 1.0, exact=1.0, reliable=False).wrongly_red)
        self.assertFalse(judged(2.0, 1.5, exact=1.5, reliable=False).wrongly_red)

    def test_an_own_exact_value_below_the_kept_curve_counts(self):
        one = judged(4.0, 0.9, exact=0.9)
        self.assertEqual((one.smallest, one.regret), (0.9, 0.0))

    def test_no_choice_is_an_infinite_regret(self):
        one = judgement.Judgement("planted")
        judgement.judge_choice(one, None, [], result(None, None, reliable=False), CURVE, [])
        self.assertTrue(math.isinf(one.regret))
        self.assertFalse(one.wrongly_red)

    def test_risks_of_zero_are_compared_beside_the_null_model(self):
        self.assertAlmostEqual(judgement.regret_of(1e-4, 0.0, 1.0), 0.01, delta=1e-12)

    def test_a_judgement_survives_its_file(self):
        one = judged(4.0, 1.0, exact=1.0)
        self.assertEqual(judgement.from_dict(one.as_dict()), one)


class Data(unittest.TestCase):
    def test_the_sequence_of_a_seed_is_fixed(self):
        draws = Draws("seed")
        self.assertEqual([f"{draws.normal():.6f}" for _ in range(3)], SEQUENCE)

    def test_simulated_files_are_fixed(self):
        for name, expected in FILES.items():
            with tempfile.TemporaryDirectory() as folder:
                problems.arguments(problems.BY_NAME[name], Path(folder), Path(folder))
                text = (Path(folder) / "data.csv").read_bytes()
            self.assertEqual(hashlib.sha256(text).hexdigest()[:16], expected, name)

    def test_every_curve_belongs_to_a_problem_and_has_a_minimum(self):
        names = {curves.path_of(problem.name).name for problem in problems.PROBLEMS}
        self.assertEqual({path.name for path in curves.FOLDER.glob("*.csv")}, names)
        for problem in problems.PROBLEMS:
            curve = curves.read(problem.name)
            self.assertGreaterEqual(len(curve), 80, problem.name)
            self.assertGreater(curves.best(curve)[1], 0, problem.name)

    def test_the_risk_on_fresh_rows_is_that_of_rows_written_out(self):
        """Two predictors of the correlated design: the reduced rows against rows of the design. The standard error of
        either mean of FRESH squares is below 5 %, and so three of both together are below 20 %."""
        model = Model(40, 10, design="correlated")
        sample = draw(model, "fresh")
        fitted = [0.5 * b + 0.3 for b in sample.effects[0]]
        fresh = simulation.FreshRows(model, sample.effects, "fresh")
        reduced = fresh.risk(lambda y, eta: (y - eta[0]) ** 2, [0.2], [fitted])
        rows = draw(Model(4 * simulation.FRESH, 10, design="correlated"), "rows").X
        draws = Draws("noise")
        full = sum((product(x, sample.effects[0]) + draws.normal() - 0.2 - product(x, fitted)) ** 2 for x in rows) / len(rows)
        self.assertAlmostEqual(reduced / full, 1.0, delta=0.2)


SEQUENCE = ["-1.948312", "1.274793", "1.081300"]
FILES = {
    "lasso 60 x 200": "cc0fee22b3e0d66a",
    "multinomial lasso 90 x 60": "ecddb7ecad66dd1e",
    "steps of counts 100": "7cff57ec695735cb",
    "products 80 x 6 x 5": "c61f35b33b4bcb5c",
}

if __name__ == "__main__":
    unittest.main()
