# SPDX-License-Identifier: MIT
"""Penalties on coefficients that belong together, from their files to the report."""

import json
import random
import unittest

from command import CommandCase, columns_of, csv, gz, mtx, npy

SOURCE = random.Random(5)
N, P = 40, 6
X = [[round(SOURCE.gauss(0, 1), 4) for _ in range(P)] for _ in range(N)]
EFFECTS = [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
Y = [round(sum(b * x for b, x in zip(EFFECTS, row)) + 0.5 * SOURCE.gauss(0, 1), 4) for row in X]
CHAIN = [[-1.0 if j == k else 1.0 if j == k + 1 else 0.0 for j in range(P)] for k in range(P - 1)]
SIGNAL = [round((0 if i < 30 else 3) + 0.5 * SOURCE.gauss(0, 1), 4) for i in range(60)]
FIT = ("fit", "data.csv", "--lambda", "4", "--quiet", "--predictions")


def text(rows):
    return "\n".join(",".join(map(str, row)) for row in rows) + "\n"


class Structure(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("data.csv", csv(columns_of(X, Y)))

    def fit(self, *words):
        return self.run_json(*FIT, *words)["path"][0]

    def assert_same_fit(self, a, b):
        self.assert_close(a["coefficients"], b["coefficients"], 1e-7)
        self.assert_close(a["predictions"]["alo"], b["predictions"]["alo"], 1e-6)

    def refused(self, code, says, *words):
        error = self.run_alo(*FIT[:-1], *words, code=code).err
        self.assertIn(says, " ".join(error.split()))

    def test_a_matrix_of_any_format(self):
        fused = self.fit("--penalty", "fused-lasso")
        self.assertLess(len(set(fused["coefficients"])), P)
        self.write("D.csv", text(CHAIN))
        self.write("named.csv", text([[f"b{j}" for j in range(P)], *CHAIN]))
        self.write("D.npy", npy(CHAIN))
        self.write("D.mtx", mtx(CHAIN))
        self.write("D.mtx.gz", gz(mtx(CHAIN)))
        for file in ("D.csv", "named.csv", "D.npy", "D.mtx", "D.mtx.gz"):
            with self.subTest(file):
                self.assert_same_fit(self.fit("--penalty", "generalized-lasso", "--penalty-matrix", file), fused)

    def test_a_matrix_of_units_is_the_lasso(self):
        self.write("D.csv", text([[float(j == k) for j in range(P)] for k in range(P)]))
        self.assert_same_fit(self.fit("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv"),
                             self.fit("--penalty", "lasso", "--no-standardize"))

    def test_matrices_that_do_not_fit(self):
        words = ("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv")
        self.write("D.csv", text(row[:-1] for row in CHAIN))
        self.refused(3, "D.csv: the penalty matrix has 5 columns for 6 coefficients", *words)
        self.write("D.csv", text([[1, 2, "NA", 4, 5, 6]]))
        self.refused(3, "D.csv, row 1, column 3: the value is missing or not finite", *words)
        self.write("D.csv", text([[1] * P, [1, 2, "three", 4, 5, 6]]))
        self.refused(3, "D.csv, row 2, column 3: 'three' is not a number", *words)
        self.refused(3, "none.csv", *words[:-1], "none.csv")

    def test_order(self):
        constant = self.fit("--penalty", "trend-filter", "--order", "1")
        self.assert_same_fit(constant, self.fit("--penalty", "fused-lasso"))
        linear = self.run_json(*FIT, "--penalty", "trend-filter")
        self.assertEqual(linear["problem"]["parameters"], {"order": 2})
        b = self.run_json("fit", "data.csv", "--quiet", "--lambda", "1e4", "--penalty",
                          "trend-filter")["path"][0]["coefficients"]
        self.assert_close([b[k] - 2 * b[k + 1] + b[k + 2] for k in range(P - 2)], [0] * (P - 2), 1e-9)
        self.refused(2, "--order: '0' is not a whole number from 1", "--penalty", "trend-filter", "--order", "0")

    def test_options_of_other_penalties(self):
        self.write("any.csv", "1\n")
        for words, owner in ((["--order", "1"], "trend-filter"), (["--penalty-matrix", "any.csv"], "generalized-lasso")):
            self.refused(2, f"{words[0]} belongs to --penalty {owner}; the penalty here is lasso", *words)
        self.refused(2, "needs D: add --penalty-matrix FILE", "--penalty", "generalized-lasso")
        for penalty in ("fused-lasso", "trend-filter", "wavelet"):
            self.refused(2, "penalises combinations", "--penalty", penalty, "--penalty-weights", "any.csv")
        self.refused(2, "did you mean 'fused-lasso'?", "--penalty", "fused-laso")

    def test_files_are_not_overwritten(self):
        self.write("D.csv", text(CHAIN))
        self.refused(2, "D.csv", "--penalty", "generalized-lasso", "--penalty-matrix", "D.csv", "--json", "D.csv")

    def test_models_predict_what_was_fitted(self):
        for words in (["fused-lasso"], ["trend-filter"], ["wavelet"]):
            with self.subTest(words):
                result = self.run_json("tune", "data.csv", "--quiet", "--lambdas", "12", "--penalty", *words, "--out",
                                       "model", "--predictions")
                self.assertFalse(result["problem"]["standardize"])
                lines = self.run_alo("predict", "model", "data.csv").out.splitlines()[1:]
                self.assert_close([float(line) for line in lines], result["selection"]["min"]["predictions"]["fitted"],
                                  1e-9)


class Signals(CommandCase):
    def setUp(self):
        super().setUp()
        rows = range(len(SIGNAL))
        self.write("data.csv", csv({"day": [f"d{i}" for i in rows], "level": SIGNAL, "note": ["NA" for _ in rows]}))
        self.write("plain.csv", csv({"level": SIGNAL}))

    def test_other_columns_are_ignored_and_said(self):
        words = ("--target", "level", "--design", "identity", "--penalty", "fused-lasso", "--lambdas", "10")
        run = self.run_alo("tune", "data.csv", *words, "--json", "result.json")
        self.assertIn("column 'day' and column 'note' are ignored", " ".join(run.err.split()))
        result = json.loads((self.folder / "result.json").read_text())
        self.assertFalse(result["problem"]["intercept"])
        self.assertFalse(result["problem"]["standardize"])
        self.assertEqual(result["problem"]["parameters"], {"design": "identity"})
        self.assertEqual(result["data"]["columns"], [str(i + 1) for i in range(len(SIGNAL))])
        plain = self.run_alo("tune", "plain.csv", *words, "--json", "plain.json")
        self.assertNotIn("ignored", plain.err)
        self.assertEqual(result["path"], json.loads((self.folder / "plain.json").read_text())["path"])

    def test_other_formats(self):
        self.write("level.npy", npy([[value] for value in SIGNAL], shape=f"({len(SIGNAL)},)"))
        self.write("level.mtx", mtx([[value] for value in SIGNAL]))
        words = ("--design", "identity", "--penalty", "fused-lasso", "--lambda", "2", "--quiet")
        expected = self.run_json("fit", "plain.csv", *words)["path"][0]["coefficients"]
        for file in ("level.npy", "level.mtx"):
            self.assertEqual(self.run_json("fit", file, *words)["path"][0]["coefficients"], expected)

    def test_the_step_is_found(self):
        result = self.run_json("tune", "plain.csv", "--design", "identity", "--penalty", "fused-lasso", "--quiet",
                               "--rule", "1se")
        b = result["selection"]["one_se"]["coefficients"]
        steps = [(abs(b[i + 1] - b[i]), i) for i in range(len(b) - 1)]
        self.assertEqual(max(steps)[1], 29)

    def test_signals_have_no_new_rows(self):
        self.run_alo("tune", "plain.csv", "--design", "identity", "--penalty", "fused-lasso", "--quiet", "--out", "model")
        run = self.run_alo("predict", "model", "plain.csv", code=3)
        self.assertIn("says nothing of new rows", " ".join(run.err.split()))
        self.assertEqual(json.loads((self.folder / "model/model.json").read_text())["parameters"], {"design": "identity"})

    def test_what_does_not_go_with_a_signal(self):
        for words, code, says in ((["--intercept"], 3, "intercept"),
                                  (["--loss", "hinge", "--kernel", "rbf"], 2, "--kernel"),
                                  (["--design", "rank-one"], 2, "available: columns, identity"),
                                  (["--design", "identiy"], 2, "did you mean 'identity'?")):
            with self.subTest(words):
                penalty = [] if "--kernel" in words else ["--penalty", "fused-lasso"]
                design = [] if "--design" in words else ["--design", "identity"]
                run = self.run_alo("tune", "plain.csv", "--quiet", *design, *penalty, *words, code=code)
                self.assertIn(says, run.err)

    def test_long_signals_have_short_reports(self):
        source = random.Random(2)
        rows = 2000
        self.write("long.csv", csv({"y": [round(i // 400 % 2 + 0.3 * source.gauss(0, 1), 4) for i in range(rows)]}))
        self.run_alo("tune", "long.csv", "--design", "identity", "--penalty", "fused-lasso", "--quiet", "--out", "report")
        page = (self.folder / "report/report.html").read_text()
        self.assertLess(len(page), 400_000)
        self.assertIn("The signal and its fit", page)


if __name__ == "__main__":
    unittest.main()
