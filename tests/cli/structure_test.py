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

    def test_a_matrix_of_zeros_penalises_nothing(self):
        self.write("D.csv", text([[0] * P]))
        self.assert_same_fit(self.fit("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv"),
                             self.run_json("fit", "data.csv", "--quiet", "--predictions", "--lambda", "0",
                                           "--penalty", "ridge")["path"][0])
        source = random.Random(3)
        wide = [[round(source.gauss(0, 1), 4) for _ in range(N + 5)] for _ in range(N)]
        self.write("wide.csv", csv(columns_of(wide, Y)))
        self.write("wide-D.csv", text([[0] * (N + 5)]))
        run = self.run_alo("fit", "wide.csv", "--no-intercept", "--lambda", "4", "--penalty", "generalized-lasso",
                           "--penalty-matrix", "wide-D.csv", code=3)
        self.assertIn(f"leaves {N + 5} directions free, intercept included, which {N} rows cannot tell apart",
                      " ".join(run.err.split()))

    def test_dependent_rows(self):
        second = [[1.0 if j == k else -2.0 if j == k + 1 else 1.0 if j == k + 2 else 0.0 for j in range(P)]
                  for k in range(P - 2)]
        self.write("D.csv", text(CHAIN + second))
        point = self.fit("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv")
        self.assertLess(point["gap"], 1e-9)
        for framework in ("primal", "dual"):
            self.assert_same_fit(self.fit("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv", "--framework",
                                          framework), point)
        # A row given twice counts twice.
        self.write("D.csv", text(CHAIN + CHAIN))
        self.assert_same_fit(self.fit("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv"),
                             self.run_json("fit", "data.csv", "--lambda", "8", "--quiet", "--predictions", "--penalty",
                                           "fused-lasso")["path"][0])

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

    def test_graphs(self):
        fused = self.fit("--penalty", "fused-lasso")
        self.write("numbers.csv", text([(j + 1, j + 2) for j in range(P - 1)]))
        self.write("blanks.txt", "".join(f"{j + 2} {j + 1}\n" for j in range(P - 1)))
        self.write("names.csv", text([(f"x{j + 1}", f"x{j + 2}") for j in range(P - 1)]))
        self.write("heading.csv", text([("from", "to"), *[(f"x{j + 1}", j + 2) for j in range(P - 1)], (1, 2)]))
        for file in ("numbers.csv", "blanks.txt", "names.csv", "heading.csv"):
            with self.subTest(file):
                result = self.run_json(*FIT, "--penalty", "fused-lasso", "--graph", file)
                self.assertEqual(result["problem"]["parameters"], {"edges": P - 1})
                self.assert_same_fit(result["path"][0], fused)

    def test_graphs_that_do_not_fit(self):
        for rows, says in (([(1, 7)], "graph.csv, row 1: there is no coefficient 7; they are numbered from 1 to 6"),
                           ([(1, 2), (0, 1)], "graph.csv, row 2: there is no coefficient 0"),
                           ([("x1", "x2"), ("x1", "x22")], "'x22' is neither a column nor a number (did you mean 'x2"),
                           ([(1, 2, 3)], "graph.csv, row 1: an edge joins two coefficients, but there are 3 entries"),
                           ([(2, 2)], "graph.csv, row 1: the edge joins x2 with itself"),
                           ([("from", "to")], "graph.csv: there is no edge in it")):
            with self.subTest(rows):
                self.write("graph.csv", text(rows))
                self.refused(3, says, "--penalty", "fused-lasso", "--graph", "graph.csv")

    def test_grids(self):
        edges = [(1, 2), (2, 3), (4, 5), (5, 6), (1, 4), (2, 5), (3, 6)]
        self.write("graph.csv", text(edges))
        grid = self.run_json(*FIT, "--penalty", "fused-lasso", "--grid", "2x3")
        self.assertEqual(grid["problem"]["parameters"], {"grid": [2, 3], "edges": 7})
        self.assert_same_fit(grid["path"][0], self.fit("--penalty", "fused-lasso", "--graph", "graph.csv"))
        self.assert_same_fit(self.fit("--penalty", "fused-lasso", "--grid", "6x1"), self.fit("--penalty", "fused-lasso"))
        self.refused(3, "--grid 2x2 has not as many places as there are coefficients, 6", "--penalty", "fused-lasso",
                     "--grid", "2x2")
        for grid in ("6", "2x", "0x6", "2x3x1"):
            self.refused(2, "--grid", "--penalty", "fused-lasso", "--grid", grid)

    def test_sparse(self):
        both = [*CHAIN, *[[0.5 * (j == k) for j in range(P)] for k in range(P)]]
        self.write("D.csv", text(both))
        sparse = self.run_json(*FIT, "--penalty", "fused-lasso", "--sparse", "0.5")
        self.assertEqual(sparse["problem"]["parameters"], {"sparse": 0.5})
        self.assert_same_fit(sparse["path"][0], self.fit("--penalty", "generalized-lasso", "--penalty-matrix", "D.csv"))
        self.assert_same_fit(self.fit("--penalty", "fused-lasso", "--sparse", "0"), self.fit("--penalty", "fused-lasso"))
        self.refused(2, "--sparse: -1 is negative", "--penalty", "fused-lasso", "--sparse", "-1")

    def test_groups(self):
        words = ("--penalty", "group-lasso", "--groups")
        self.write("words.txt", "left\nleft\nleft\nright\nright\nright\n")
        self.write("heading.csv", "group\n7\n7\n7\n3\n3\n3\n")
        self.write("row.csv", "a,a,a,b,b,b\n")
        expected = self.run_json(*FIT, *words, "words.txt")
        self.assertTrue(expected["problem"]["standardize"])
        self.assertEqual(expected["problem"]["parameters"], {"groups": [0, 0, 0, 1, 1, 1]})
        for file in ("heading.csv", "row.csv"):
            self.assertEqual(self.fit(*words, file), expected["path"][0])
        strong = self.run_json("fit", "data.csv", "--quiet", "--lambda", "20", *words, "words.txt")["path"][0]
        self.assertIn(sum(b == 0 for b in strong["coefficients"]), (0, 3, 6))

    def test_graphs_without_cycles_take_every_loss(self):
        self.write("classes.csv", csv(columns_of(X, ["a" if y < -1 else "b" if y < 1 else "c" for y in Y])))
        words = ("fit", "classes.csv", "--lambda", "1", "--quiet", "--penalty", "fused-lasso")
        chain = self.run_json(*words)["path"][0]["coefficients"]
        for row, other in zip(chain, self.run_json(*words, "--grid", "1x6")["path"][0]["coefficients"]):
            self.assert_close(row, other, 1e-7)
        error = self.run_alo("tune", "data.csv", "--exact", *words[2:], "--loss", "absolute", "--grid", "2x3", code=2).err
        self.assertIn("its terms depend on each other, as the differences around a cycle of a graph do, and such terms take losses "
                      "without kinks", " ".join(error.split()))

    def test_cycles_take_classes(self):
        self.write("classes.csv", csv(columns_of(X, ["a" if y < -1 else "b" if y < 1 else "c" for y in Y])))
        self.write("matrix.csv", "1,-1,0,0,0,0\n0,1,-1,0,0,0\n0,0,1,-1,0,0\n0,0,0,1,-2,0\n0,0,0,0,1,-1\n1,0,0,-1,0,0\n")
        words = ("tune", "classes.csv", "--quiet", "--lambdas", "5", "--penalty")
        for terms in (("fused-lasso", "--grid", "2x3"), ("fused-lasso", "--grid", "2x3", "--sparse", "0.5"),
                      ("generalized-lasso", "--penalty-matrix", "matrix.csv")):
            path = self.run_json(*words, *terms)["path"]
            self.assertEqual([point["status"] for point in path], 5 * ["converged"])
            self.assertLess(max(point["gap"] for point in path), 1e-9)
            self.assertEqual(len(path[-1]["coefficients"]), 6)
            self.assertEqual(len(path[-1]["coefficients"][0]), 3)
        self.write("pairs.txt", "a\na\nb\nb\nc\nc\n")
        error = self.run_alo(*words, "group-lasso", "--groups", "pairs.txt", code=2).err
        self.assertIn("it takes losses with one prediction per row", " ".join(error.split()))

    def test_the_report_counts_groups_and_sizes(self):
        self.write("pairs.txt", "a\na\nb\nb\nc\nc\n")
        words = ("tune", "data.csv", "--out", "out", "--lambda")
        run = self.run_alo(*words, "2,1", "--penalty", "group-lasso", "--groups", "pairs.txt")
        self.assertIn("6 of 6 coefficients are not zero, in 3 of 3 groups.", " ".join(run.out.split()))
        self.assertRegex(run.out, r"lambda +df +nonzero +groups ")
        page = (self.folder / "out" / "report.html").read_text()
        self.assertIn("<td>groups not zero</td><td>3</td>", page)
        self.assertIn('<th scope="col">group</th>', page)
        self.assertRegex(page, r"<tr><td>x6</td><td>[-0-9.]+</td><td>[-0-9.]+</td><td>3</td></tr>")
        run = self.run_alo(*words, "1", "--penalty", "slope", "--slope-shape", "oscar", "--slope-q", "2")
        self.assertRegex(" ".join(run.out.split()), r"6 of 6 coefficients are not zero, of [1-5] different sizes?\.")

    def test_one_group_of_all(self):
        self.write("all.txt", "a\n" * P)
        words = ("fit", "data.csv", "--quiet", "--predictions", "--penalty", "group-lasso", "--groups", "all.txt")
        start = self.run_json("tune", *words[1:3], *words[4:], "--lambdas", "2")["path"][0]
        self.assertEqual(set(start["coefficients"]), {0})
        below = self.run_json(*words, "--lambda", str(0.9 * start["lambda"]))["path"][0]
        self.assertNotIn(0, below["coefficients"])
        self.assertLess(below["gap"], 1e-9)

    def test_coefficients_without_a_group(self):
        self.write("gaps.txt", "\nNA\na\na\nb\n\n")
        run = self.run_alo("fit", "data.csv", "--lambda", "4", "--penalty", "group-lasso", "--groups", "gaps.txt",
                           "--json", "result.json")
        self.assertIn("3 coefficients are in no group and each is a group alone", run.err)
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["problem"]["parameters"]["groups"], [0, 1, 2, 2, 3, 4])
        self.write("none.txt", "\n" * P)
        self.assert_same_fit(self.fit("--penalty", "group-lasso", "--groups", "none.txt"), self.fit("--penalty", "lasso"))

    def test_groups_that_do_not_fit(self):
        words = ("--penalty", "group-lasso", "--groups", "groups.txt")
        for content, says in (("1\n" * 5, "groups.txt: there are 5 groups for 6 coefficients"),
                              ("1\n1\n1 2\n2\n2\n2\n", "groups.txt, row 3: there are 2 entries, but a coefficient belongs to one group; groups that overlap"),
                              ("", "groups.txt")):
            self.write("groups.txt", content)
            self.refused(3, says, *words)
        self.refused(2, "needs the groups: add --groups", "--penalty", "sparse-group-lasso")
        self.write("groups.txt", "1\n1\n1\n2\n2\n2\n")
        self.write("weights.csv", "1\n1\n2\n1\n1\n1\n")
        self.refused(3, "weights.csv: coefficients 1 and 3 are in one group but have penalty weights 1 and 2", *words,
                     "--penalty-weights", "weights.csv")

    def test_factors_of_groups(self):
        self.write("groups.txt", "1\n1\n1\n2\n2\n2\n")
        self.write("weights.csv", "inf\ninf\ninf\n0\n0\n0\n")
        b = self.fit("--penalty", "group-lasso", "--groups", "groups.txt", "--penalty-weights", "weights.csv")["coefficients"]
        self.assertEqual(b[:3], [0, 0, 0])
        self.assertNotIn(0, b[3:])

    def test_mix_of_lasso_and_groups(self):
        self.write("groups.txt", "1\n1\n1\n2\n2\n2\n")
        words = ("--penalty", "sparse-group-lasso", "--groups", "groups.txt", "--mix")
        self.assert_same_fit(self.fit(*words, "1"), self.fit("--penalty", "lasso"))
        self.assert_same_fit(self.fit(*words, "0"), self.fit("--penalty", "group-lasso", "--groups", "groups.txt"))
        result = self.run_json(*FIT, *words, "0.25")
        self.assertEqual(result["problem"]["parameters"]["mix"], 0.25)

    def test_slope(self):
        self.write("ones.csv", "1\n" * P)
        self.assert_same_fit(self.fit("--penalty", "slope", "--penalty-weights", "ones.csv"), self.fit("--penalty", "lasso"))
        self.write("oscar.csv", "".join(f"{1 + 0.5 * (P - k)}\n" for k in range(1, P + 1)))
        self.write("linear.csv", "".join(f"{1 - 0.75 * k / (P - 1)}\n" for k in range(P)))
        for shape, q in (("oscar", 0.5), ("linear", 0.25)):
            named = self.run_json(*FIT, "--penalty", "slope", "--slope-shape", shape, "--slope-q", q)
            self.assertEqual(named["problem"]["parameters"], {"slope_shape": shape, "slope_q": q})
            self.assert_same_fit(named["path"][0], self.fit("--penalty", "slope", "--penalty-weights", f"{shape}.csv"))
        default = self.run_json(*FIT, "--penalty", "slope")
        self.assertEqual(default["problem"]["parameters"], {"slope_shape": "bh", "slope_q": 0.1})
        self.assertTrue(default["problem"]["standardize"])

    def test_sequences_that_do_not_fit(self):
        self.write("growing.csv", "1\n1\n1\n2\n2\n2\n")
        self.write("short.csv", "2\n1\n")
        words = ("--penalty", "slope")
        self.refused(3, "growing.csv: the slope sequence grows from 1 to 2 at entry 4", *words, "--penalty-weights",
                     "growing.csv")
        self.refused(3, "short.csv: the slope sequence has 2 entries for 6 columns", *words, "--penalty-weights", "short.csv")
        self.refused(2, "between 0 and 1, but is 2", *words, "--slope-q", "2")
        self.refused(2, "use one or the other", *words, "--slope-q", "0.1", "--penalty-weights", "short.csv")
        self.refused(2, "--slope-shape cannot be 'bhh' (did you mean 'bh'?)", *words, "--slope-shape", "bhh")

    def test_options_of_other_penalties(self):
        self.write("any.csv", "1\n")
        self.refused(2, "--groups belongs to --penalty group-lasso and sparse-group-lasso; the penalty here is lasso",
                     "--groups", "any.csv")
        self.refused(2, "--slope-q belongs to --penalty slope", "--slope-q", "0.1")
        self.refused(2, "--mix belongs to --penalty elastic-net and sparse-group-lasso", "--mix", "0.5")
        for words, owner in ((["--order", "1"], "trend-filter"), (["--penalty-matrix", "any.csv"], "generalized-lasso"),
                             (["--graph", "any.csv"], "fused-lasso"), (["--grid", "2x3"], "fused-lasso"),
                             (["--sparse", "1"], "fused-lasso")):
            self.refused(2, f"{words[0]} belongs to --penalty {owner}; the penalty here is lasso", *words)
        self.refused(2, "needs D: add --penalty-matrix", "--penalty", "generalized-lasso")
        self.refused(2, "use one of them", "--penalty", "fused-lasso", "--grid", "2x3", "--graph", "any.csv")
        for penalty in ("fused-lasso", "trend-filter", "wavelet"):
            self.refused(2, "penalises combinations", "--penalty", penalty, "--penalty-weights", "any.csv")
        self.refused(2, "did you mean 'fused-lasso'?", "--penalty", "fused-laso")

    def test_files_are_not_overwritten(self):
        self.write("D.csv", text(CHAIN))
        self.refused(2, "D.csv", "--penalty", "generalized-lasso", "--penalty-matrix", "D.csv", "--json", "D.csv")

    def test_models_predict_what_was_fitted(self):
        for words in (["fused-lasso"], ["trend-filter"], ["wavelet"], ["fused-lasso", "--grid", "2x3"]):
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

    def test_rows_that_are_blocks_of_their_own(self):
        source = random.Random(9)
        self.write("spikes.csv", csv({"y": [round(8 * (i % 10 == 0) + source.gauss(0, 0.1), 4) for i in range(60)]}))
        words = ("tune", "spikes.csv", "--design", "identity", "--penalty", "fused-lasso", "--lambdas", "20")
        alone = " ".join(self.run_alo(*words, "--effort", 0).out.split())
        self.assertIn("no leave-one-out prediction", alone)
        self.assertIn("(--repair exact)", alone)
        for point in self.run_json(*words)["path"]:
            self.assertEqual(point["risk"]["mse"]["estimate"]["undefined"], 0)
        self.run_alo(*words, "--effort", 0, "--repair", "exact", "--json", "result.json")
        for point in json.loads((self.folder / "result.json").read_text())["path"]:
            self.assertEqual(point["risk"]["mse"]["alo"]["undefined"], 0)

    def test_images(self):
        rows, columns = 8, 9
        source = random.Random(4)
        image = [round(3 * (i >= 4 and j >= 5) + 0.3 * source.gauss(0, 1), 4) for i in range(rows) for j in range(columns)]
        self.write("image.csv", csv({"grey": image}))
        words = ("--design", "identity", "--penalty", "fused-lasso", "--grid", f"{rows}x{columns}")
        b = self.run_json("fit", "image.csv", "--quiet", "--lambda", "1", *words)["path"][0]["coefficients"]
        bright = {round(b[i * columns + j], 9) for i in range(rows) for j in range(columns) if i >= 4 and j >= 5}
        dark = {round(b[i * columns + j], 9) for i in range(rows) for j in range(columns) if i < 4 or j < 5}
        self.assertGreater(min(bright), max(dark) + 1)

    def test_signals_have_no_new_rows(self):
        self.run_alo("tune", "plain.csv", "--design", "identity", "--penalty", "fused-lasso", "--quiet", "--out", "model")
        run = self.run_alo("predict", "model", "plain.csv", code=3)
        self.assertIn("says nothing of new rows", " ".join(run.err.split()))
        self.assertEqual(json.loads((self.folder / "model/model.json").read_text())["parameters"], {"design": "identity"})

    def test_what_does_not_go_with_a_signal(self):
        for words, code, says in ((["--intercept"], 3, "intercept"),
                                  (["--loss", "hinge", "--kernel", "rbf"], 2, "--kernel"),
                                  (["--design", "diagonal"], 2, "one of: columns, identity, triplets, rank-one"),
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
