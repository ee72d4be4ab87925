# SPDX-License-Identifier: MIT
"""Coefficients that are a matrix: shapes, triplets and products, from their files to the report."""

import base64
import json
import random
import re
import struct
import unittest
import zlib

from command import CommandCase, columns_of, csv, npy

SOURCE = random.Random(11)
ROWS, COLUMNS = 4, 3
P = ROWS * COLUMNS
N = 60
X = [[round(SOURCE.gauss(0, 1), 4) for _ in range(P)] for _ in range(N)]
LEFT, RIGHT = [1.0, -1.0, 0.5, 0.0], [1.0, 0.5, -1.0]
TRUTH = [a * b for a in LEFT for b in RIGHT]
Y = [round(0.5 + sum(b * x for b, x in zip(TRUTH, row)) + 0.3 * SOURCE.gauss(0, 1), 4) for row in X]
NUCLEAR = ("--penalty", "nuclear", "--shape", f"{ROWS}x{COLUMNS}")


def entries(rows=8, columns=7, share=0.7, seed=3):
    """Some entries of a matrix of rank one with noise: (row, column, value), counted from 1."""
    source = random.Random(seed)
    u = [source.gauss(0, 1) for _ in range(rows)]
    v = [source.gauss(0, 1) for _ in range(columns)]
    return [(i + 1, j + 1, round(2 + 3 * u[i] * v[j] + 0.1 * source.gauss(0, 1), 4))
            for i in range(rows) for j in range(columns) if source.random() < share]


def triplet_text(triplets, header="row,col,value"):
    return "\n".join([header] * bool(header) + [",".join(map(str, t)) for t in triplets]) + "\n"


def one_hot(triplets, rows, columns):
    """The same problem with a column for every entry."""
    X = [[0] * (rows * columns) for _ in triplets]
    for x, (i, j, _) in zip(X, triplets):
        x[(i - 1) * columns + j - 1] = 1
    return csv(columns_of(X, [value for _, _, value in triplets]))


def palette_picture(svg):
    """Levels and palette of the first picture in the figure."""
    data = base64.b64decode(re.search(r"data:image/png;base64,([^\"]*)", svg).group(1))
    at, chunks = 8, {}
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        chunks[name] = data[at + 8:at + 8 + size]
        if zlib.crc32(name + chunks[name]) != struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]:
            raise ValueError("check sum")
        at += 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = zlib.decompress(chunks[b"IDAT"])
    return [list(rows[k * (width + 1) + 1:(k + 1) * (width + 1)]) for k in range(height)], chunks[b"PLTE"]


class MatrixCase(CommandCase):
    def refused(self, code, says, *words):
        quiet = [] if words[0] == "predict" else ["--quiet"]
        error = self.run_alo(*words, *quiet, code=code).err
        self.assertIn(says, " ".join(error.split()))


class Shapes(MatrixCase):
    def setUp(self):
        super().setUp()
        self.write("data.csv", csv(columns_of(X, Y)))

    def test_rank_and_parameters(self):
        result = self.run_json("tune", "data.csv", *NUCLEAR, "--lambdas", "12", "--quiet")
        self.assertEqual(result["problem"]["parameters"], {"shape": [ROWS, COLUMNS]})
        ranks = [point["rank"] for point in result["path"]]
        self.assertEqual(ranks[0], 0)
        self.assertEqual(ranks[1], 1)
        self.assertEqual(ranks[-1], COLUMNS)
        best = result["selection"]["min"]
        self.assertEqual(best["rank"], len(best["singular_values"]))
        self.assertGreaterEqual(best["rank"], 1)
        self.assertLess(abs(sum(s * s for s in best["singular_values"]) - sum(b * b for b in best["coefficients"])), 1e-9)
        self.assertEqual(best["singular_values"], sorted(best["singular_values"], reverse=True))

    def test_rank_zero_above_the_largest_lambda(self):
        largest = self.run_json("tune", "data.csv", *NUCLEAR, "--lambdas", "3", "--quiet")["path"][0]["lambda"]
        run = self.run_alo("fit", "data.csv", *NUCLEAR, "--lambda", 2 * largest, "--quiet", "--out", "report")
        self.assertIn(f"the {ROWS} x {COLUMNS} matrix of coefficients has rank 0", " ".join(run.out.split()))
        point = json.loads((self.folder / "report/result.json").read_text())["path"][0]
        self.assertEqual((point["rank"], set(point["coefficients"])), (0, {0.0}))
        self.assertAlmostEqual(point["df"], 1)
        self.assertIn("Its rank is 0", (self.folder / "report/report.html").read_text())

    def test_shapes_that_do_not_fit(self):
        fit = ("fit", "data.csv", "--lambda", "1", "--penalty", "nuclear")
        self.refused(3, "--shape 4x4 is a matrix with 16 entries, but there are 12 coefficients", *fit, "--shape", "4x4")
        huge = f"{2**31 - 1}x{2**31 - 1}"
        self.refused(3, "but there are 12 coefficients", *fit, "--shape", huge)

    def test_losses_that_do_not_go(self):
        fit = ("fit", "data.csv", "--lambda", "1", *NUCLEAR)
        self.refused(2, "--penalty nuclear takes losses without kinks, and absolute has them; huber is near it",
                     *fit, "--loss", "absolute")
        self.write("words.csv", csv(columns_of(X, ["abc"[i % 3] for i in range(N)])))
        self.refused(3, "--penalty nuclear takes losses with one prediction per row, and multinomial has one for each class",
                     "fit", "words.csv", *fit[2:])

    def test_relatives(self):
        words = ("--lambda", "3", "--quiet", "--predictions")
        ridge = self.run_json("fit", "data.csv", *words, "--penalty", "ridge", "--no-standardize")["path"][0]
        shape = ("--shape", f"{ROWS}x{COLUMNS}")
        frobenius = self.run_json("fit", "data.csv", *words, "--penalty", "frobenius", *shape)["path"][0]
        self.assert_close(frobenius["coefficients"], ridge["coefficients"], 1e-8)
        self.assert_close(frobenius["predictions"]["alo"], ridge["predictions"]["alo"], 1e-8)
        nuclear = self.run_json("fit", "data.csv", *words, *NUCLEAR)["path"][0]
        result = self.run_json("fit", "data.csv", *words, "--penalty", "schatten", *shape, "--smoothing", "1e-5")
        self.assertEqual(result["problem"]["parameters"]["smoothing"], 1e-5)
        self.assert_close(result["path"][0]["coefficients"], nuclear["coefficients"], 1e-3)

    def test_report_shows_the_matrix(self):
        run = self.run_alo("tune", "data.csv", *NUCLEAR, "--lambdas", "12", "--out", "report", "--quiet")
        self.assertRegex(run.out, r"lambda +df +rank +mse")
        best = json.loads((self.folder / "report/result.json").read_text())["selection"]["min"]["coefficients"]
        self.assertFalse((self.folder / "report/paths.svg").exists())
        svg = (self.folder / "report/matrix.svg").read_text()
        levels, palette = palette_picture(svg)
        self.assertEqual((len(levels), len(levels[0]), len(palette)), (ROWS, COLUMNS, 3 * 255))
        largest = max(map(abs, best))
        for i in range(ROWS):
            for j in range(COLUMNS):
                self.assertEqual(levels[i][j], round((best[i * COLUMNS + j] / largest + 1) * 127))
        self.assertIn("data:image/png", (self.folder / "report/report.html").read_text())
        # A figure of an earlier run does not stay.
        self.run_alo("tune", "data.csv", "--lambdas", "5", "--out", "report", "--quiet")
        self.assertFalse((self.folder / "report/matrix.svg").exists())
        self.assertTrue((self.folder / "report/paths.svg").exists())


class Triplets(MatrixCase):
    def test_same_fit_as_with_a_column_for_every_entry(self):
        triplets = entries(6, 5)
        self.write("entries.csv", triplet_text(triplets))
        self.write("columns.csv", one_hot(triplets, 6, 5))
        words = ("--lambda", "1.5", "--quiet", "--predictions")
        wide = self.run_json("fit", "columns.csv", *words, "--penalty", "nuclear", "--shape", "6x5")["path"][0]
        for more in ((), ("--shape", "6x5")):
            result = self.run_json("fit", "entries.csv", "--design", "triplets", *words, *more)
            self.assertEqual(result["problem"]["penalty"], "nuclear")
            self.assertEqual(result["problem"]["parameters"], {"shape": [6, 5], "design": "triplets"})
            self.assertEqual(result["data"]["columns"][:6], ["1,1", "1,2", "1,3", "1,4", "1,5", "2,1"])
            point = result["path"][0]
            self.assert_close(point["coefficients"], wide["coefficients"], 1e-6)
            self.assert_close(point["predictions"]["alo"], wide["predictions"]["alo"], 1e-5)
        synonym = self.run_json("fit", "entries.csv", "--format", "triplets", *words)
        self.assertEqual(synonym["path"][0]["coefficients"], point["coefficients"])

    def test_said(self):
        self.write("entries.csv", triplet_text(entries(5, 4, share=1.0)))
        run = self.run_alo("fit", "entries.csv", "--design", "triplets", "--lambda", "2")
        self.assertIn("the penalty is nuclear", run.err)
        self.assertIn("of the entries of a 5 x 4 matrix; nuclear with squared loss, intercept", " ".join(run.out.split()))

    def test_names(self):
        # Words in byte order, numbers by size; columns in any place and other names.
        names = {1: "zoe", 2: "Al", 3: "bo", 4: "cy"}
        triplets = [(i, 10 * j, v) for i, j, v in entries(4, 3, share=1.0)]
        self.write("named.csv", csv({"rating": [v for _, _, v in triplets], "user": [names[i] for i, _, _ in triplets],
                                     "film": [j for _, j, _ in triplets]}))
        words = ("--target", "rating", "--design", "triplets", "--lambda", "2", "--quiet")
        data = self.run_json("fit", "named.csv", *words)["data"]
        self.assertEqual(data["matrix"], {"design": "triplets", "rows": ["Al", "bo", "cy", "zoe"],
                                          "columns": ["10", "20", "30"], "fields": ["user", "film"]})
        self.run_alo("tune", "named.csv", *words[:-3], "--lambdas", "5", "--quiet", "--out", "model")
        self.write("new.csv", "film,user\n20,zoe\n10,Al\n")
        predicted = self.run_alo("predict", "model", "new.csv").out.split()
        model = json.loads((self.folder / "model/model.json").read_text())
        self.assertEqual(model["columns"], [])
        b, b0 = model["min"]["coefficients"], model["min"]["intercept"]
        self.assert_close([float(v) for v in predicted[1:]], [b0 + b[3 * 3 + 1], b0 + b[0]], 1e-12)
        self.write("new.csv", "film,user\n20,zoe\n40,Al\n")
        self.refused(3, "new.csv, row 3, column 'film': there is no column '40' in the model's matrix; it has 3, from '10'",
                     "predict", "model", "new.csv")
        self.write("new.csv", "user,movie\nzoe,20\n")
        self.refused(3, "new.csv has no column 'film'", "predict", "model", "new.csv")
        self.write("new.csv", "user,film\neve,20\n")
        self.refused(3, "row 2, column 'user': there is no row 'eve' in the model's matrix", "predict", "model", "new.csv")

    def test_numbers_without_header(self):
        triplets = entries(4, 3, share=1.0)
        self.write("plain.csv", triplet_text(triplets, ""))
        self.run_alo("tune", "plain.csv", "--design", "triplets", "--lambdas", "5", "--quiet", "--out", "model")
        self.run_alo("predict", "model", "plain.csv")
        self.write("plain.npy", npy([[float(v) for v in t] for t in triplets]))
        same = ("--design", "triplets", "--lambda", "2", "--quiet")
        self.assertEqual(self.run_json("fit", "plain.npy", *same)["path"][0]["coefficients"],
                         self.run_json("fit", "plain.csv", *same)["path"][0]["coefficients"])

    def test_duplicates_are_two_observations(self):
        triplets = entries(4, 3, share=1.0)
        self.write("twice.csv", triplet_text([*triplets, triplets[0]]))
        run = self.run_alo("fit", "twice.csv", "--design", "triplets", "--lambda", "1", "--json", "twice.json")
        self.assertIn("1 row names an entry that an earlier one names, as row 14 the one of row 2", " ".join(run.err.split()))
        twice = json.loads((self.folder / "twice.json").read_text())
        self.assertEqual(twice["data"]["rows"], 13)
        weighted = [(*t, 2 if k == 0 else 1) for k, t in enumerate(triplets)]
        self.write("weighted.csv", triplet_text(weighted, "row,col,value,weight"))
        once = self.run_json("fit", "weighted.csv", "--design", "triplets", "--lambda", "1", "--weights", "weight", "--quiet")
        self.assert_close(twice["path"][0]["coefficients"], once["path"][0]["coefficients"], 1e-7)

    def test_bad_names(self):
        fit = ("fit", "bad.csv", "--design", "triplets", "--lambda", "1")
        good = entries(4, 3, share=1.0)
        for row, more, says in (
                ((5, 1, 1.0), ("--shape", "4x3"), "bad.csv, row 14, column 'row': '5' names no place of the matrix; with its shape given they are 1 to 4 (--shape)"),
                ((4, 0, 1.0), ("--shape", "4x3"), "row 14, column 'col': '0' names no place"),
                ((2.5, 1, 1.0), (), "row 14, column 'row': '2.5' names no row or column of a matrix"),
                (("", 1, 1.0), (), "row 14, column 'row'"),
                (("", 1, 1.0), ("--missing", "mean"), "name of an entry cannot be filled in")):
            with self.subTest(row=row, more=more):
                self.write("bad.csv", triplet_text([*good, row]))
                self.refused(3, says, *fit, *more)
        self.write("bad.csv", triplet_text([("a", 1, 1.0), ("b", 2, 2.0)]))
        self.refused(3, "row 2, column 'row': 'a' names no place of the matrix; with its shape given they are 1 to 4 (--shape)", *fit, "--shape", "4x3")
        self.write("bad.csv", triplet_text([(*t, 1) for t in good], "a,b,c,d"))
        self.refused(3, "two columns beside the target, the row and the column of an entry, but here are 3", *fit)
        self.write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 2 1\n")
        self.refused(3, "and not from a sparse matrix", "fit", "bad.mtx", *fit[2:])

    def test_words_are_classes(self):
        good = [(i, j, "yes" if v > 2 else "no") for i, j, v in entries(6, 5)]
        self.write("classes.csv", triplet_text(good))
        result = self.run_json("tune", "classes.csv", "--design", "triplets", "--lambdas", "5", "--quiet")
        self.assertEqual((result["problem"]["loss"], result["problem"]["penalty"]), ("logistic", "nuclear"))

    def test_other_penalties(self):
        self.write("entries.csv", triplet_text(entries(4, 3)))
        words = ("--design", "triplets", "--lambda", "1", "--quiet")
        self.assertEqual(self.run_json("fit", "entries.csv", *words, "--penalty", "ridge")["problem"]["penalty"], "ridge")
        run = self.run_alo("fit", "entries.csv", *words[:-1], "--loss", "absolute")
        self.assertIn("the penalty is ridge", run.err)


class Products(MatrixCase):
    def setUp(self):
        super().setUp()
        source = random.Random(8)
        self.left = [[round(source.gauss(0, 1), 3) for _ in range(3)] for _ in range(40)]
        self.right = [[round(source.gauss(0, 1), 3) for _ in range(4)] for _ in range(40)]
        X = [[a * b for a in left for b in right] for left, right in zip(self.left, self.right)]
        self.y = [round(row[0] - 2 * row[5] + 0.1 * source.gauss(0, 1), 4) for row in X]
        self.write("columns.csv", csv(columns_of(X, self.y)))
        self.write("y.csv", csv({"note": list(range(40)), "y": self.y}))
        self.write("left.csv", csv({f"a{k}": [row[k] for row in self.left] for k in range(3)}))
        self.write("right.npy", npy(self.right))
        self.words = ("--design", "rank-one", "--left", "left.csv", "--right", "right.npy")

    def test_same_fit_as_with_a_column_for_every_product(self):
        words = ("--lambda", "2", "--predictions")
        wide = self.run_json("fit", "columns.csv", *words, "--penalty", "nuclear", "--shape", "3x4")["path"][0]
        run = self.run_alo("fit", "y.csv", *self.words, *words, "--json", "result.json")
        self.assertIn("column 'note' is ignored", " ".join(run.err.split()))
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["problem"]["parameters"], {"shape": [3, 4], "design": "rank-one"})
        self.assertEqual(result["data"]["columns"][:5], ["a0,1", "a0,2", "a0,3", "a0,4", "a1,1"])
        self.assert_close(result["path"][0]["coefficients"], wide["coefficients"], 1e-7)
        self.assert_close(result["path"][0]["predictions"]["alo"], wide["predictions"]["alo"], 1e-6)

    def test_predict(self):
        self.run_alo("tune", "y.csv", *self.words, "--lambdas", "5", "--quiet", "--out", "model")
        factors = self.words[2:]
        alone = self.run_alo("predict", "model", *factors).out
        self.assertEqual(self.run_alo("predict", "model", "y.csv", *factors).out, alone)
        model = json.loads((self.folder / "model/model.json").read_text())["min"]
        values = [model["intercept"] + sum(b * a * c for b, (a, c) in zip(
            model["coefficients"], [(a, c) for a in left for c in right])) for left, right in zip(self.left, self.right)]
        self.assert_close([float(v) for v in alone.split()[1:]], values, 1e-12)
        self.refused(2, "name the left and the right file (--left, --right)", "predict", "model", "y.csv")
        self.refused(3, "right.npy has 4 columns, but the model was fitted to 3",
                     "predict", "model", "--left", "right.npy", "--right", "right.npy")

    def test_files_that_do_not_fit(self):
        fit = ("fit", "y.csv", "--lambda", "1")
        self.refused(3, "--shape 4x3 differs from the matrix that --left and --right make, 3x4", *fit, *self.words, "--shape", "4x3")
        self.write("short.csv", csv({"a": [1, 2, 3]}))
        self.refused(3, "short.csv has 3 rows, but y.csv has 40", *fit, "--design", "rank-one", "--left", "short.csv",
                     "--right", "right.npy")
        self.write("gap.csv", csv({"a": ["NA"] + [1] * 39}))
        self.refused(3, "gap.csv, row 2, column 'a': the value is missing", *fit, "--design", "rank-one", "--left", "gap.csv",
                     "--right", "right.npy")
        self.refused(2, "missing values are not treated in a rank-one design", *fit, *self.words, "--missing", "mean")

    def test_memory(self):
        columns = {f"a{k}": [1] * 40 for k in range(2000)}
        self.write("wide.csv", csv(columns))
        run = self.run_alo("fit", "y.csv", "--design", "rank-one", "--left", "wide.csv", "--right", "wide.csv", "--lambda", "1",
                           "--memory-limit", "600", "--quiet", code=6)
        self.assertIn("--memory-limit", run.err)


if __name__ == "__main__":
    unittest.main()
