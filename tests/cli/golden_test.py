# SPDX-License-Identifier: MIT
"""Reference solutions in tests/golden, computed elsewhere to rounding, through the command."""

import json
import os
import unittest
from pathlib import Path

from command import CommandCase, columns_of, csv

GOLDEN = Path(os.environ.get("ALO_GOLDEN", Path(__file__).parents[1] / "golden"))
LOSSES = {"abs": "absolute", "pinball": "quantile", "svr": "epsilon-insensitive"}
OPTIONS = {"delta": "--delta", "tau": "--quantile", "eps": "--epsilon", "l1_ratio": "--mix", "kernel": "--kernel",
           "gamma": "--gamma"}
PENALTIES = {"l1": "lasso", "l2": "ridge", "enet": "elastic-net", "rkhs": "ridge"}
# Functions of singular values by the name that the references have for them.
MATRICES = {"nuclear": ["--penalty", "nuclear"], "sqrt": ["--penalty", "schatten"], "square": ["--penalty", "frobenius"]}
# Matrices of the generalised lasso that have a name of their own.
NAMED = {"fused": ["--penalty", "fused-lasso"], "trend2": ["--penalty", "trend-filter", "--order", "2"],
         "sparse-fused": ["--penalty", "fused-lasso", "--sparse", "0.5"]}
METRICS = {"sq": "mse", "logloss": "logloss", "softmax_logloss": "logloss", "poisson_deviance": "deviance",
           "huber": "huber", "hinge": "hinge", "abs": "mae", "pinball": "pinball", "eps_insensitive": "epsilon-insensitive"}
# The references have 12 digits or more; the rest is the tolerance of the fits (a gap of 1e-10).
TOLERANCE = 1e-7


def flat(rows):
    """Numbers, or rows of one number per class, whose common level is no part of a prediction."""
    if not isinstance(rows[0], list):
        return rows
    return [value - sum(row) / len(row) for row in rows for value in row]


class Golden(CommandCase):
    def check(self, fixture, *words):
        loss, penalty = fixture["loss"], fixture["penalty"]
        if "--penalty" not in words:
            words = ("--penalty", PENALTIES[penalty["name"]], *words)
        metric = METRICS[fixture["risk_metric"]]
        more = {} if fixture["weights"] is None else {"weight": fixture["weights"]}
        self.write("data.csv", csv(columns_of(fixture["X"], fixture["y"], **more)))
        result = self.run_json(
            "fit", "data.csv", "--lambda", fixture["lambda"], "--loss", LOSSES.get(loss["name"], loss["name"]), "--metric", metric,
            "--intercept" if fixture["intercept"] else "--no-intercept", "--exact", "--predictions",
            *(["--weights", "weight"] if more else []),
            *[word for key, value in {**loss, **({} if penalty["name"] == "unitary" else penalty)}.items()
              if key in OPTIONS for word in (OPTIONS[key], value)],
            *words)
        point = result["path"][0]
        self.assertEqual(point["lambda"], fixture["lambda"])
        self.assertLessEqual(point["gap"], 1e-10)
        rows = point["predictions"]
        coefficients = fixture.get("beta")
        if "V" in fixture:
            self.assertEqual(point["df"], len(fixture["V"]))
            self.assert_close([point["intercept"]], [fixture["b0"]], TOLERANCE, "intercept")
        elif "classes" in loss:
            coefficients = [value for row in coefficients for value in row]
            point["coefficients"] = [value for row in point["coefficients"] for value in row]
            if fixture["intercept"]:
                self.assert_close(point["intercept"], fixture["b0"], TOLERANCE, "intercept")
        else:
            self.assert_close([point["intercept"]], [fixture["b0"]], TOLERANCE, "intercept")
            self.assert_close(rows["leverage"], fixture["leverage"], TOLERANCE, "leverage")
            self.assert_close([point["df"]], [sum(fixture["leverage"])], TOLERANCE, "df")
        if coefficients is None:
            self.assertIsNone(point["coefficients"])
            self.assertEqual(point["support"], sum(value != 0 for value in fixture["subgradient"]))
        else:
            self.assert_close(point["coefficients"], coefficients, TOLERANCE, "coefficients")
        for key in ("fitted", "alo"):
            self.assert_close(flat(rows[key]), flat(fixture[key]), TOLERANCE, key)
        risk = point["risk"][metric]
        self.assert_close([risk["alo"]["mean"]], [fixture["risk_alo"]], TOLERANCE, "risk")
        if "loo_low" in fixture["extra"]:
            # Nothing but the penalty holds the coefficient of a row that is left out: any value of an interval is
            # optimal. The fixture has what probes have found, from one end on, up to 5e-7 beyond it.
            extra, probe = fixture["extra"], 1e-6
            for value, low, high, found_low, found_high in zip(rows["exact"], rows["exact_low"], rows["exact_high"],
                                                               extra["loo_low"], extra["loo_high"]):
                self.assertAlmostEqual(value, (low + high) / 2, delta=1e-12)
                self.assertTrue(low - probe <= found_low and found_high <= high + probe)
                self.assertLessEqual(min(abs(low - found_low), abs(high - found_high)), probe)
        else:
            self.assert_close(flat(rows["exact"]), flat(fixture["loo"]), TOLERANCE, "exact")
            self.assert_close([risk["exact"]["mean"]], [fixture["risk_loo"]], TOLERANCE, "exact risk")

    def penalty_words(self, fixture):
        """The penalty and its files, where the name alone does not say it."""
        extra, share = fixture["extra"], fixture["penalty"].get("l1_ratio")
        if "penalty_factors" in extra:
            self.write("factors.csv", "\n".join(map(repr, extra["penalty_factors"])) + "\n")
            return ["--penalty-weights", "factors.csv"]
        if "D" in extra:
            self.write("D.csv", "\n".join(",".join(map(repr, row)) for row in extra["D"]) + "\n")
            return ["--penalty", "generalized-lasso", "--penalty-matrix", "D.csv"]
        if "groups" in extra:
            self.write("groups.csv", "\n".join(map(str, extra["groups"])) + "\n")
            return ["--penalty", "group-lasso" if share is None else "sparse-group-lasso", "--groups", "groups.csv"]
        if "slope_sequence" in extra:
            self.write("sequence.csv", "\n".join(map(repr, extra["slope_sequence"])) + "\n")
            return ["--penalty", "slope", "--penalty-weights", "sequence.csv"]
        if "shape" in extra:
            words = MATRICES[fixture["penalty"].get("r", "nuclear")]
            if words[1] == "schatten":
                words = [*words, "--smoothing", fixture["penalty"]["eps"]]
            return [*words, "--shape", "x".join(map(str, extra["shape"]))]
        return []

    def test_every_reference(self):
        paths = sorted(GOLDEN.glob("*.json"))
        self.assertGreaterEqual(len(paths), 20)
        for path in paths:
            fixture = json.loads(path.read_text())
            words = self.penalty_words(fixture)
            for framework in ("primal", "dual"):
                with self.subTest(path.stem, framework=framework):
                    self.check(fixture, "--no-standardize", "--framework", framework, *words)

    def test_named_matrices(self):
        for path in sorted(GOLDEN.glob("*.json")):
            fixture = json.loads(path.read_text())
            words = NAMED.get(fixture["penalty"].get("D"))
            if words is None:
                continue
            with self.subTest(path.stem):
                self.check(fixture, *words)
                if "identity" in path.stem:
                    self.check(fixture, *words, "--design", "identity")

    def test_standardised(self):
        # The factors of this one are the standard deviations, which is what --standardize stands for. Refits
        # keep the scale of all rows, so that the leave-one-out values agree as well.
        fixture = json.loads((GOLDEN / "lasso-standardised-a.json").read_text())
        self.check(fixture, "--standardize")
        self.check(fixture)


if __name__ == "__main__":
    unittest.main()
