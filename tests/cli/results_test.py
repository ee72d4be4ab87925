# SPDX-License-Identifier: MIT
"""What a run prints and writes: every format, every option that changes the result."""

import json
import math
import unittest

from command import CommandCase, columns_of, csv, data_csv, gz, is_number, libsvm, mtx, npy, simulate

X, Y = simulate(40, 6)
FILES = ("result.json", "risk.csv", "coefficients.csv", "model.json", "risk.svg", "paths.svg", "leverage.svg",
         "report.html")


def without_timing(result):
    return {key: value for key, value in result.items() if key != "timing"}


class Results(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("data.csv", csv(columns_of(X, Y)))

    def coefficients(self, *words, **options):
        result = self.run_json(*words, **options)
        return result["path"][0]["coefficients"], result

    def test_json_has_the_keys_of_the_contract(self):
        result = self.run_json("tune", "data.csv")
        self.assertEqual(result["format"], "alo-result/1")
        self.assertEqual(result["data"]["rows"], 40)
        self.assertEqual(result["data"]["columns"], [f"x{j}" for j in range(1, 7)])
        self.assertEqual(result["data"]["target"], "y")
        self.assertEqual(result["data"]["classes"], [])
        problem = result["problem"]
        self.assertEqual((problem["loss"], problem["penalty"], problem["metric"]), ("squared", "lasso", "mse"))
        self.assertEqual((problem["intercept"], problem["standardize"]), (True, True))
        self.assertIsInstance(problem["parameters"], dict)
        self.assertIsInstance(problem["objective"], str)
        lambdas = [point["lambda"] for point in result["path"]]
        self.assertGreaterEqual(len(lambdas), 100)
        self.assertEqual(lambdas, sorted(lambdas, reverse=True))
        for point in result["path"]:
            self.assertEqual(len(point["coefficients"]), 6)
            self.assertTrue(is_number(point["intercept"]) and is_number(point["df"]) and is_number(point["kkt"]))
            self.assertLessEqual(point["gap"], 1e-10)
            self.assertEqual(point["status"], "converged")
            self.assertEqual(sorted(point["risk"]), ["mse"])
            self.assertTrue({"mean", "se", "undefined"} <= point["risk"]["mse"]["alo"].keys())
            self.assertTrue({"mean", "se", "undefined", "kind", "error"} <= point["risk"]["mse"]["estimate"].keys())
            self.assertNotIn("predictions", {k for k, v in point.items() if v is not None})
        selection = result["selection"]
        self.assertEqual((selection["rule"], selection["search"]), ("min", "grid"))
        self.assertEqual(selection["lambda"], selection["min"]["lambda"])
        self.assertEqual(lambdas[selection["index"]], selection["lambda"])
        self.assertGreaterEqual(selection["one_se"]["lambda"], selection["min"]["lambda"])
        risks = [point["risk"]["mse"]["estimate"]["mean"] for point in result["path"]]
        self.assertEqual(min(risks), risks[selection["index"]])
        self.assertEqual(selection["chosen_by"], "exact")
        self.assertEqual((selection["min"]["kind"], selection["min"]["error"]), ("exact", 0))
        self.assertEqual(selection["min"]["alo"], {"mse": result["path"][selection["index"]]["risk"]["mse"]["alo"]})
        self.assertEqual(result["verdict"], {"reliable": True, "reasons": []})
        self.assertTrue({"read_s", "fit_s", "alo_s", "exact_s", "kfold_s"} <= result["timing"].keys())
        self.assertIs(result["complete"], True)
        self.assertEqual(result["seed"], 1)
        self.assertRegex(result["version"], r"^\d+\.\d+\.\d+$")

    def test_table(self):
        run = self.run_alo("tune", "data.csv")
        self.assertIn("lambda", run.out)
        self.assertNotIn("\x1b", run.out)
        self.assertNotIn("{", run.out)

    def test_report_folder(self):
        run = self.run_alo("tune", "data.csv", "--out", "a/report", "--json", "r.json")
        self.assertEqual(sorted(p.name for p in (self.folder / "a/report").iterdir()), sorted(FILES))
        self.assertIn("a/report/report.html", run.err)
        self.assertEqual((self.folder / "r.json").read_text(), (self.folder / "a/report/result.json").read_text())
        quiet = self.run_alo("tune", "data.csv", "--out", "a/report", "--quiet")
        self.assertEqual(quiet.err, "")
        self.assertEqual(quiet.out, run.out)

    def test_formats_agree(self):
        expected, _ = self.coefficients("fit", "data.csv", "--lambda", 2)
        text = (self.folder / "data.csv").read_text()
        response = "y\n" + "\n".join(map(str, Y)) + "\n"
        self.write("y.csv", response)
        self.write("data.csv.gz", gz(text))
        self.write("data.tsv", text.replace(",", "\t"))
        self.write("other.txt", "a title\n" + text)
        self.write("data.svm", libsvm(X, Y))
        self.write("data.libsvm.gz", gz(libsvm(X, Y)))
        self.write("X.npy", npy(X))
        self.write("F.npy", npy(X, order="F"))
        self.write("X.npy.gz", gz(npy(X)))
        self.write("X.mtx", mtx(X))
        self.write("X.mtx.gz", gz(mtx(X)))
        self.write("noheader.csv", "\n".join(text.splitlines()[1:]) + "\n")
        with_response = ["--response", "y.csv"]
        for words in (["data.csv.gz"], ["data.tsv"], ["other.txt", "--format", "csv", "--skip", "1"],
                      ["data.svm", "--format", "libsvm"], ["data.libsvm.gz"], ["noheader.csv"],
                      ["X.npy", *with_response], ["F.npy", *with_response], ["X.npy.gz", *with_response],
                      ["X.mtx", *with_response], ["X.mtx.gz", *with_response]):
            with self.subTest(words):
                actual, result = self.coefficients("fit", *words, "--lambda", 2)
                self.assert_close(actual, expected, 1e-9, words[0])
                self.assertEqual(result["data"]["rows"], 40)

    def test_standard_input(self):
        expected, _ = self.coefficients("fit", "data.csv", "--lambda", 2)
        actual, _ = self.coefficients("fit", "-", "--lambda", 2, stdin=(self.folder / "data.csv").read_bytes())
        self.assertEqual(actual, expected)
        actual, _ = self.coefficients("fit", "-", "--format", "libsvm", "--lambda", 2, stdin=libsvm(X, Y).encode())
        self.assert_close(actual, expected, 1e-9)

    def test_target_and_drop(self):
        self.write("other.csv", csv({"y": Y, "id": list(range(40)), **columns_of(X)}))
        expected, _ = self.coefficients("fit", "data.csv", "--lambda", 2)
        for target in ("y", "1"):
            actual, result = self.coefficients("fit", "other.csv", "--target", target, "--drop", "id", "--lambda", 2)
            self.assertEqual(actual, expected)
            self.assertEqual(result["data"]["target"], "y")
        _, result = self.coefficients("fit", "other.csv", "--target", "y", "--drop", "id,x6,x2", "--lambda", 2)
        self.assertEqual(result["data"]["columns"], ["x1", "x3", "x4", "x5"])

    def test_models(self):
        found = {}
        for words in (["lasso"], ["ridge"], ["elastic-net"], ["elastic-net", "--mix", 1], ["elastic-net", "--mix", 0]):
            found[tuple(words)], result = self.coefficients("fit", "data.csv", "--lambda", 20, "--penalty", *words)
            self.assertEqual(result["problem"]["penalty"], words[0])
            if words[0] == "elastic-net":
                self.assertEqual(result["problem"]["parameters"]["mix"], words[2] if len(words) > 1 else 0.5)
        self.assert_close(found["elastic-net", "--mix", 1], found["lasso",], 1e-8)
        self.assert_close(found["elastic-net", "--mix", 0], found["ridge",], 1e-8)
        self.assertIn(0, found["lasso",])
        self.assertNotIn(0, found["ridge",])

    def test_fixed_ridge_part(self):
        """At one lambda it is an elastic net: lambda |b| + rho b^2/2 is (lambda + rho) (a |b| + (1 - a) b^2/2)."""
        words = ("--penalty", "elastic-net", "--exact", "--predictions")
        fixed, result = self.coefficients("fit", "data.csv", "--lambda", 6, "--ridge", 14, *words)
        mixed, other = self.coefficients("fit", "data.csv", "--lambda", 20, "--mix", 0.3, *words)
        self.assert_close(fixed, mixed, 1e-9)
        for key in ("alo", "exact", "leverage"):
            self.assert_close(result["path"][0]["predictions"][key], other["path"][0]["predictions"][key], 1e-9)
        self.assertEqual(result["path"][0]["predictions"]["certified"], other["path"][0]["predictions"]["certified"])
        self.assertEqual(result["problem"]["parameters"], {"ridge": 14})
        self.assertIn("lambda * lasso penalty + 14 * ridge penalty", result["problem"]["objective"])

        self.run_alo("tune", "data.csv", "--penalty", "elastic-net", "--ridge", 14, "--folds", 5, "--out", "report")
        model = json.loads((self.folder / "report/model.json").read_text())
        self.assertEqual(model["parameters"], {"ridge": 14})
        self.assertIn("14 * ridge penalty", model["objective"])
        self.run_alo("predict", "report", "data.csv")
        chosen = model["min"]
        expected, _ = self.coefficients("fit", "data.csv", "--lambda", repr(chosen["lambda"]), "--ridge", 14, *words[:2])
        self.assert_close(chosen["coefficients"], expected, 1e-9)

    def test_standardize_and_intercept(self):
        stretched = [[100 * row[0], *row[1:]] for row in X]
        self.write("stretched.csv", csv(columns_of(stretched, Y)))
        plain, result = self.coefficients("fit", "data.csv", "--lambda", 5)
        scaled, _ = self.coefficients("fit", "stretched.csv", "--lambda", 5)
        self.assert_close([100 * scaled[0], *scaled[1:]], plain, 1e-8, "standardised fits do not see the scale")
        self.assertNotEqual(result["path"][0]["intercept"], 0)
        raw, _ = self.coefficients("fit", "stretched.csv", "--lambda", 5, "--no-standardize")
        self.assertGreater(abs(100 * raw[0] - plain[0]), 1e-3)
        same, result = self.coefficients("fit", "data.csv", "--lambda", 5, "--standardize", "--intercept")
        self.assertEqual(same, plain)
        _, result = self.coefficients("fit", "data.csv", "--lambda", 5, "--no-intercept")
        self.assertEqual(result["path"][0]["intercept"], 0)
        self.assertIs(result["problem"]["intercept"], False)

    def test_ridge_against_the_closed_form(self):
        # One column without intercept: b = x'y / (x'x + lambda).
        x = [row[0] for row in X]
        self.write("one.csv", csv({"x": x, "y": Y}))
        actual, _ = self.coefficients("fit", "one.csv", "--penalty", "ridge", "--lambda", 3, "--no-intercept",
                                      "--no-standardize")
        expected = sum(a * b for a, b in zip(x, Y)) / (sum(a * a for a in x) + 3)
        self.assert_close(actual, [expected], 1e-12)

    def test_weights_and_offset(self):
        counts = [1 + i % 3 for i in range(40)]
        shift = [round(math.sin(i), 6) for i in range(40)]
        self.write("w.csv", csv(columns_of(X, Y, count=counts, shift=shift)))
        repeated = [i for i in range(40) for _ in range(counts[i])]
        self.write("repeated.csv", csv(columns_of([X[i] for i in repeated], [Y[i] for i in repeated],
                                                  shift=[shift[i] for i in repeated])))
        words = ("--lambda", 4, "--offset", "shift", "--exact")
        weighted = self.run_json("fit", "w.csv", *words, "--weights", "count", "--weights-are", "frequency")
        plain = self.run_json("fit", "repeated.csv", *words)
        self.assertEqual(weighted["data"]["columns"], plain["data"]["columns"])
        self.assert_close(weighted["path"][0]["coefficients"], plain["path"][0]["coefficients"], 1e-7)
        for way in ("alo", "exact"):
            self.assertAlmostEqual(weighted["path"][0]["risk"]["mse"][way]["mean"],
                                   plain["path"][0]["risk"]["mse"][way]["mean"], delta=1e-7)
        without = self.run_json("fit", "repeated.csv", "--lambda", 4, "--drop", "shift")
        self.assertNotAlmostEqual(without["path"][0]["coefficients"][0], plain["path"][0]["coefficients"][0], delta=1e-6)
        importance = self.run_json("fit", "w.csv", *words, "--weights", "count")
        self.assert_close(importance["path"][0]["coefficients"], weighted["path"][0]["coefficients"], 1e-7)
        self.assertNotAlmostEqual(importance["path"][0]["risk"]["mse"]["alo"]["mean"],
                                  weighted["path"][0]["risk"]["mse"]["alo"]["mean"], delta=1e-4)

    def test_penalty_weights(self):
        self.write("f.csv", "factor\n1\n0\ninf\n1\n1\n1\n")
        actual, result = self.coefficients("fit", "data.csv", "--lambda", 1e4, "--penalty-weights", "f.csv")
        self.assertNotEqual(actual[1], 0, "an unpenalised coefficient is not shrunk away")
        self.assertEqual([actual[j] for j in (0, 2, 3, 4, 5)], [0] * 5)
        self.assertEqual(result["problem"]["parameters"]["penalty_weights"], [1, 0, None, 1, 1, 1])

    def test_exact_folds_and_metrics(self):
        result = self.run_json("tune", "data.csv", "--exact", "--folds", 5, "--metric", "mae,r2,mse", "--lambdas", 7)
        self.assertEqual(result["problem"]["metric"], "mae")
        for point in result["path"]:
            self.assertEqual(sorted(point["risk"]), ["mae", "mse", "r2"])
            for ways in point["risk"].values():
                self.assertTrue(all(is_number(ways[way]["mean"]) and is_number(ways[way]["se"])
                                    for way in ("alo", "estimate", "exact", "kfold")))
        best = min(point["risk"]["mae"]["estimate"]["mean"] for point in result["path"])
        chosen = result["path"][result["selection"]["index"]]
        self.assertEqual(chosen["risk"]["mae"]["estimate"]["mean"], best)

    def test_ridge_is_exact(self):
        """Its formula stands for exact leave-one-out, unless refits are asked for; then they agree."""
        words = ("tune", "data.csv", "--penalty", "ridge", "--lambdas", 9, "--predictions")
        result = self.run_json(*words)
        self.assertEqual(result["selection"]["chosen_by"], "exact")
        for point in result["path"]:
            self.assertNotIn("exact", point["risk"]["mse"])
            self.assertEqual(point["risk"]["mse"]["estimate"], {**point["risk"]["mse"]["alo"], "kind": "exact", "error": 0})
        self.assertIn("which is exact for this model", " ".join(self.run_alo(*words[:-1]).out.split()))
        refitted = self.run_json(*words, "--exact")
        for point in refitted["path"]:
            self.assert_close(point["predictions"]["alo"], point["predictions"]["exact"], 1e-9)
            self.assertEqual(point["predictions"]["certified"], [True] * 40)
            self.assertAlmostEqual(point["risk"]["mse"]["exact"]["mean"], point["risk"]["mse"]["alo"]["mean"], delta=1e-9)

    def test_predictions(self):
        result = self.run_json("tune", "data.csv", "--predictions", "--lambdas", 5)
        for point in result["path"]:
            rows = point["predictions"]
            for name in ("fitted", "alo", "leverage", "certified", "flags"):
                self.assertEqual(len(rows[name]), 40, name)
            self.assertAlmostEqual(sum(rows["leverage"]), point["df"], delta=1e-9)
            mse = sum((y - u) ** 2 for y, u in zip(Y, rows["alo"])) / 40
            self.assertAlmostEqual(mse, point["risk"]["mse"]["alo"]["mean"], delta=1e-9)
            fitted = [point["intercept"] + sum(b * x for b, x in zip(point["coefficients"], row)) for row in X]
            self.assert_close(rows["fitted"], fitted, 1e-9)

    def test_rule_search_and_grid(self):
        result = self.run_json("tune", "data.csv", "--rule", "1se", "--lambdas", 20, "--lambda-ratio", 0.01)
        lambdas = [point["lambda"] for point in result["path"]]
        self.assertGreaterEqual(len(lambdas), 20)
        self.assertAlmostEqual(lambdas[19] / lambdas[0], 0.01, delta=1e-9)
        self.assertEqual(result["selection"]["lambda"], result["selection"]["one_se"]["lambda"])
        explicit = self.run_json("tune", "data.csv", "--lambda", "1,4,2")
        self.assertEqual([point["lambda"] for point in explicit["path"]], [4, 2, 1])
        grid = self.run_json("tune", "data.csv")
        exact = self.run_json("tune", "data.csv", "--search", "exact")
        self.assertEqual(exact["selection"]["search"], "exact")
        self.assertIsNone(exact["selection"]["index"])
        refit = self.run_json("fit", "data.csv", "--lambda", repr(exact["selection"]["lambda"]))
        self.assertEqual(exact["selection"]["chosen_by"], "alo")
        risk = refit["path"][0]["risk"]["mse"]["alo"]["mean"]
        self.assertLessEqual(risk, min(p["risk"]["mse"]["alo"]["mean"] for p in grid["path"]) + 1e-9)

    def test_same_seed_same_bytes(self):
        words = ("tune", "data.csv", "--folds", 4, "--exact", "--lambdas", 12, "--predictions", "--json", "-")
        first, second = (self.run_alo(*words).out for _ in range(2))
        self.assertEqual(without_timing(json.loads(first)), without_timing(json.loads(second)))
        self.assertEqual(first.split('"timing"')[0], second.split('"timing"')[0])
        other = json.loads(self.run_alo(*words, "--seed", 2).out)
        self.assertEqual(other["seed"], 2)
        self.assertNotEqual(other["path"][5]["risk"]["mse"]["kfold"], json.loads(first)["path"][5]["risk"]["mse"]["kfold"])

    def test_threads_agree(self):
        words = ("tune", "data.csv", "--folds", 4, "--exact", "--lambdas", 12, "--predictions")
        one, three = (self.run_json(*words, "--threads", threads) for threads in (1, 3))
        self.compare(without_timing(one), without_timing(three))

    def compare(self, a, b, where="result"):
        self.assertIs(type(a), type(b), where)
        if isinstance(a, dict):
            self.assertEqual(a.keys(), b.keys(), where)
            for key in a:
                self.compare(a[key], b[key], f"{where}.{key}")
        elif isinstance(a, list):
            self.assertEqual(len(a), len(b), where)
            for i, pair in enumerate(zip(a, b)):
                self.compare(*pair, f"{where}[{i}]")
        elif isinstance(a, float) and not where.endswith((".gap", ".kkt")):
            self.assertTrue(abs(a - b) <= 1e-12 * max(1, abs(a)), f"{where}: {a} and {b}")

    def test_repair(self):
        # Row 1 alone has x1: its leverage is one and nothing predicts it.
        rows = [[1 if i == 0 else 0, *row[1:]] for i, row in enumerate(X)]
        self.write("alone.csv", csv(columns_of(rows, Y)))
        self.write("f.csv", "0\n1\n1\n1\n1\n1\n")
        words = ("fit", "alone.csv", "--lambda", 1, "--penalty-weights", "f.csv", "--predictions", "--effort", 0)
        point = self.run_json(*words)["path"][0]
        self.assertEqual(point["predictions"]["flags"][0], "leverage_one")
        self.assertIsNone(point["predictions"]["alo"][0])
        for way in ("alo", "estimate"):
            self.assertIsNone(point["risk"]["mse"][way]["mean"])
            self.assertEqual(point["risk"]["mse"][way]["undefined"], 1)
        self.run_alo(*words, "--strict", "--json", "r.json", code=5)
        repaired = self.run_json(*words, "--repair", "exact", code=None)["path"][0]
        self.assertEqual(repaired["predictions"]["flags"][0], "repaired")
        self.assertIsNotNone(repaired["predictions"]["alo"][0])
        self.assertEqual(repaired["risk"]["mse"]["alo"]["undefined"], 0)

    def test_predict(self):
        self.write("train.csv", csv(columns_of(X, Y, town=[("Bern", "Chur", "Genf")[i % 3] for i in range(40)],
                                               shift=[i % 5 for i in range(40)])))
        self.run_alo("tune", "train.csv", "--offset", "shift", "--out", "report", "--predictions")
        result = json.loads((self.folder / "report/result.json").read_text())
        selection = result["selection"]
        fitted = result["path"][selection["index"]]["predictions"]["fitted"]
        run = self.run_alo("predict", "report", "train.csv")
        lines = run.out.splitlines()
        self.assertEqual(lines[0], "prediction")
        self.assert_close([float(line) for line in lines[1:]], fitted, 1e-12, "prediction")
        self.assertEqual(self.run_alo("predict", "report/model.json", "train.csv", "--type", "link").out, run.out)
        self.assertEqual(self.run_alo("predict", "report", "train.csv", "--at", "min").out, run.out)
        one_se = self.run_alo("predict", "report", "train.csv", "--at", "1se").out.splitlines()[1:]
        index = selection["one_se"]["index"]
        self.assert_close([float(line) for line in one_se], result["path"][index]["predictions"]["fitted"], 1e-12)
        # Columns are found by name, whatever their order and whatever else there is.
        header, *rows = (self.folder / "train.csv").read_text().splitlines()
        turned = "\n".join(",".join(reversed(line.split(","))) for line in (header, *rows)) + "\n"
        self.assertEqual(self.run_alo("predict", "report", "-", stdin=turned.encode()).out, run.out)

    def test_predict_at_the_rule_of_the_model(self):
        self.run_alo("tune", "data.csv", "--rule", "1se", "--out", "report")
        by_rule = self.run_alo("predict", "report", "data.csv").out
        self.assertEqual(by_rule, self.run_alo("predict", "report", "data.csv", "--at", "1se").out)
        self.assertNotEqual(by_rule, self.run_alo("predict", "report", "data.csv", "--at", "min").out)

    def test_predict_other_formats(self):
        self.write("y.csv", "\n".join(map(str, Y)) + "\n")
        self.write("data.svm", libsvm(X, Y))
        self.write("X.npy", npy(X))
        self.write("X.mtx", mtx(X))
        self.run_alo("fit", "data.csv", "--lambda", 2, "--out", "csv")
        expected = [float(line) for line in self.run_alo("predict", "csv", "data.csv").out.splitlines()[1:]]
        for name, words in (("data.svm", ["--format", "libsvm"]), ("X.npy", []), ("X.mtx", [])):
            with self.subTest(name):
                response = [] if "svm" in name else ["--response", "y.csv"]
                self.run_alo("fit", name, *words, *response, "--lambda", 2, "--out", "model")
                lines = self.run_alo("predict", "model", name, *words).out.splitlines()[1:]
                self.assert_close([float(line) for line in lines], expected, 1e-9, name)

    def test_check(self):
        run = self.run_alo("check", "data.csv", "--penalty", "ridge")
        for text in ("40 of 40", "mean", "max", "95 %", "can be trusted"):
            self.assertIn(text, run.out)
        self.assertLess(len(run.out.splitlines()), 24)
        result = self.run_json("check", "data.csv", "--lambda", 3, "--sample", 15)
        check = result["check"]
        self.assertEqual(check["lambda"], 3)
        self.assertEqual(len(set(check["rows"])), 15)
        self.assertGreaterEqual(check["max_difference"], check["mean_difference"])
        full = self.run_json("fit", "data.csv", "--lambda", 3, "--exact", "--predictions")["path"][0]["predictions"]
        gaps = [abs(a - b) for a, b in zip(full["alo"], full["exact"])]
        sampled = self.run_json("check", "data.csv", "--lambda", 3)["check"]
        self.assertAlmostEqual(sampled["max_difference"], max(gaps), delta=1e-8)
        self.assertAlmostEqual(sampled["mean_difference"], sum(gaps) / 40, delta=1e-8)
        self.assertEqual(self.run_json("check", "data.csv", "--lambda", 3, "--sample", 15)["check"], check)
        for one in (check, sampled):
            self.assertIn(one["verdict"], ("trusted", "undecided", "refuted"))
            self.assertEqual(one["deciding_rows"] is None, one["verdict"] != "undecided")
        self.assertNotEqual(sampled["verdict"], "undecided")  # every row is settled

    def test_check_is_strict_about_what_it_does_not_know(self):
        # Twice as many columns as rows and a small lambda: ALO is far from exact leave-one-out, and few rows do not
        # tell by how much.
        self.write("wide.csv", csv(columns_of(*simulate(40, 80))))
        few = self.run_alo("check", "wide.csv", "--lambda", 2, "--sample", 5, "--strict", code=5)
        self.assertIn("Undecided", few.out)
        ridge = self.run_alo("check", "wide.csv", "--penalty", "ridge", "--lambda", 50, "--sample", 5, "--strict")
        self.assertIn("ALO can be trusted here", ridge.out)

    def test_outer(self):
        result = self.run_json("tune", "data.csv", "--outer", 4, "--metric", "mse,mae")
        outer = result["outer"]
        self.assertEqual((outer["folds"], outer["complete"], len(outer["lambda"])), (4, True, 4))
        self.assertEqual(outer["mean"], outer["risk"]["mse"]["mean"])
        self.assertGreater(outer["se"], 0)
        self.assertGreater(outer["risk"]["mae"]["mean"], 0)
        run = self.run_alo("tune", "data.csv", "--outer", 4, "--out", "report")
        self.assertIn("Tuned and judged on 4 outer folds: mse", run.out)
        page = (self.folder / "report" / "report.html").read_text()
        self.assertIn("Tuned and judged on 4 outer folds", page)
        without = self.run_alo("tune", "data.csv", "--out", "plain")
        self.assertNotIn("outer folds", without.out)
        self.assertIn("--outer 10", (self.folder / "plain" / "report.html").read_text())
        self.assertNotIn("outer", self.run_json("tune", "data.csv"))

    def test_all_coefficients(self):
        # More than a million columns: coefficients are given at the chosen lambda only, unless asked for.
        wide = [[(1 + (j * 7919 + i * 104729) % 1000000, 1 + (i * j) % 5) for j in range(1, 1500)] for i in range(12)]
        rows = [f"{y} " + " ".join(f"{j}:{v}" for j, v in sorted(dict(row).items())) + " 1000001:1"
                for y, row in zip(Y, wide)]
        self.write("wide.svm", "\n".join(rows) + "\n")
        words = ("tune", "wide.svm", "--format", "libsvm", "--lambda", "9,6", "--penalty", "ridge", "--no-standardize")
        result = self.run_json(*words)
        self.assertIn(None, [point.get("coefficients") for point in result["path"]])
        self.assertEqual(len(result["selection"]["min"]["coefficients"]), 1000001)
        result = self.run_json(*words, "--all-coefficients")
        self.assertEqual([len(point["coefficients"]) for point in result["path"]], [1000001] * 2)

    def test_text_columns(self):
        self.write("text.csv", csv({"sex": ["f", "m"] * 20, "town": ["a", "b", "c", "d"] * 10,
                                    "y": [i % 7 + i % 2 for i in range(40)]}))
        result = self.run_json("tune", "text.csv")
        self.assertEqual(len(result["data"]["columns"]), 5)


if __name__ == "__main__":
    unittest.main()
