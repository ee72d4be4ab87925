# SPDX-License-Identifier: MIT
"""Responses of words, classes and counts, from the file to the prediction."""

import json
import math
import random
import unittest

from command import CommandCase, columns_of, csv, is_number, libsvm, npy

SOURCE = random.Random(5)
N, P = 90, 4
X = [[round(SOURCE.gauss(0, 1), 4) for _ in range(P)] for _ in range(N)]
SCORES = [1.5 * row[0] - row[1] + SOURCE.gauss(0, 1) for row in X]
WORDS = ["yes" if score > 0 else "no" for score in SCORES]
BITS = [int(score > 0) for score in SCORES]
LEVELS = ["low" if score < -1 else "high" if score > 1 else "medium" for score in SCORES]
COUNTS = [math.floor(math.exp(0.6 * row[0]) * 2 * SOURCE.random()) for row in X]
TUNE = ("tune", "data.csv", "--lambdas", "12", "--quiet")


class Classes(CommandCase):
    def data(self, y):
        self.write("data.csv", csv(columns_of(X, y)))

    def lines(self, *words, **options):
        return self.run_alo(*words, **options).out.splitlines()

    def test_words_are_two_classes(self):
        self.data(WORDS)
        run = self.run_alo("tune", "data.csv", "--lambdas", "12", "--json", "result.json")
        self.assertIn("the loss is logistic", run.err)
        self.assertIn("+1 is 'yes', -1 is 'no'", run.err)
        self.assertIn("deviance", run.out)
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["data"]["classes"], ["no", "yes"])
        self.assertEqual((result["problem"]["loss"], result["problem"]["metric"]), ("logistic", "deviance"))
        for point in result["path"]:
            self.assertTrue(is_number(point["intercept"]))
            self.assertTrue(all(is_number(value) for value in point["coefficients"]))
        chosen = result["selection"]["min"]
        self.assertGreater(chosen["coefficients"][0], 0)
        counts = result["selection"]["confusion"]["counts"]
        self.assertEqual([sum(row) for row in counts], [WORDS.count("no"), WORDS.count("yes")])
        self.assertGreater(counts[0][0] + counts[1][1], 0.7 * N)

    def test_numbers_words_and_files_are_the_same_classes(self):
        results = []
        for y in (WORDS, BITS, [2 * bit - 1 for bit in BITS]):
            self.data(y)
            results.append(self.run_json(*TUNE))
        self.write("a.svm", libsvm(X, BITS))
        results.append(self.run_json("tune", "a.svm", "--lambdas", "12", "--quiet"))
        self.write("X.npy", npy(X))
        for content in ("\n".join(WORDS), "answer\n" + "\n".join(WORDS) + "\n"):
            self.write("y.txt", content)
            results.append(self.run_json("tune", "X.npy", "--response", "y.txt", "--lambdas", "12", "--quiet"))
        labels = [result["data"]["classes"] for result in results]
        self.assertEqual(labels, [["no", "yes"], ["0", "1"], ["-1", "1"], ["0", "1"], ["no", "yes"], ["no", "yes"]])
        for result in results[1:]:
            # A sparse file is summed in another order: fits agree to the tolerance of their certificates.
            self.assert_close(result["selection"]["min"]["coefficients"], results[0]["selection"]["min"]["coefficients"],
                              1e-6, labels)

    def test_the_positive_class_can_be_named(self):
        self.data(WORDS)
        usual = self.run_json(*TUNE)["selection"]["min"]["coefficients"]
        turned = self.run_json(*TUNE, "--positive", "no")
        self.assertEqual(turned["data"]["classes"], ["yes", "no"])
        self.assert_close(turned["selection"]["min"]["coefficients"], [-value for value in usual], 1e-6)

    def test_predictions_of_two_classes(self):
        self.data(WORDS)
        self.run_alo(*TUNE, "--out", "model")
        link = [float(line) for line in self.lines("predict", "model", "data.csv", "--type", "link")[1:]]
        response = self.lines("predict", "model", "data.csv")
        self.assertEqual(response[0], "prediction")
        self.assert_close([float(line) for line in response[1:]], [1 / (1 + math.exp(-u)) for u in link], 1e-12)
        labels = self.lines("predict", "model", "data.csv", "--type", "class")
        self.assertEqual(labels, ["prediction"] + ["yes" if u > 0 else "no" for u in link])

    def test_several_classes(self):
        self.data(LEVELS)
        run = self.run_alo("tune", "data.csv", "--penalty", "ridge", "--lambdas", "8", "--out", "model", "--predictions")
        self.assertIn("is text with 3 values: the loss is multinomial", run.err)
        self.assertIn("3 classes: 'high', 'low', 'medium'", run.err)
        result = json.loads((self.folder / "model/result.json").read_text())
        self.assertEqual(result["data"]["classes"], ["high", "low", "medium"])
        chosen = result["selection"]["min"]
        self.assertEqual([len(chosen["intercept"]), len(chosen["coefficients"])], [3, P])
        self.assertEqual({len(row) for row in chosen["coefficients"]}, {3})
        self.assertEqual([len(row) for row in chosen["predictions"]["alo"]], [3] * N)
        self.assertEqual(len(chosen["predictions"]["leverage"]), N)
        self.assertEqual(len(result["selection"]["confusion"]["counts"]), 3)
        link = self.lines("predict", "model", "data.csv", "--type", "link")
        self.assertEqual(link[0], "link:high,link:low,link:medium")
        for row, line in zip(X, link[1:]):
            expected = [b + sum(x * c[k] for x, c in zip(row, chosen["coefficients"]))
                        for k, b in enumerate(chosen["intercept"])]
            self.assert_close([float(cell) for cell in line.split(",")], expected, 1e-12)
        response = self.lines("predict", "model", "data.csv")
        self.assertEqual(response[0], "probability:high,probability:low,probability:medium")
        labels = self.lines("predict", "model", "data.csv", "--type", "class")[1:]
        for line, label in zip(response[1:], labels):
            cells = [float(cell) for cell in line.split(",")]
            self.assertAlmostEqual(sum(cells), 1, 12)
            self.assertEqual(label, ["high", "low", "medium"][cells.index(max(cells))])
        self.assertGreater(sum(a == b for a, b in zip(labels, LEVELS)), 0.6 * N)

    def test_counts(self):
        self.data(COUNTS)
        result = self.run_json(*TUNE, "--loss", "poisson", "--metric", "deviance,mae", "--out", "model")
        self.assertEqual(result["data"]["classes"], [])
        self.assertNotIn("confusion", result["selection"])
        self.assertEqual(sorted(result["path"][0]["risk"]), ["deviance", "mae"])
        link = [float(line) for line in self.lines("predict", "model", "data.csv", "--type", "link")[1:]]
        mean = [float(line) for line in self.lines("predict", "model", "data.csv")[1:]]
        self.assert_close(mean, [math.exp(u) for u in link], 1e-12)
        self.run_alo("predict", "model", "data.csv", "--type", "class", code=2)

    def test_delta_is_chosen_said_and_kept(self):
        self.data(SCORES)
        run = self.run_alo("tune", "data.csv", "--loss", "huber", "--lambdas", "8", "--out", "model")
        self.assertIn("delta is ", run.err)
        model = json.loads((self.folder / "model/model.json").read_text())
        self.assertGreater(model["parameters"]["delta"], 0)
        predictions = self.lines("predict", "model", "data.csv")
        self.assertEqual(len(predictions), N + 1)
        given = self.run_json(*TUNE, "--loss", "huber", "--delta", "0.5")
        self.assertEqual(given["problem"]["parameters"], {"delta": 0.5})
        self.assertEqual(given["problem"]["metric"], "huber")

    def test_a_metric_that_does_not_fit_the_loss_of_the_target(self):
        self.data(WORDS)
        run = self.run_alo(*TUNE, "--metric", "mse", code=3)
        self.assertIn("mse", run.err)
        self.assertIn("follows from the target", run.err)
        self.assertIn("auc", self.run_json(*TUNE, "--metric", "auc,misclassification")["path"][0]["risk"])


if __name__ == "__main__":
    unittest.main()
