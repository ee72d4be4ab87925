# SPDX-License-Identifier: MIT
"""Help, version, and everything that is wrong with the words themselves (exit code 2)."""

import re
import shlex
import unittest
from pathlib import Path

from command import CommandCase, csv, columns_of, data_csv, npy, simulate

SOURCE = Path(__file__).parents[2]
COMMANDS = ("tune", "fit", "predict", "check")

# name, arguments, what stderr says
REFUSED = [
    ("kinks with a lasso", "tune data.csv --loss absolute --penalty lasso",
     ["absolute loss", "is a linear program", "huber", "elastic net"]),
    ("kinks with an elastic net that is a lasso", "tune data.csv --loss absolute --penalty elastic-net --mix 1",
     ["linear program"]),
    ("no command", "", ["tune, fit, predict, check"]),
    ("unknown command", "tnue data.csv", ["'tnue'", "did you mean 'tune'"]),
    ("unknown option", "tune data.csv --lamda 1", ["--lamda", "did you mean --lambda"]),
    ("unknown option with equals", "tune data.csv --tagret=y", ["--tagret", "did you mean --target"]),
    ("unknown option far from all", "tune data.csv --frobnicate", ["no option --frobnicate"]),
    ("unknown option before all", "--verbose tune data.csv", ["no option --verbose"]),
    ("unknown short option", "tune data.csv -x", ["no option -x"]),
    ("option of another command", "fit data.csv --lambda 1 --rule min", ["alo fit has no option --rule", "alo tune"]),
    ("option twice", "tune data.csv --lambda 1 --lambda 2", ["--lambda is given twice"]),
    ("no file", "tune", ["FILE"]),
    ("two files", "tune data.csv more.csv", ["more.csv"]),
    ("predict without data", "predict model.json", ["FILE"]),
    ("option without value", "tune data.csv --target", ["--target needs a value"]),
    ("option with empty value", "tune data.csv --target ''", ["--target needs a value"]),
    ("unknown loss", "tune data.csv --loss sqared", ["'sqared'", "did you mean 'squared'"]),
    ("unknown penalty", "tune data.csv --penalty laso", ["'laso'", "did you mean 'lasso'", "elastic-net"]),
    ("penalty of another version", "tune data.csv --penalty horseshoe", ["'horseshoe' in this version", "ridge"]),
    ("matrix without shape", "tune data.csv --penalty nuclear", ["needs its size: add --shape", "--shape 8x8"]),
    ("shape of one side", "tune data.csv --penalty nuclear --shape 4", ["--shape", "'4'", "20x30"]),
    ("shape of the lasso", "tune data.csv --shape 2x2", ["--shape belongs to --penalty nuclear and schatten and frobenius"]),
    ("schatten without smoothing", "tune data.csv --penalty schatten --shape 2x2", ["--smoothing", "sqrt(s^2 + S^2)"]),
    ("smoothing of zero", "tune data.csv --penalty schatten --shape 2x2 --smoothing 0", ["--smoothing", "greater than 0"]),
    ("smoothing of the nuclear norm", "tune data.csv --penalty nuclear --shape 2x2 --smoothing 1",
     ["--smoothing belongs to --penalty schatten"]),
    ("factors of a matrix", "tune data.csv --penalty nuclear --shape 2x2 --penalty-weights w.csv", ["singular values"]),
    ("two designs", "tune data.csv --format triplets --design identity", ["--format triplets", "--design triplets"]),
    ("factors of columns", "tune data.csv --left a.csv", ["--left", "--design rank-one"]),
    ("unknown metric", "tune data.csv --metric msse", ["'msse'", "did you mean 'mse'"]),
    ("metric twice", "tune data.csv --metric mse,mae,mse", ["--metric", "mse is named twice"]),
    ("metric with empty part", "tune data.csv --metric mse,,mae", ["--metric", "empty part"]),
    ("unknown rule", "tune data.csv --rule 2se", ["--rule", "'2se'", "min, 1se, 1se-paired"]),
    ("unknown search", "tune data.csv --search exat", ["--search", "did you mean 'exact'"]),
    ("unknown framework", "tune data.csv --framework prima", ["--framework", "did you mean 'primal'"]),
    ("misspelt rule", "tune data.csv --rule 1se-pared", ["--rule", "did you mean '1se-paired'"]),
    ("unknown choice", "tune data.csv --choose loo", ["--choose", "'loo'", "auto, alo, exact, kfold"]),
    ("misspelt choice", "tune data.csv --choose exat", ["--choose", "did you mean 'exact'"]),
    ("choice of a fit", "fit data.csv --lambda 1 --choose alo", ["alo fit has no option --choose", "alo tune"]),
    ("choice of a check", "check data.csv --choose alo", ["alo check has no option --choose"]),
    ("negative effort", "tune data.csv --effort -1", ["--effort", "-1", "negative"]),
    ("effort in words", "tune data.csv --effort much", ["--effort", "'much' is not a number"]),
    ("effort NaN", "tune data.csv --effort nan", ["--effort", "not a finite number"]),
    ("effort without end", "tune data.csv --effort inf", ["--effort", "not a finite number"]),
    ("effort of a check", "check data.csv --effort 2", ["alo check has no option --effort"]),
    ("effort that decides nothing", "tune data.csv --effort 2 --choose alo", ["--effort belongs to --choose auto"]),
    ("unknown repair", "tune data.csv --repair all", ["--repair", "auto, none, exact"]),
    ("unknown missing", "tune data.csv --missing drop", ["--missing", "did you mean 'drop-rows'"]),
    ("unknown format", "tune data.csv --format cvs", ["--format", "did you mean 'csv'"]),
    ("products without factors", "tune data.csv --design rank-one", ["name the left and the right one", "(--left, --right)"]),
    ("unknown design", "tune data.csv --design column", ["--design", "did you mean 'columns'"]),
    ("negative skip", "tune data.csv --skip -1", ["--skip", "'-1'"]),
    ("lambda negative", "tune data.csv --lambda -1", ["--lambda", "-1", "negative"]),
    ("lambda not a number", "tune data.csv --lambda small", ["--lambda", "'small' is not a number"]),
    ("lambda with rubbish behind", "tune data.csv --lambda 1x", ["--lambda", "'1x' is not a number"]),
    ("lambda NaN", "tune data.csv --lambda nan", ["--lambda", "not a finite number"]),
    ("lambda infinite", "tune data.csv --lambda 1,inf", ["--lambda", "not a finite number"]),
    ("lambda and grid", "tune data.csv --lambda 1 --lambdas 5", ["--lambda", "--lambdas", "one or the other"]),
    ("lambda and ratio", "tune data.csv --lambda 1 --lambda-ratio 0.1", ["--lambda-ratio", "one or the other"]),
    ("no lambdas", "tune data.csv --lambdas 0", ["--lambdas", "'0'"]),
    ("half a lambda", "tune data.csv --lambdas 2.5", ["--lambdas", "'2.5'"]),
    ("ratio above one", "tune data.csv --lambda-ratio 2", ["--lambda-ratio", "between 0 and 1"]),
    ("ratio zero", "tune data.csv --lambda-ratio 0", ["--lambda-ratio", "between 0 and 1"]),
    ("mix out of range", "tune data.csv --penalty elastic-net --mix 1.5", ["--mix", "1.5", "between 0 and 1"]),
    ("mix negative", "tune data.csv --penalty elastic-net --mix -0.1", ["--mix", "between 0 and 1"]),
    ("mix of the lasso", "tune data.csv --mix 0.5", ["--mix belongs to --penalty elastic-net", "lasso"]),
    ("ridge zero", "tune data.csv --penalty elastic-net --ridge 0", ["--ridge", "0", "greater than 0"]),
    ("ridge negative", "tune data.csv --penalty elastic-net --ridge -2", ["--ridge", "greater than 0"]),
    ("ridge infinite", "tune data.csv --penalty elastic-net --ridge inf", ["--ridge", "not a finite number"]),
    ("ridge and mix", "tune data.csv --penalty elastic-net --ridge 2 --mix 0.5", ["--ridge", "--mix", "one or the other"]),
    ("ridge of the lasso", "tune data.csv --ridge 2", ["--ridge belongs to", "lasso", "add --penalty elastic-net"]),
    ("ridge of ridge", "tune data.csv --penalty ridge --ridge 2", ["--ridge belongs to", "ridge", "drop --ridge"]),
    ("both intercepts", "tune data.csv --intercept --no-intercept", ["--no-intercept", "contradict"]),
    ("both scalings", "tune data.csv --standardize --no-standardize", ["--no-standardize", "contradict"]),
    ("one fold", "tune data.csv --folds 1", ["--folds", "'1'", "from 2"]),
    ("no threads", "tune data.csv --threads 0", ["--threads", "from 1"]),
    ("too many threads", "tune data.csv --threads 1000", ["--threads", "to 128"]),
    ("negative seed", "tune data.csv --seed -4", ["--seed", "'-4'"]),
    ("no time", "tune data.csv --time-limit 0", ["--time-limit", "greater than 0"]),
    ("time in words", "tune data.csv --time-limit 5m", ["--time-limit", "'5m' is not a number"]),
    ("negative memory", "tune data.csv --memory-limit -5", ["--memory-limit", "greater than 0"]),
    ("kind of no weights", "tune data.csv --weights-are frequency", ["--weights-are", "--weights NAME"]),
    ("unknown kind of weights", "tune data.csv --weights y --weights-are counts", ["--weights-are", "importance"]),
    ("two responses", "tune data.csv --target y --response y.csv", ["--target", "--response", "one of them"]),
    ("predictions nowhere", "tune data.csv --predictions", ["--predictions", "--json"]),
    ("fit without lambda", "fit data.csv", ["exactly one --lambda"]),
    ("fit with two lambdas", "fit data.csv --lambda 1,2", ["exactly one --lambda"]),
    ("sample of none", "check data.csv --sample 0", ["--sample", "from 5"]),
    ("delta of the squared loss", "tune data.csv --loss squared --delta 1", ["--delta", "squared loss"]),
    ("negative delta", "tune data.csv --loss huber --delta -1", ["--delta", "greater than 0"]),
    ("quantile of the absolute loss", "tune data.csv --loss absolute --quantile 0.9",
     ["--quantile belongs to --loss quantile", "absolute loss"]),
    ("quantile in percent", "tune data.csv --loss quantile --quantile 90", ["--quantile", "90", "between 0 and 1"]),
    ("quantile zero", "tune data.csv --loss quantile --quantile 0", ["--quantile", "between 0 and 1"]),
    ("epsilon of the huber loss", "tune data.csv --loss huber --epsilon 0.2",
     ["--epsilon belongs to --loss epsilon-insensitive", "huber loss"]),
    ("negative epsilon", "tune data.csv --loss epsilon-insensitive --epsilon -0.1", ["--epsilon", "at least 0"]),
    ("misspelt quantile", "tune data.csv --loss quantile --quantil 0.9", ["--quantil", "--quantile"]),
    ("misspelt loss", "tune data.csv --loss hing", ["'hing'", "did you mean 'hinge'"]),
    ("pinball of the absolute loss", "tune data.csv --loss absolute --metric pinball",
     ["pinball", "absolute", "mae, mse, r2"]),
    ("unknown kernel", "tune data.csv --loss hinge --kernel gaussian", ["--kernel", "linear, rbf, poly"]),
    ("kernel of the squared loss", "tune data.csv --loss squared --kernel rbf",
     ["--kernel", "hinge and epsilon-insensitive", "squared"]),
    ("kernel of a lasso", "tune data.csv --loss epsilon-insensitive --kernel rbf --penalty lasso",
     ["--kernel needs --penalty ridge", "lasso"]),
    ("gamma without kernel", "tune data.csv --loss epsilon-insensitive --gamma 1", ["--gamma belongs to --kernel rbf"]),
    ("gamma of a linear kernel", "tune data.csv --loss epsilon-insensitive --kernel linear --gamma 1",
     ["--gamma belongs to --kernel rbf and poly"]),
    ("gamma zero", "tune data.csv --loss epsilon-insensitive --kernel rbf --gamma 0", ["--gamma", "greater than 0"]),
    ("degree of rbf", "tune data.csv --loss epsilon-insensitive --kernel rbf --degree 2", ["--degree belongs to --kernel poly"]),
    ("degree zero", "tune data.csv --loss epsilon-insensitive --kernel poly --degree 0", ["--degree", "from 1"]),
    ("degree with a half", "tune data.csv --loss epsilon-insensitive --kernel poly --degree 2.5", ["--degree", "2.5"]),
    ("coef0 of rbf", "tune data.csv --loss epsilon-insensitive --kernel rbf --coef0 1", ["--coef0 belongs to --kernel poly"]),
    ("negative coef0", "tune data.csv --loss epsilon-insensitive --kernel poly --coef0 -1", ["--coef0", "at least 0"]),
    ("metric of another loss", "tune data.csv --loss squared --metric auc", ["auc", "squared", "mse, mae, r2"]),
    ("positive class of numbers", "tune data.csv --loss squared --positive 1", ["--positive", "squared loss"]),
    ("unknown type", "predict model.json data.csv --type probability", ["--type", "link, response, class"]),
    ("unknown place", "predict model.json data.csv --at best", ["--at", "min, 1se"]),
    ("exact search of ridge", "tune data.csv --penalty ridge --search exact", ["exact search", "lasso"]),
]


class Usage(CommandCase):
    def refuse(self, words, says):
        before = self.listing()
        run = self.run_alo(*words, code=2)
        self.assertEqual(run.out, "", run.where)
        self.assertEqual(self.listing(), before, run.where)
        for text in says:
            self.assertIn(text, run.err, run.where)

    def test_refused(self):
        self.write("data.csv", data_csv())
        for name, words, says in REFUSED:
            with self.subTest(name):
                self.refuse(shlex.split(words), says)

    def test_version(self):
        self.assertRegex(self.run_alo("--version").out, r"^alo \d+\.\d+\.\d+\n$")

    def test_help_begins_with_examples(self):
        for words in ([], *([name] for name in COMMANDS)):
            run = self.run_alo(*words, "--help")
            self.assertEqual(run.err, "")
            self.assertLess(run.out.index("Examples:"), run.out.index("Usage:"))
        self.assertIn("--lambda-ratio", self.run_alo("tune", "--help").out)

    def test_every_option_is_documented(self):
        for page in ("docs/command.md", "docs/man/alo.1"):
            text = (SOURCE / page).read_text().replace("\\-", "-")
            for name in COMMANDS:
                options = re.findall(r"^  (--[a-z0-9-]+)", self.run_alo(name, "--help").out, re.M)
                self.assertGreaterEqual(len(options), 4)
                for option in options:
                    self.assertRegex(text, rf"{option}(?![a-z-])", f"{page} does not mention {option}")

    def test_every_setting_of_the_messages_is_an_option(self):
        text = (SOURCE / "include/alo/message.hpp").read_text()
        settings = re.findall(r'\{Setting::\w+, "([a-z-]+)"\}', text)
        self.assertGreater(len(settings), 20)
        options = set(re.findall(r"--[a-z0-9-]+", "".join(self.run_alo(name, "--help").out for name in COMMANDS)))
        self.assertEqual([name for name in settings if "--" + name not in options], [])

    def test_help_examples_run(self):
        X, y = simulate(40, 4)
        self.write("data.csv", csv(columns_of(X, None, id=list(range(40)), price=y)))
        self.write("new.csv", csv(columns_of(X)))
        self.write("X.npy", npy(X))
        self.write("y.csv", "\n".join(map(str, y)) + "\n")
        for name in ("tune", "fit", "check", "predict"):
            examples = re.findall(r"^  (alo .*)$", self.run_alo(name, "--help").out.split("Usage:")[0], re.M)
            self.assertGreaterEqual(len(examples), 2)
            for example in examples:
                words = shlex.split(example.split(">")[0])
                self.assertEqual(words[:2], ["alo", name])
                self.run_alo(*words[1:])


if __name__ == "__main__":
    unittest.main()
