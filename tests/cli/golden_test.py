# SPDX-License-Identifier: MIT
"""Reference solutions in tests/golden, computed elsewhere to rounding, through the command."""

import json
import os
import unittest
from pathlib import Path

from command import CommandCase, columns_of, csv

GOLDEN = Path(os.environ.get("ALO_GOLDEN", Path(__file__).parents[1] / "golden"))
PENALTIES = {"l1": "lasso", "l2": "ridge", "enet": "elastic-net"}
# The references have 12 digits or more; the rest is the tolerance of the fits (a gap of 1e-10).
TOLERANCE = 1e-7


class Golden(CommandCase):
    def check(self, fixture, *words):
        more = {} if fixture["weights"] is None else {"weight": fixture["weights"]}
        self.write("data.csv", csv(columns_of(fixture["X"], fixture["y"], **more)))
        result = self.run_json(
            "fit", "data.csv", "--lambda", fixture["lambda"], "--penalty", PENALTIES[fixture["penalty"]["name"]],
            "--intercept" if fixture["intercept"] else "--no-intercept", "--exact", "--predictions",
            *(["--weights", "weight"] if more else []),
            *(["--mix", fixture["penalty"]["l1_ratio"]] if "l1_ratio" in fixture["penalty"] else []), *words)
        point = result["path"][0]
        self.assertEqual(point["lambda"], fixture["lambda"])
        self.assertLessEqual(point["gap"], 1e-10)
        rows = point["predictions"]
        self.assert_close(point["coefficients"], fixture["beta"], TOLERANCE, "coefficients")
        self.assert_close([point["intercept"]], [fixture["b0"]], TOLERANCE, "intercept")
        self.assert_close(rows["fitted"], fixture["fitted"], TOLERANCE, "fitted")
        self.assert_close(rows["alo"], fixture["alo"], TOLERANCE, "alo")
        self.assert_close(rows["exact"], fixture["loo"], TOLERANCE, "exact")
        self.assert_close(rows["leverage"], fixture["leverage"], TOLERANCE, "leverage")
        risk = point["risk"]["mse"]
        self.assert_close([risk["alo"]["mean"], risk["exact"]["mean"]], [fixture["risk_alo"], fixture["risk_loo"]],
                          TOLERANCE, "risk")
        self.assert_close([point["df"]], [sum(fixture["leverage"])], TOLERANCE, "df")

    def test_every_reference(self):
        paths = sorted(GOLDEN.glob("*.json"))
        self.assertGreaterEqual(len(paths), 7)
        for path in paths:
            fixture = json.loads(path.read_text())
            if fixture["penalty"]["name"] not in PENALTIES or fixture["loss"]["name"] != "squared":
                continue
            factors = fixture["extra"].get("penalty_factors")
            words = []
            if factors:
                self.write("factors.csv", "\n".join(map(repr, factors)) + "\n")
                words = ["--penalty-weights", "factors.csv"]
            for framework in ("primal", "dual"):
                with self.subTest(path.stem, framework=framework):
                    self.check(fixture, "--no-standardize", "--framework", framework, *words)

    def test_standardised(self):
        # The factors of this one are the standard deviations, which is what --standardize stands for. Refits
        # keep the scale of all rows, so that the leave-one-out values agree as well.
        fixture = json.loads((GOLDEN / "lasso-standardised-a.json").read_text())
        self.check(fixture, "--standardize")
        self.check(fixture)


if __name__ == "__main__":
    unittest.main()
