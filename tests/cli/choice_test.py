# SPDX-License-Identifier: MIT
"""What chooses lambda: the approximation, exact leave-one-out as far as the effort allows, or folds."""

import json
import os
import unittest

from command import CommandCase, columns_of, csv, data_csv, environment, simulate

X, Y = simulate(40, 6)


def estimates(result, metric="mse"):
    return [point["risk"][metric]["estimate"] for point in result["path"]]


def kinds(result):
    return [estimate["kind"] for estimate in estimates(result)]


def one_line(run):
    return " ".join(run.out.split())


def named_effort(run):
    """The effort that the table says would make every risk exact."""
    return float(one_line(run).split("(--effort ")[1].split(")")[0])


class Choice(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("data.csv", csv(columns_of(X, Y)))
        # More columns than rows: leverages near one at small lambdas, where the approximation is in doubt.
        self.write("wide.csv", data_csv(60, 120, seed=5))

    def test_small_problems_are_chosen_by_exact_leave_one_out(self):
        """With the effort of the default it is that of --exact at every lambda, and so at both choices."""
        words = ("tune", "data.csv", "--metric", "mse,mae", "--predictions")
        along = self.run_json(*words, "--exact")
        for options in ((), ("--choose", "auto"), ("--choose", "exact"), ("--effort", 1e6)):
            result = self.run_json(*words, *options)
            self.assertEqual(result["selection"]["chosen_by"], "exact")
            for point, expected in zip(result["path"], along["path"], strict=True):
                for metric in ("mse", "mae"):
                    for key in ("mean", "se"):
                        self.assertAlmostEqual(point["risk"][metric]["exact"][key],
                                               expected["risk"][metric]["exact"][key], delta=1e-9)
                    self.assertEqual(point["risk"][metric]["estimate"],
                                     {**point["risk"][metric]["exact"], "kind": "exact", "error": 0})
            for rule in ("min", "one_se"):
                chosen, point = result["selection"][rule], along["path"][result["selection"][rule]["index"]]
                self.assertEqual(sorted(chosen["exact"]), ["mae", "mse"])
                self.assertEqual(chosen["risk"], chosen["exact"]["mse"]["mean"])
                for metric in ("mse", "mae"):
                    self.assertAlmostEqual(chosen["alo"][metric]["mean"], point["risk"][metric]["alo"]["mean"], delta=1e-9)
                self.assert_close(chosen["predictions"]["exact"], point["predictions"]["exact"], 1e-9)
            risks = [estimate["mean"] for estimate in estimates(result)]
            self.assertEqual(result["selection"]["min"]["risk"], min(risks))
            self.assertEqual(result["verdict"], {"reliable": True, "reasons": []})
        table = one_line(self.run_alo("tune", "data.csv"))
        self.assertIn("Lambda was chosen by exact leave-one-out at every lambda.", table)
        self.assertIn("The choice can be relied on.", table)

    def test_alone(self):
        """Without effort, or by that word, the approximation chooses and nothing else is computed."""
        for options in (("--effort", 0), ("--choose", "alo")):
            result = self.run_json("tune", "data.csv", "--predictions", *options)
            self.assertEqual(result["selection"]["chosen_by"], "alo")
            for point in result["path"]:
                self.assertNotIn("exact", point["risk"]["mse"])
                self.assertEqual(point["risk"]["mse"]["estimate"],
                                 {**point["risk"]["mse"]["alo"], "kind": "alo", "error": None})
            chosen = result["selection"]["min"]
            self.assertEqual((chosen["kind"], chosen["error"]), ("alo", None))
            self.assertNotIn("exact", chosen)
            self.assertNotIn("exact", chosen["predictions"])
            self.assertEqual(chosen["risk"], min(estimate["mean"] for estimate in estimates(result)))
            table = one_line(self.run_alo("tune", "data.csv", *options))
            self.assertIn("Lambda was chosen by approximate leave-one-out alone.", table)
            self.assertNotIn(" ALO ", table)
        fitted = self.run_json("fit", "data.csv", "--lambda", 2)["selection"]["min"]
        self.assertEqual(fitted["kind"], "exact")
        self.assertNotIn("exact", self.run_json("fit", "data.csv", "--lambda", 2, "--effort", 0)["selection"]["min"])

    def test_some_effort_is_spent_where_the_choice_is_made(self):
        """Some of the effort is spread, so that the choice may be sampled or repaired; with enough it is exact."""
        better = ("exact", "sampled", "repaired")
        full = self.run_json("tune", "wide.csv", "--exact")
        everything = named_effort(self.run_alo("tune", "wide.csv", "--effort", 0.01))
        known = 0
        for share in (0.05, 0.2, 0.6):
            effort = share * everything
            result = self.run_json("tune", "wide.csv", "--effort", effort)
            found = kinds(result)
            exact = [k for k, kind in enumerate(found) if kind == "exact"]
            self.assertLess(len(exact), len(found), "some effort is not all")
            self.assertGreaterEqual(len(exact), known, "more effort, no fewer exact risks")
            known = len(exact)
            for k, point in enumerate(result["path"]):
                risk = point["risk"]["mse"]
                self.assertEqual("exact" in risk, k in exact)
                if k in exact:
                    self.assertAlmostEqual(risk["estimate"]["mean"], full["path"][k]["risk"]["mse"]["exact"]["mean"],
                                           delta=1e-9)
                    self.assertEqual(risk["estimate"]["error"], 0)
                if found[k] == "alo":
                    self.assertEqual(risk["estimate"], {**risk["alo"], "kind": "alo", "error": None})
                if found[k] == "corrected":
                    self.assertTrue(set(better) & set(found[:k]) and set(better) & set(found[k:]), "between better ones")
            selection = result["selection"]
            self.assertIn(found[selection["index"]], better)
            self.assertEqual(selection["min"]["kind"], found[selection["index"]])
            self.assertEqual(selection["min"]["risk"], estimates(result)[selection["index"]]["mean"])
        # Now the smallest risk is exact, its neighbours are, and what is said agrees with the JSON.
        self.assertEqual(selection["chosen_by"], "auto")
        for k in range(selection["index"] - 1, selection["index"] + 2):
            self.assertEqual(found[k], "exact")
        run = self.run_alo("tune", "wide.csv", "--effort", effort)
        self.assertRegex(run.out, r"lambda +df +nonzero +mse +\+- se +by +ALO")
        table = one_line(run)
        self.assertIn(f"Lambda was chosen by approximate leave-one-out, made better where it matters: exact at {known}", table)
        self.assertIn(f"of {len(found)} lambdas.", table)
        self.assertRegex(table, r"Exact leave-one-out at every lambda would take about [^.]*\(--effort [0-9.]+\)")
        # The effort that is named suffices.
        self.assertEqual(set(kinds(self.run_json("tune", "wide.csv", "--effort", named_effort(run)))), {"exact"})

    def test_the_choice_is_no_worse_than_that_of_the_approximation(self):
        exact = [e["mean"] for e in estimates(self.run_json("tune", "wide.csv", "--exact"))]
        some = 0.6 * named_effort(self.run_alo("tune", "wide.csv", "--effort", 0.01))
        by = {effort: exact[self.run_json("tune", "wide.csv", "--effort", effort)["selection"]["index"]]
              for effort in (0, some, 1000)}
        self.assertLessEqual(by[some], by[0])
        self.assertEqual(by[1000], min(exact))

    def test_in_which_rows(self):
        """The rows in doubt are exact by default, none by `none`; `exact` settles what the formula cannot predict."""
        effort = 0.03 * named_effort(self.run_alo("tune", "wide.csv", "--effort", 0.01))
        words = ("tune", "wide.csv", "--effort", effort)
        self.assertIn("repaired", kinds(self.run_json(*words)))
        self.assertNotIn("repaired", kinds(self.run_json(*words, "--repair", "none")))
        repaired = self.run_json(*words)
        k = kinds(repaired).index("repaired")
        self.assertNotEqual(estimates(repaired)[k]["mean"], repaired["path"][k]["risk"]["mse"]["alo"]["mean"])
        self.assertIsNone(estimates(repaired)[k]["error"])

    def test_folds_choose(self):
        ten, named, five = (self.run_json("tune", "data.csv", "--choose", "kfold", "--lambdas", 20, *more)
                            for more in ((), ("--folds", 10), ("--folds", 5)))
        for result in (ten, five):
            curve = [point["risk"]["mse"]["kfold"]["mean"] for point in result["path"]]
            self.assertEqual(result["selection"]["chosen_by"], "kfold")
            self.assertEqual(result["selection"]["min"]["risk"], min(curve))
            self.assertEqual(curve[result["selection"]["index"]], min(curve))
            self.assertNotIn("exact", result["path"][0]["risk"]["mse"])
        self.assertEqual([p["risk"] for p in ten["path"]], [p["risk"] for p in named["path"]])
        self.assertNotEqual(ten["path"][9]["risk"]["mse"]["kfold"], five["path"][9]["risk"]["mse"]["kfold"])
        table = one_line(self.run_alo("tune", "data.csv", "--choose", "kfold"))
        self.assertIn("Lambda was chosen by cross-validation.", table)
        self.assertNotIn("leverage above", table)
        beside = self.run_json("tune", "data.csv", "--folds", 5, "--lambdas", 20)
        self.assertEqual(beside["selection"]["chosen_by"], "exact", "folds that are asked for stand beside")
        self.assertEqual([p["risk"]["mse"]["kfold"] for p in beside["path"]],
                         [p["risk"]["mse"]["kfold"] for p in five["path"]])

    def test_one_standard_error_of_the_difference(self):
        result = self.run_json("tune", "data.csv", "--rule", "1se-paired", "--predictions")
        plain = self.run_json("tune", "data.csv", "--rule", "1se")
        losses = [[(y - u) ** 2 for y, u in zip(Y, point["predictions"]["exact"])] for point in result["path"]]
        best = result["selection"]["min"]["index"]

        def within(k):
            d = [a - b for a, b in zip(losses[k], losses[best])]
            mean = sum(d) / len(d)
            return mean <= (sum((x - mean) ** 2 for x in d) / (len(d) - 1) / len(d)) ** 0.5

        expected = next(k for k in range(best + 1) if within(k))
        self.assertEqual(result["selection"]["rule"], "1se-paired")
        self.assertEqual(result["selection"]["index"], expected)
        self.assertEqual(result["selection"]["one_se"]["index"], expected)
        self.assertEqual(plain["selection"]["min"]["index"], best)
        self.assertNotEqual(plain["selection"]["index"], expected, "here the two rules differ")
        self.assertIn("Chosen (1se-paired): lambda = ", self.run_alo("tune", "data.csv", "--rule", "1se-paired").out)

    def test_what_speaks_against_a_choice(self):
        words = ("tune", "wide.csv", "--lambda", 2)
        # By the approximation: a leverage. By exact leave-one-out a leverage is no reason.
        run = self.run_alo(*words, "--effort", 0, "--strict", "--json", "alo.json", code=5)
        self.assertIn("not reliable", run.err)
        alone = json.loads((self.folder / "alo.json").read_text())
        self.assertRegex(alone["verdict"]["reasons"][0], "a row has leverage 0[.][0-9]+ at lambda 2, above 0.7")
        self.assertIn("Do not rely on this choice.", one_line(self.run_alo(*words, "--effort", 0)))
        exact = self.run_json(*words, "--strict", code=0)
        self.assertIs(exact["verdict"]["reliable"], True)
        chosen = exact["selection"]["min"]
        self.assertGreater(abs(chosen["risk"] / chosen["alo"]["mse"]["mean"] - 1), 0.1)
        # The approximation's number with the exact one beside it, which is another.
        both = self.run_json(*words, "--choose", "alo", "--exact", "--strict", code=5)
        self.assertEqual(both["selection"]["chosen_by"], "alo")
        self.assertEqual(len(both["verdict"]["reasons"]), 1)
        for risk in (chosen["risk"], chosen["alo"]["mse"]["mean"]):
            self.assertIn(f"{risk:.5g}", both["verdict"]["reasons"][0])
        # Where more effort would settle it, the effort is named, once in the table.
        some = self.run_json("tune", "wide.csv", "--effort", 0.5)
        self.assertIs(some["verdict"]["reliable"], False)
        self.assertRegex(some["verdict"]["reasons"][0], r"\(--effort [0-9.]+\)$")
        self.assertEqual(self.run_alo("tune", "wide.csv", "--effort", 0.5).out.count("--effort"), 1)

    def test_between_the_values_of_the_grid(self):
        """The search is by the approximation; exact leave-one-out is made where it ends."""
        result = self.run_json("tune", "data.csv", "--search", "exact", "--exact")
        self.assertEqual(result["selection"]["chosen_by"], "alo")
        self.assertEqual(result["selection"]["min"]["kind"], "exact")
        self.assertIn("by approximate leave-one-out alone", one_line(self.run_alo("tune", "data.csv", "--search", "exact")))
        for words, says in ((("--choose", "exact"), "--choose"), (("--choose", "kfold"), "--choose"),
                            (("--rule", "1se-paired"), "paired differences")):
            self.assertIn(says, self.run_alo("tune", "data.csv", "--search", "exact", *words, code=2).err)

    def test_within_memory(self):
        small = self.run_json("tune", "data.csv", "--memory-limit", 1000)
        self.assertEqual(small["selection"]["chosen_by"], "exact")

    def test_few_rows_of_many_columns_need_no_more_memory_than_their_path(self):
        """A tableau of all columns at every λ would take more than a gigabyte."""
        self.write("few.csv", data_csv(10, 10_000, seed=3))
        # Under AddressSanitizer freed memory counts too as long as it is kept back.
        options = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=16"]))
        few = self.run_json("tune", "few.csv", "--memory-limit", 600, env=environment(ASAN_OPTIONS=options))
        self.assertIs(few["complete"], True)
        self.assertEqual(few["selection"]["chosen_by"], "exact")


if __name__ == "__main__":
    unittest.main()
