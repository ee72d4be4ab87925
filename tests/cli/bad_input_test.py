# SPDX-License-Identifier: MIT
"""Data that cannot be used, or that are used after saying so. One row of a table per case."""

import os
import shlex
import unittest
from dataclasses import dataclass, field

from command import CommandCase, columns_of, csv, data_csv, gz, libsvm, mtx, npy, simulate

X, Y = simulate(30, 4)
GOOD = data_csv()
LINES = GOOD.splitlines()


def with_line(number, text):
    """The good file with its line `number` (1 is the header) replaced."""
    return "\n".join(LINES[: number - 1] + [text] + LINES[number:]) + "\n"


def with_column(name, values):
    return csv(columns_of(X, Y, **{name: values}))


def pattern(*values):
    return [values[i % len(values)] for i in range(30)]


@dataclass
class Case:
    name: str
    files: dict
    words: str
    code: int
    says: list = field(default_factory=list)


def bad(name, content, code=3, words="tune data.csv", says=()):
    return Case(name, {"data.csv": content}, words, code, ["data.csv", *says])


MODEL_HEAD = "tune data.csv --lambda 1 --out model"

REFUSED = [
    # the file itself
    Case("no such file", {}, "tune nowhere.csv", 3, ["nowhere.csv", "no such file"]),
    Case("folder", {"folder/x": ""}, "tune folder", 3, ["folder", "is a folder"]),
    bad("empty file", "", says=["empty"]),
    bad("blank lines only", "\n\n\n", says=[]),
    bad("header only", "a,b,y\n", says=["no row of data"]),
    bad("binary garbage", bytes(range(256)) * 20),
    bad("UTF-16", GOOD.encode("utf-16"), says=["UTF-8"]),
    Case("not gzip", {"data.csv.gz": GOOD}, "tune data.csv.gz", 3, ["data.csv.gz", "gzip"]),
    Case("truncated gzip", {"data.csv.gz": gz(GOOD)[:-40]}, "tune data.csv.gz", 3, ["data.csv.gz", "truncated"]),
    Case("corrupt gzip", {"data.csv.gz": gz(GOOD)[:60] + b"xxxxxxxx" + gz(GOOD)[68:]}, "tune data.csv.gz", 3,
         ["data.csv.gz", "gzip"]),
    Case("not npy", {"X.npy": b"hello", "y.csv": "1\n2\n"}, "tune X.npy --response y.csv", 3, ["X.npy"]),
    Case("truncated npy", {"X.npy": npy(X)[:-8], "y.csv": "1\n"}, "tune X.npy --response y.csv", 3,
         ["X.npy", "truncated"]),
    Case("npy with three dimensions", {"X.npy": npy(X, shape=(30, 2, 2)), "y.csv": "1\n"},
         "tune X.npy --response y.csv", 3, ["X.npy", "dimension"]),
    Case("npy with one column and no response", {"X.npy": npy([[y] for y in Y])}, "tune X.npy --target 2", 3, ["X.npy"]),
    Case("response too short", {"X.npy": npy(X), "y.csv": "1\n2\n"}, "tune X.npy --response y.csv", 3,
         ["y.csv", "2", "30"]),
    Case("response missing", {"X.npy": npy(X)}, "tune X.npy --response y.csv", 3, ["y.csv", "no such file"]),
    Case("npy with NaN", {"X.npy": npy([[float("nan")] * 4, *X[1:]]), "y.csv": "\n".join(map(str, Y))},
         "tune X.npy --response y.csv", 3, ["row 1"]),
    Case("truncated mtx", {"X.mtx": mtx(X)[:-60], "y.csv": "1\n"}, "tune X.mtx --response y.csv", 3, ["X.mtx"]),
    Case("not mtx", {"X.mtx": GOOD, "y.csv": "1\n"}, "tune X.mtx --response y.csv", 3, ["X.mtx", "MatrixMarket"]),
    Case("mtx index out of range", {"X.mtx": mtx(X).replace("\n1 1 ", "\n99 1 "), "y.csv": "1\n"},
         "tune X.mtx --response y.csv", 3, ["X.mtx", "99"]),
    Case("libsvm with text", {"a.svm": "1 1:2 two:3\n"}, "tune a.svm --format libsvm", 3, ["a.svm", "row 1", "two"]),
    Case("libsvm indices that fall", {"a.svm": libsvm(X, Y).replace(" 1:", " 9:", 1)}, "tune a.svm --format libsvm", 3,
         ["a.svm", "row 1", "rise"]),
    Case("libsvm cut within a pair", {"a.svm": libsvm(X, Y).rstrip()[:-9] + ":"}, "tune a.svm --format libsvm", 3,
         ["a.svm", "row 30"]),
    Case("csv read as npy", {"data.csv": GOOD, "y.csv": "1\n"}, "tune data.csv --format npy --response y.csv", 3,
         ["data.csv", "NPY"]),
    # cells
    bad("NaN", with_line(8, "1,2,nan,4,5"), says=["row 8", "x3", "--missing"]),
    bad("Inf", with_line(8, "1,2,inf,4,5"), says=["row 8", "x3"]),
    bad("number too large", with_line(8, "1,2,1e999,4,5"), says=["row 8", "x3"]),
    bad("empty cell", with_line(9, "1,2,,4,5"), says=["row 9", "x3", "--missing"]),
    bad("short row", with_line(5, "1,2,3"), says=["row 5", "3", "5"]),
    bad("long row", with_line(5, "1,2,3,4,5,6"), says=["row 5", "6", "5"]),
    bad("text in a number column", with_line(11, "1,2,oops,4,5"), says=["row 11", "x3", "oops"]),
    bad("text in the target", with_line(11, "1,2,3,4,high"), says=["row 11", "'y'", "high"]),
    bad("missing target value", with_line(4, "1,2,3,4,"), says=["row 4", "'y'"]),
    bad("open quote", with_line(6, '1,"2,3,4,5'), says=["row 6"]),
    bad("text column with many levels", with_column("town", [f"town{i}" for i in range(30)]), says=["town", "20"]),
    bad("column missing everywhere", with_column("gone", [""] * 30), words="tune data.csv --missing mean",
        says=["gone"]),
    bad("every row has a gap", with_column("gone", [""] * 30), words="tune data.csv --missing drop-rows", says=[]),
    bad("more lines skipped than there are", GOOD, words="tune data.csv --skip 99", says=["--skip 99"]),
    # numbers whose squares overflow or vanish
    bad("response of 1e300", with_line(5, "1,2,3,4,1e300"), says=["'y'", "as large as 1e+300", "another unit"]),
    bad("column of 1e160", with_column("far", [1e160 * (i % 7) for i in range(30)]), says=["'far'", "as large as 6e+160"]),
    bad("column of 1e-160", with_column("near", [1e-160 * (1 + i % 7) for i in range(30)]), says=["'near'", "as small as"]),
    bad("weight of 1e200", with_column("w", pattern(1, 1e200)), words="tune data.csv --weights w", says=["the weight", "1e+200"]),
    Case("penalty weight of 1e-310", {"data.csv": GOOD, "f.csv": "1\n1\n1e-310\n1\n"},
         "tune data.csv --penalty-weights f.csv", 3, ["penalty weight 3", "1e-310", "use 0"]),
    bad("constant column that is tied to others", with_column("k", [2] * 30),
        words="tune data.csv --penalty fused-lasso --standardize --no-intercept", says=["'k'", "constant", "--drop k"]),
    # columns
    bad("one column", csv({"y": Y}), says=["one column", "no predictor", "separated"]),
    bad("no such target", GOOD, words="tune data.csv --target z", says=["'z'", "--target"]),
    bad("target misspelt", with_column("price", Y), words="tune data.csv --target prize", says=["price"]),
    bad("target index out of range", GOOD, words="tune data.csv --target 9", says=["'9'", "--target", "x1, x2"]),
    bad("target dropped", GOOD, words="tune data.csv --target y --drop y", says=["y"]),
    bad("no such column to drop", GOOD, words="tune data.csv --drop z", says=["'z'", "--drop"]),
    bad("two columns of one name", "a,a,y\n1,2,3\n4,5,6\n7,8,8\n", says=["'a'"]),
    bad("n = 1", "a,b,y\n1,2,3\n", says=["one row", "at least two"]),
    bad("one row that counts", with_column("w", [0] * 29 + [1]), words="tune data.csv --weights w", says=["at least two"]),
    # classes
    bad("third class", with_column("label", pattern("no", "yes", "no", "perhaps")),
        words="tune data.csv --target label --loss logistic",
        says=["'label' is 'perhaps' in row 5", "'no' and 'yes'", "two classes"]),
    bad("third number", with_column("label", pattern(0, 1, 1, 1, 2)), words="tune data.csv --target label --loss logistic",
        says=["'label' is 2 in row 6", "'0' and '1'", "two classes"]),
    bad("one class", with_column("label", ["yes"] * 30), words="tune data.csv --target label",
        says=["one class only, 'yes'", "30 rows"]),
    bad("one number as a class", with_column("label", [1] * 30), words="tune data.csv --target label --loss logistic",
        says=["one class only, '1'"]),
    bad("no such positive class", with_column("label", pattern("no", "yes")),
        words="tune data.csv --target label --positive si", says=["--positive si", "'no' and 'yes'"]),
    Case("positive class of a numeric target", {"data.csv": GOOD}, "tune data.csv --positive 1", 3,
         ["--positive", "squared"]),
    bad("text for the squared loss", with_column("label", pattern("no", "yes")),
        words="tune data.csv --target label --loss squared", says=["'label' is 'no' in row 2", "takes numbers"]),
    bad("a class for every row", with_column("label", [f"id{i}" for i in range(30)]),
        words="tune data.csv --target label", says=["'label'", "30 different values in 30 rows", "--target"]),
    bad("negative count", with_column("count", pattern(3, 0, -2)), words="tune data.csv --target count --loss poisson",
        says=["row 3", "-2", "first row of data"]),
    Case("words of another number of rows", {"X.npy": npy(X), "y.txt": "no\nyes\n" * 8},
         "tune X.npy --response y.txt", 3, ["y.txt", "15 responses", "30 rows"]),
    # weights, offset
    bad("no such weights", GOOD, words="tune data.csv --weights w", says=["'w'", "--weights"]),
    bad("negative weight", with_column("w", pattern(1, 1, -1)), words="tune data.csv --weights w",
        says=["row", "-1", "negative"]),
    bad("all weights zero", with_column("w", [0] * 30), words="tune data.csv --weights w", says=["zero"]),
    bad("frequencies that are not whole", with_column("w", pattern(1, 1.5)),
        words="tune data.csv --weights w --weights-are frequency", says=["1.5", "whole"]),
    bad("NaN weight", with_column("w", pattern(1, 1, "nan")), words="tune data.csv --weights w", says=["row", "w"]),
    bad("text weight", with_column("w", pattern(1, "heavy")), words="tune data.csv --weights w", says=["heavy"]),
    bad("no such offset", GOOD, words="tune data.csv --offset o", says=["'o'", "--offset"]),
    bad("offset is the target", GOOD, words="tune data.csv --target y --offset y", says=["'y'", "--target", "--offset"]),
    bad("infinite offset", with_column("o", pattern(1, "inf")), words="tune data.csv --offset o", says=["row"]),
    # settings that do not fit the data
    bad("lambda = 0 with p > n", data_csv(6, 10), words="tune data.csv --lambda 0 --penalty ridge",
        says=["lambda = 0", "6 rows"]),
    bad("lambda = 0 in a path with p > n", data_csv(6, 10), words="tune data.csv --lambda 1,0", says=["lambda = 0"]),
    bad("more folds than rows", GOOD, words="tune data.csv --folds 31", says=["31", "30"]),
    Case("too few penalty weights", {"data.csv": GOOD, "f.csv": "1\n1\n"}, "tune data.csv --penalty-weights f.csv", 3,
         ["f.csv", "2", "4"]),
    Case("negative penalty weight", {"data.csv": GOOD, "f.csv": "1\n1\n-1\n1\n"},
         "tune data.csv --penalty-weights f.csv", 3, ["f.csv", "3", "-1"]),
    Case("penalty weights of text", {"data.csv": GOOD, "f.csv": "f\none\ntwo\n"},
         "tune data.csv --penalty-weights f.csv", 3, ["f.csv"]),
    Case("no penalty weights", {"data.csv": GOOD}, "tune data.csv --penalty-weights f.csv", 3, ["f.csv", "no such file"]),
    # places to write to
    Case("folder under a file", {"data.csv": GOOD, "file": "x"}, "tune data.csv --out file/report", 2,
         ["--out", "file/report", "cannot be made"]),
    Case("folder that is a file", {"data.csv": GOOD, "file": "x"}, "tune data.csv --out file", 2, ["--out", "file"]),
    Case("JSON in no folder", {"data.csv": GOOD}, "tune data.csv --json nowhere/r.json", 2, ["--json", "nowhere"]),
    Case("JSON is a folder", {"data.csv": GOOD, "folder/x": ""}, "tune data.csv --json folder", 2, ["--json", "folder"]),
    Case("JSON over the data", {"data.csv": GOOD}, "tune data.csv --json ./data.csv", 2, ["--json", "data.csv", "input"]),
    Case("folder made for nothing", {"data.csv": "a,y\n1,x\n"}, "tune data.csv --out new/report", 3, ["data.csv"]),
    # models
    Case("no model", {"data.csv": GOOD}, "predict model.json data.csv", 3, ["model.json"]),
    Case("folder without model", {"data.csv": GOOD, "report/x": ""}, "predict report data.csv", 3, ["model.json"]),
    Case("model is not JSON", {"data.csv": GOOD}, "predict data.csv data.csv", 3, ["data.csv"]),
    Case("JSON is not a model", {"data.csv": GOOD, "m.json": "{}"}, "predict m.json data.csv", 3, ["m.json"]),
]

# Used all the same, with a remark on stderr.
HANDLED = [
    Case("every predictor dropped", {"data.csv": GOOD}, "tune data.csv --drop x1,x2,x3,x4", 0, ["no predictor is left"]),
    Case("every column constant", {"data.csv": csv({"a": [1] * 30, "b": [2] * 30, "y": Y})}, "tune data.csv", 0,
         ["2 constant columns", "'a', 'b'", "no predictor is left"]),
    Case("constant y", {"data.csv": csv(columns_of(X, [3] * 30))}, "tune data.csv", 0, ["'y' is constant"]),
    Case("penalty weights all infinite", {"data.csv": GOOD, "f.csv": "inf\ninf\ninf\ninf\n"},
         "tune data.csv --penalty-weights f.csv", 0, ["null model"]),
    Case("libsvm that counts from zero", {"a.svm": libsvm(X, Y).replace(" 1:", " 0:")}, "tune a.svm --format libsvm", 0,
         ["a.svm", "from 0"]),
    Case("constant column", {"data.csv": with_column("same", [7] * 30)}, "tune data.csv", 0, ["same", "constant"]),
    Case("duplicate column", {"data.csv": with_column("again", [row[0] for row in X])}, "tune data.csv", 0,
         ["again", "x1"]),
    Case("duplicate column of a sparse file", {"a.svm": libsvm([[*row, row[1]] for row in X], Y)},
         "tune a.svm --format libsvm", 0, ["'x5' = 'x2'"]),
    Case("n = 2", {"data.csv": "a,y\n1,3\n2,5\n"}, "tune data.csv", 0, ["null model"]),
    Case("n = 2 without a choice", {"data.csv": "a,y\n1,3\n2,5\n"}, "tune data.csv --lambda 0.1 --effort 0", 0,
         ["no lambda can be chosen"]),
    Case("rows with gaps left out", {"data.csv": with_line(9, "1,2,,4,5")}, "tune data.csv --missing drop-rows", 0,
         ["row"]),
    Case("gaps filled", {"data.csv": with_line(9, "1,2,,4,5")}, "tune data.csv --missing mean", 0, ["x3"]),
    Case("two-valued target as numbers", {"data.csv": with_column("label", pattern(0, 1))},
         "tune data.csv --target label --loss squared", 0, []),
    Case("class of one row", {"data.csv": with_column("label", ["rare"] + pattern("a", "b")[1:])},
         "tune data.csv --target label --penalty ridge --lambda 1", 0, ["one row only", "'rare'"]),
    Case("minimum at lambda max", {"data.csv": csv({"a": pattern(1, 2, 3, 4, 5, 6, 7), "y": pattern(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5)})},
         "tune data.csv", 0, ["null model"]),
    Case("minimum at the smallest lambda", {"data.csv": GOOD}, "tune data.csv --lambda 1000,1", 0, ["smallest"]),
    Case("lambda too small to certify", {"data.csv": GOOD}, "tune data.csv --lambda 1,1e-300", 4,
         ["certificate", "1 of 2 values of lambda"]),
    Case("byte order mark and CRLF", {"data.csv": b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()},
         "tune data.csv", 0, []),
    Case("larger sample than rows", {"data.csv": GOOD}, "check data.csv --sample 500", 0, []),
]


class BadInput(CommandCase):
    def prepare(self, case, number):
        self.folder = self.folder_of_all / str(number)
        self.folder.mkdir()
        for name, content in case.files.items():
            self.write(name, content)

    def setUp(self):
        super().setUp()
        self.folder_of_all = self.folder

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(REFUSED), 60)
        names = [case.name for case in REFUSED + HANDLED]
        self.assertEqual(len(names), len(set(names)))

    def test_refused(self):
        for number, case in enumerate(REFUSED):
            with self.subTest(case.name):
                self.prepare(case, number)
                before = self.listing()
                words = shlex.split(case.words)
                run = self.run_alo(*words, code=case.code)
                self.assertEqual(run.out, "", run.where)
                self.assertIn("alo: error: ", run.err, run.where)
                for text in case.says:
                    self.assertIn(text, run.err, run.where)
                self.assertEqual(self.listing(), before, f"{run.where}\nfiles were left or changed")

    def test_handled_and_said(self):
        for number, case in enumerate(HANDLED):
            with self.subTest(case.name):
                self.prepare(case, number)
                run = self.run_alo(*shlex.split(case.words), code=case.code)
                self.assertNotEqual(run.out, "", run.where)
                for text in case.says:
                    self.assertIn(text, run.err, run.where)
                if case.says:
                    return_quiet = self.run_alo(*shlex.split(case.words), "--quiet", code=case.code)
                    self.assertNotIn("note:", return_quiet.err, return_quiet.where)
                    self.assertEqual(return_quiet.out, run.out)

    def test_unreadable_file(self):
        if os.geteuid() == 0:
            self.skipTest("root reads every file")
        self.write("data.csv", GOOD).chmod(0)
        self.assertIn("data.csv", self.run_alo("tune", "data.csv", code=3).err)


class BadNewData(CommandCase):
    """What predict refuses: every row is new data for one model."""

    def setUp(self):
        super().setUp()
        self.write("train.csv", csv(columns_of(X, Y, town=pattern("Basel", "Bern", "Chur"))))
        self.run_alo("tune", "train.csv", "--lambda", 1, "--out", "model")

    def test_refused(self):
        new = csv({"x1": [1, 2], "x2": [1, 2], "x3": [3, 4], "x4": [1, 0], "town": ["Bern", "Chur"]})
        cases = [
            ("missing column", new.replace("x3", "z3"), [], 3, ["new.csv", "x3"]),
            ("unseen level", new.replace("Chur", "Genf"), [], 3, ["new.csv", "row 3", "town", "Genf", "Basel"]),
            ("text for a number", new.replace("2,2", "2,two"), [], 3, ["new.csv", "row 3", "x2", "two"]),
            ("missing value", new.replace("2,2", "2,"), [], 3, ["new.csv", "row 3", "x2"]),
            ("infinite value", new.replace("2,2", "2,inf"), [], 3, ["new.csv", "row 3", "x2"]),
            ("no mean to fill in", new.replace("2,2", "2,"), ["--missing", "mean"], 3, ["new.csv", "x2"]),
            ("rows left out", new, ["--missing", "drop-rows"], 2, ["--missing", "refuse, mean"]),
            ("empty", "", [], 3, ["new.csv", "empty"]),
            ("class of a number", new, ["--type", "class"], 2, ["no classes can be predicted", "squared", "--type response"]),
        ]
        self.write("new.csv", new)
        self.run_alo("predict", "model", "new.csv")
        model = (self.folder / "model/model.json").read_text()
        self.write("other.json", model.replace('"squared"', '"cubic"'))
        self.assertIn("'cubic' is unknown", self.run_alo("predict", "other.json", "new.csv", code=3).err)
        for name, content, words, code, says in cases:
            with self.subTest(name):
                self.write("new.csv", content)
                run = self.run_alo("predict", "model", "new.csv", *words, code=code)
                self.assertEqual(run.out, "")
                for text in says:
                    self.assertIn(text, run.err, run.where)


if __name__ == "__main__":
    unittest.main()
