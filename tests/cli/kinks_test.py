# SPDX-License-Identifier: MIT
"""Losses with kinks and kernels, from the file to the prediction."""

import json
import math
import random
import unittest
from pathlib import Path

from command import CommandCase, columns_of, csv

SOURCE = random.Random(8)
N, P = 60, 3
X = [[round(SOURCE.gauss(0, 1), 4) for _ in range(P)] for _ in range(N)]
SCORES = [round(1.5 * row[0] - row[1] + SOURCE.gauss(0, 1), 4) for row in X]
WORDS = ["yes" if score > 0 else "no" for score in SCORES]
# Inside and outside a circle: no line tells them apart.
RINGS = ["in" if row[0] ** 2 + row[1] ** 2 < 1.2 else "out" for row in X]
TUNE = ("tune", "data.csv", "--lambdas", "8", "--quiet")
# Loss, what the option of its parameter is, default metric, other metrics.
NUMBERS = [("absolute", [], "mae", ["mse", "r2"]),
           ("quantile", ["--quantile", "0.8"], "pinball", ["mae"]),
           ("epsilon-insensitive", ["--epsilon", "0.3"], "epsilon-insensitive", ["mae", "mse", "r2"])]


def pinball(tau, residual):
    return max(tau * residual, (tau - 1) * residual)


class Kinks(CommandCase):
    def data(self, y):
        self.write("data.csv", csv(columns_of(X, y)))

    def numbers(self, *words):
        return [float(line) for line in self.run_alo("predict", "model", "data.csv", *words).out.splitlines()[1:]]

    def test_numbers(self):
        self.data(SCORES)
        for loss, words, metric, others in NUMBERS:
            with self.subTest(loss):
                result = self.run_json(*TUNE, "--loss", loss, *words, "--metric", ",".join([metric, *others]),
                                       "--out", "model", "--predictions")
                self.assertEqual(result["problem"]["penalty"], "ridge")
                self.assertEqual(result["problem"]["metric"], metric)
                self.assertEqual(list(result["problem"]["parameters"].values()), [float(word) for word in words[1:]])
                self.assertLessEqual(max(point["gap"] for point in result["path"]), 1e-10)
                chosen = result["selection"]["min"]
                self.assert_close(self.numbers("--at", "min"), chosen["predictions"]["fitted"], 1e-9)
                self.assertEqual(self.numbers("--type", "link"), self.numbers())
                self.run_alo("predict", "model", "data.csv", "--type", "class", code=2)

    def test_metrics_take_the_parameter_of_the_loss(self):
        self.data(SCORES)
        errors = {"quantile": lambda r: pinball(0.8, r), "epsilon-insensitive": lambda r: max(0, abs(r) - 0.3),
                  "absolute": abs}
        for loss, words, metric, _ in NUMBERS:
            point = self.run_json("fit", "data.csv", "--quiet", "--loss", loss, *words, "--lambda", "2",
                                  "--predictions")["path"][0]
            values = [errors[loss](y - u) for y, u in zip(SCORES, point["predictions"]["alo"])]
            self.assertAlmostEqual(point["risk"][metric]["alo"]["mean"], sum(values) / N, 12)

    def test_quantiles_have_their_share_of_rows_below(self):
        self.data(SCORES)
        for tau in (0.1, 0.5, 0.9):
            point = self.run_json("fit", "data.csv", "--quiet", "--loss", "quantile", "--quantile", tau, "--lambda", "1",
                                  "--predictions")["path"][0]
            below = sum(y < u - 1e-7 for y, u in zip(SCORES, point["predictions"]["fitted"]))
            pinned = sum(abs(y - u) <= 1e-7 for y, u in zip(SCORES, point["predictions"]["fitted"]))
            self.assertEqual(point["df"], pinned)
            self.assertTrue(below <= tau * N <= below + pinned, f"{below} and {pinned} of {N} at {tau}")

    def test_half_quantile_is_half_the_absolute_loss(self):
        self.data(SCORES)
        absolute = self.run_json("fit", "data.csv", "--quiet", "--loss", "absolute", "--lambda", "2")["path"][0]
        quantile = self.run_json("fit", "data.csv", "--quiet", "--loss", "quantile", "--lambda", "1")["path"][0]
        tube = self.run_json("fit", "data.csv", "--quiet", "--loss", "epsilon-insensitive", "--epsilon", "0", "--lambda",
                             "2")["path"][0]
        for other in (quantile, tube):
            self.assert_close(other["coefficients"], absolute["coefficients"], 1e-8)

    def test_epsilon_is_said(self):
        self.data(SCORES)
        run = self.run_alo("tune", "data.csv", "--lambdas", "5", "--loss", "epsilon-insensitive")
        self.assertIn("epsilon is 0.1, in the units of y", run.err)
        self.assertIn("the penalty is ridge", run.err)

    def test_support_vector_machine(self):
        self.data(WORDS)
        result = self.run_json(*TUNE, "--loss", "hinge", "--metric", "hinge,misclassification,auc,auc-recentred", "--out",
                               "model")
        self.assertEqual(result["data"]["classes"], ["no", "yes"])
        counts = result["selection"]["confusion"]["counts"]
        self.assertGreater(counts[0][0] + counts[1][1], 0.7 * N)
        link = self.numbers("--type", "link")
        self.assert_close(self.numbers(), [min(max((1 + u) / 2, 0), 1) for u in link], 1e-12)
        labels = self.run_alo("predict", "model", "data.csv", "--type", "class").out.splitlines()[1:]
        self.assertEqual(labels, ["yes" if u > 0 else "no" for u in link])
        page = (self.folder / "model/report.html").read_text()
        self.assertIn("pinned to a kink", page)
        self.assertNotIn("Leverage", page)

    def test_responses_that_are_no_two_classes(self):
        for y, says in ((["a", "b", "c"] * 20, "two classes"), (["a"] * N, "class"), (SCORES, "two classes")):
            self.data(y)
            self.assertIn(says, self.run_alo(*TUNE, "--loss", "hinge", code=3).err)

    def test_exact_along_the_path(self):
        self.data(WORDS)
        result = self.run_json(*TUNE, "--loss", "hinge", "--exact")
        for point in result["path"]:
            risk = point["risk"]["hinge"]
            self.assertIsNotNone(risk["exact"]["mean"])
            # Near the end of the grid, where no penalty is left, the approximation is far off.
            if risk["alo"]["mean"] is not None and point["lambda"] > 1e-3 * result["path"][0]["lambda"]:
                self.assertLess(abs(risk["alo"]["mean"] - risk["exact"]["mean"]), 0.2)

    def test_lambda_below_the_rounding_of_slopes(self):
        study = Path(__file__).resolve().parents[2] / "examples" / "diabetes.csv"
        for quantile in ("0.25", "0.5", "0.9"):
            point, = self.run_json("fit", str(study), "--lambda", "1e-6", "--loss", "quantile", "--quantile", quantile,
                                   "--penalty", "ridge", "--no-standardize", "--effort", 0, "--quiet")["path"]
            self.assertEqual(point["df"], 11)

    def test_a_lasso_is_a_linear_program(self):
        self.data(WORDS)
        program = (*TUNE, "--loss", "hinge", "--penalty", "lasso")
        refused = self.run_alo(*program, code=2)
        self.assertIn("the hinge loss with a lasso penalty is a linear program", refused.err)
        self.assertIn("huber", refused.err)
        exact = self.run_json(*program, "--exact")
        best = exact["path"][exact["selection"]["min"]["index"]]["risk"]["hinge"]
        self.assertIsNone(best["alo"]["mean"])
        self.assertEqual(best["exact"]["mean"], exact["selection"]["min"]["risk"])
        self.assertTrue(exact["verdict"]["reliable"], exact["verdict"])
        self.assertEqual(exact["selection"]["chosen_by"], "exact")
        folds = self.run_json(*program, "--choose", "kfold", "--folds", "5")
        best = folds["path"][folds["selection"]["min"]["index"]]["risk"]["hinge"]
        self.assertEqual(best["kfold"]["mean"], folds["selection"]["min"]["risk"])
        self.assertEqual(folds["selection"]["chosen_by"], "kfold")

    def test_an_elastic_net_has_curvature(self):
        self.data(WORDS)
        point = self.run_json("fit", "data.csv", "--quiet", "--loss", "hinge", "--penalty", "elastic-net", "--mix", "0.8",
                              "--lambda", "5", "--exact")["path"][0]
        self.assertLessEqual(point["gap"], 1e-10)
        self.assertIn(0, point["coefficients"])
        risk = point["risk"]["hinge"]
        self.assertAlmostEqual(risk["alo"]["mean"], risk["exact"]["mean"], delta=0.1)


class Kernels(CommandCase):
    def data(self, y):
        self.write("data.csv", csv(columns_of(X, y)))

    def predictions(self, *words):
        return [float(line)
                for line in self.run_alo("predict", "model", "data.csv", "--type", "link", *words).out.splitlines()[1:]]

    def test_saved_models_predict_what_was_fitted(self):
        for loss, y in (("hinge", RINGS), ("epsilon-insensitive", SCORES)):
            self.data(y)
            for words in (["rbf"], ["rbf", "--gamma", "0.7", "--intercept"], ["poly", "--coef0", "1"], ["linear"],
                          ["rbf", "--standardize"], ["poly", "--degree", "2", "--intercept", "--standardize"]):
                with self.subTest(loss, words=words):
                    # Where lambda is large and rows even nothing pins an intercept: no grid here.
                    result = self.run_json("tune", "data.csv", "--quiet", "--lambda", "3,1,0.3", "--loss", loss, "--kernel", *words, "--out", "model", "--predictions")
                    self.assertEqual(result["data"]["columns"], ["x1", "x2", "x3"])
                    self.assertEqual(result["problem"]["parameters"]["kernel"], words[0])
                    for at in ("min", "one_se"):
                        chosen = result["selection"][at]
                        self.assertIsNone(chosen["coefficients"])
                        fitted = self.predictions("--at", "min" if at == "min" else "1se")
                        self.assert_close(fitted, chosen["predictions"]["fitted"], 1e-8)
                    model = json.loads((self.folder / "model/model.json").read_text())
                    self.assertLessEqual(len(model["kernel"]["rows"]), N)
                    self.assertFalse((self.folder / "model/paths.svg").exists())

    def test_rings_need_a_kernel(self):
        self.data(RINGS)
        wrong = []
        for kernel in ("linear", "rbf"):
            result = self.run_json(*TUNE, "--loss", "hinge", "--kernel", kernel, "--metric", "misclassification")
            wrong.append(result["selection"]["min"]["risk"])
        self.assertLess(wrong[1], 0.75 * wrong[0])

    def test_the_grid_ends_where_fits_no_longer_change(self):
        """Another decade changes the predictions by few of a hundred parts of what they have changed on the path."""
        self.data(RINGS)
        model = ("--loss", "hinge", "--kernel", "rbf", "--predictions", "--quiet")
        path = self.run_json("tune", "data.csv", "--lambdas", "8", *model)["path"]
        end = path[-1]["lambda"]
        below, = self.run_json("fit", "data.csv", "--lambda", repr(end / 10), "--effort", 0, *model)["path"]
        first, last, after = (point["predictions"]["fitted"] for point in (path[0], path[-1], below))
        self.assertLess(math.dist(last, after), 0.05 * math.dist(first, last))
        above, = self.run_json("fit", "data.csv", "--lambda", repr(end * 1000), "--effort", 0, *model)["path"]
        self.assertGreater(math.dist(above["predictions"]["fitted"], last), 0.05 * math.dist(first, last))

    def test_default_gamma_is_said_and_kept(self):
        self.data(RINGS)
        run = self.run_alo(*TUNE[:-1], "--loss", "hinge", "--kernel", "rbf", "--out", "model")
        entries = [value for row in X for value in row]
        mean = sum(entries) / len(entries)
        expected = 1 / (P * sum((value - mean) ** 2 for value in entries) / len(entries))
        model = json.loads((self.folder / "model/model.json").read_text())
        self.assertTrue(math.isclose(model["kernel"]["gamma"], expected, rel_tol=1e-12))
        self.assertIn("gamma is", run.err)

    def test_linear_kernel_is_the_plain_ridge(self):
        self.data(WORDS)
        words = ("fit", "data.csv", "--quiet", "--loss", "hinge", "--lambda", "0.5", "--predictions", "--exact")
        plain = self.run_json(*words, "--no-intercept", "--no-standardize")["path"][0]
        for kernel in (["linear"], ["poly", "--degree", "1", "--gamma", "1"]):
            point = self.run_json(*words, "--kernel", *kernel)["path"][0]
            for key in ("fitted", "alo", "exact"):
                self.assert_close(point["predictions"][key], plain["predictions"][key], 1e-8, key)

    def test_folds_and_check(self):
        self.data(RINGS)
        result = self.run_json(*TUNE, "--loss", "hinge", "--kernel", "rbf", "--folds", "5")
        self.assertIn("kfold", result["path"][0]["risk"]["hinge"])
        self.assertIn("check", self.run_json("check", "data.csv", "--quiet", "--loss", "hinge", "--kernel", "rbf",
                                             "--lambda", "1", "--sample", "20"))

    def test_memory_for_the_similarities(self):
        rows = 6000  # their similarities and a factor take 576 MB, reading them next to nothing
        self.write("data.csv", csv({"x": [i % 17 for i in range(rows)], "y": [i % 13 for i in range(rows)]}))
        run = self.run_alo("tune", "data.csv", "--loss", "epsilon-insensitive", "--kernel", "rbf", "--memory-limit", "400",
                           code=6)
        self.assertIn("the kernel of 6000 rows", run.err)


if __name__ == "__main__":
    unittest.main()
