# SPDX-License-Identifier: MIT
"""The problems of the reference library: how the data of each are made or read, and the options of the command."""

import shlex
from dataclasses import dataclass
from typing import Callable

import published as real
import simulated
from simulated import Model


@dataclass(frozen=True)
class Problem:
    name: str
    data: Callable  # (folder of the published data, folder to write to) -> arguments of the command that name the data
    options: tuple  # loss, penalty and their parameters: all but lambda
    published: bool


def from_model(name, model):
    def write(data, folder):
        sample = simulated.draw(model, name)
        simulated.write_table(folder / "data.csv", sample.X, sample.y)
        groups = [str(j // model.group) for j in range(model.columns)]
        (folder / "groups.txt").write_text("\n".join(groups) + "\n")
        return [str(folder / "data.csv")]

    return write


def from_writer(writer, *arguments, options=()):
    """Data whose file is written by writer(path, *arguments, seed)."""

    def named(name):
        def write(data, folder):
            writer(folder / "data.csv", *arguments, name)
            return [str(folder / "data.csv"), *options]

        return write

    return named


def products(name):
    def write(data, folder):
        simulated.write_products(folder, 80, 6, 5, name)
        return [str(folder / "data.csv"), "--design", "rank-one", "--left", str(folder / "left.csv"), "--right",
                str(folder / "right.csv")]

    return write


def second_differences(columns):
    """D of a generalised lasso: second differences, and one first difference to hold the end."""
    rows = [[0] * columns for _ in range(columns - 1)]
    for k in range(columns - 2):
        rows[k][k : k + 3] = [1, -2, 1]
    rows[-1][-2:] = [-1, 1]
    return "\n".join(",".join(map(str, row)) for row in rows) + "\n"


def with_matrix(columns, data):
    """The same data, and D beside them in matrix.csv."""

    def write(base, folder):
        (folder / "matrix.csv").write_text(second_differences(columns))
        return data(base, folder)

    return write


PUBLISHED = [
    ("diabetes lasso", real.DIABETES, ""),
    ("diabetes ridge", real.DIABETES, "--penalty ridge"),
    ("diabetes slope", real.DIABETES, "--penalty slope"),
    ("diabetes huber lasso", real.DIABETES, "--loss huber"),
    ("diabetes pseudo-huber ridge", real.DIABETES, "--loss pseudo-huber --penalty ridge"),
    ("diabetes absolute ridge", thin_diabetes := real.thinned("diabetes/diabetes.tab.txt", 150, "--format", "tsv"),
     "--loss absolute --penalty ridge"),
    ("diabetes quantile elastic net", thin_diabetes, "--loss quantile --quantile 0.8 --penalty elastic-net"),
    ("diabetes kernel regression", thin_diabetes, "--loss epsilon-insensitive --epsilon 20 --penalty ridge --kernel rbf "
     "--standardize"),
    ("diabetes gamma lasso", real.DIABETES, "--loss gamma"),
    ("diabetes quadratic lasso", real.diabetes_quadratic, ""),
    ("diabetes quadratic ridge", real.diabetes_quadratic, "--penalty ridge"),
    ("diabetes quadratic elastic net", real.diabetes_quadratic, "--penalty elastic-net"),
    ("diabetes quadratic groups", real.diabetes_quadratic, "--penalty group-lasso --groups {folder}/groups.txt"),
    ("prostate lasso", real.prostate, ""),
    ("prostate ridge", real.prostate, "--penalty ridge"),
    ("prostate slope", real.prostate, "--penalty slope"),
    ("prostate epsilon-insensitive ridge", real.prostate, "--loss epsilon-insensitive --penalty ridge"),
    ("prostate fused lasso", real.prostate, "--penalty fused-lasso --sparse 1 --standardize"),
    ("hitters lasso", real.HITTERS, ""),
    ("hitters ridge", real.HITTERS, "--penalty ridge"),
    ("hitters gamma ridge", real.HITTERS, "--loss gamma --penalty ridge"),
    ("longley lasso", real.longley, ""),
    ("longley ridge", real.longley, "--penalty ridge"),
    ("filip lasso", real.filip, ""),
    ("heart disease lasso", real.HEART_DISEASE, ""),
    ("heart disease ridge", real.HEART_DISEASE, "--penalty ridge"),
    ("heart disease probit lasso", real.HEART_DISEASE, "--loss probit"),
    ("heart svm", real.HEART, "--loss hinge"),
    ("heart svm elastic net", real.HEART, "--loss hinge --penalty elastic-net"),
    ("heart squared hinge lasso", real.HEART, "--loss squared-hinge"),
    ("heart logistic elastic net", real.HEART, "--penalty elastic-net"),
    ("colon lasso", real.COLON, ""),
    ("colon elastic net", real.COLON, "--penalty elastic-net"),
    ("colon ridge", real.COLON, "--penalty ridge"),
    ("colon svm", real.COLON, "--loss hinge"),
    ("leukaemia lasso", real.LEUKAEMIA, ""),
    ("leukaemia ridge", real.LEUKAEMIA, "--penalty ridge"),
    ("leukaemia svm", real.LEUKAEMIA, "--loss hinge"),
    ("breast cancer lasso", real.BREAST_CANCER, ""),
    ("breast cancer ridge", real.BREAST_CANCER, "--penalty ridge"),
    ("breast cancer svm", real.BREAST_CANCER, "--loss hinge"),
    ("breast cancer kernel svm", real.BREAST_CANCER, "--loss hinge --kernel rbf --standardize"),
    ("fours and nines lasso", real.FOURS_AND_NINES, ""),
    ("all fours and nines lasso", real.ALL_FOURS_AND_NINES, ""),
    ("fours and nines svm", real.FOURS_AND_NINES, "--loss hinge"),
    ("digits multinomial lasso", real.digits(150, "0358"), ""),
    ("digits multinomial ridge", real.digits(80, "0358"), "--penalty ridge"),
    ("digits matrix", real.digits(150, "89"), "--penalty nuclear --shape 8x8"),
    ("warpbreaks lasso", real.warpbreaks, "--loss poisson"),
    ("warpbreaks ridge", real.warpbreaks, "--loss poisson --penalty ridge"),
    ("doctor visits lasso", real.DOCTORS, "--loss poisson"),
    ("bike rentals lasso", real.bike(300), "--loss poisson"),
    ("bike rentals elastic net", real.bike(300), "--loss poisson --penalty elastic-net"),
    ("discoveries steps", real.DISCOVERIES, "--loss poisson --penalty fused-lasso"),
    ("discoveries trend", real.DISCOVERIES, "--loss poisson --penalty trend-filter"),
    ("nile steps", real.NILE, "--penalty fused-lasso"),
    ("nile trend", real.NILE, "--penalty trend-filter"),
    ("copy number steps", real.COPY_NUMBER, "--penalty fused-lasso"),
    ("copy number wavelet", real.first("cgh_gbm/gbm.csv", 128, "--target", "log2ratio", "--design", "identity"),
     "--penalty wavelet"),
    ("coriell sparse steps", real.coriell, "--penalty fused-lasso --sparse 0.2"),
    ("stocks trend", real.STOCKS, "--penalty trend-filter"),
    ("volcano completion", real.volcano(2 / 3), ""),
    ("volcano schatten", real.volcano(2 / 3), "--penalty schatten --smoothing 0.2"),
]

MODELS = [
    # Squared loss: n < p, n = p, n > p; correlated, heavy-tailed, sparse and binary designs; outliers in the response.
    ("lasso 60 x 200", Model(60, 200), ""),
    ("lasso 100 x 400", Model(100, 400), ""),
    ("lasso 80 x 80", Model(80, 80), ""),
    ("lasso 120 x 30", Model(120, 30), ""),
    ("lasso correlated 80 x 160", Model(80, 160, design="correlated"), ""),
    ("lasso factor 100 x 100", Model(100, 100, design="factor"), ""),
    ("lasso heavy 80 x 120", Model(80, 120, design="heavy"), ""),
    ("lasso sparse design 100 x 150", Model(100, 150, design="sparse"), ""),
    ("lasso binary 90 x 60", Model(90, 60, design="binary"), ""),
    ("lasso outliers 100 x 50", Model(100, 50, response="outliers"), ""),
    ("lasso dense effects 60 x 120", Model(60, 120, effects="many"), ""),
    ("lasso weak signal 60 x 120", Model(60, 120, size=0.5), ""),
    ("ridge 60 x 120", Model(60, 120, effects="many"), "--penalty ridge"),
    ("ridge 80 x 80", Model(80, 80, effects="many"), "--penalty ridge"),
    ("ridge factor 50 x 300", Model(50, 300, design="factor", effects="many"), "--penalty ridge"),
    ("elastic net 60 x 150", Model(60, 150, design="correlated"), "--penalty elastic-net"),
    ("elastic net 100 x 30", Model(100, 30, design="factor"), "--penalty elastic-net --mix 0.8"),
    ("group lasso 60 x 120", Model(60, 120, effects="groups"), "--penalty group-lasso --groups {folder}/groups.txt"),
    ("group lasso 120 x 40", Model(120, 40, effects="groups"), "--penalty group-lasso --groups {folder}/groups.txt"),
    ("sparse group lasso 60 x 100", Model(60, 100, effects="groups"),
     "--penalty sparse-group-lasso --groups {folder}/groups.txt"),
    ("slope 50 x 100", Model(50, 100, effects="ties", design="correlated"), "--penalty slope"),
    ("slope 100 x 40", Model(100, 40, effects="ties"), "--penalty slope --slope-shape oscar --slope-q 0.02"),
    ("fused lasso 60 x 100", Model(60, 100, effects="pieces"), "--penalty fused-lasso"),
    ("fused lasso 100 x 30", Model(100, 30, effects="pieces"), "--penalty fused-lasso"),
    ("sparse fused lasso 60 x 80", Model(60, 80, effects="pieces"), "--penalty fused-lasso --sparse 0.5"),
    ("trend filter 60 x 60", Model(60, 60, effects="bends"), "--penalty trend-filter"),
    ("wavelet 80 x 64", Model(80, 64, effects="pieces"), "--penalty wavelet"),
    ("nuclear 100 x 8 x 8", Model(100, 64, effects="rank two", shape=(8, 8)), "--penalty nuclear --shape 8x8"),
    ("nuclear 50 x 8 x 8", Model(50, 64, effects="rank two", shape=(8, 8)), "--penalty nuclear --shape 8x8"),
    ("schatten 80 x 6 x 10", Model(80, 60, effects="rank two", shape=(6, 10)),
     "--penalty schatten --smoothing 0.5 --shape 6x10"),
    ("frobenius 60 x 8 x 8", Model(60, 64, effects="rank two", shape=(8, 8)), "--penalty frobenius --shape 8x8"),
    # Robust losses.
    ("huber lasso 60 x 120", Model(60, 120, response="outliers"), "--loss huber"),
    ("huber ridge 80 x 40", Model(80, 40, response="outliers", effects="many"), "--loss huber --penalty ridge"),
    ("huber elastic net 100 x 60", Model(100, 60, response="student"), "--loss huber --penalty elastic-net"),
    ("pseudo-huber lasso 80 x 100", Model(80, 100, response="student"), "--loss pseudo-huber"),
    ("absolute ridge 60 x 100", Model(60, 100, response="student"), "--loss absolute --penalty ridge"),
    ("absolute elastic net 80 x 30", Model(80, 30, response="outliers"), "--loss absolute --penalty elastic-net"),
    ("quantile ridge 100 x 20", Model(100, 20, response="student"), "--loss quantile --quantile 0.2 --penalty ridge"),
    ("quantile elastic net 60 x 60", Model(60, 60, response="student"),
     "--loss quantile --quantile 0.7 --penalty elastic-net"),
    ("epsilon-insensitive elastic net 60 x 80", Model(60, 80), "--loss epsilon-insensitive --epsilon 0.5 "
     "--penalty elastic-net"),
    # Two classes: balanced, by chance, rare.
    ("logistic lasso 100 x 200", Model(100, 200, response="classes", size=3), ""),
    ("logistic lasso balanced 80 x 80", Model(80, 80, response="balanced", size=3), ""),
    ("logistic lasso rare 150 x 60", Model(150, 60, response="rare", size=3), ""),
    ("logistic lasso 150 x 15", Model(150, 15, response="classes"), ""),
    ("logistic ridge 60 x 150", Model(60, 150, response="classes", effects="many", size=3), "--penalty ridge"),
    ("logistic elastic net 80 x 120", Model(80, 120, response="classes", design="correlated", size=3),
     "--penalty elastic-net"),
    ("logistic group lasso 100 x 60", Model(100, 60, response="classes", effects="groups", size=3),
     "--penalty group-lasso --groups {folder}/groups.txt"),
    ("logistic fused lasso 100 x 40", Model(100, 40, response="classes", effects="pieces", size=3),
     "--penalty fused-lasso"),
    ("logistic slope 80 x 60", Model(80, 60, response="classes", effects="ties", size=3), "--penalty slope"),
    ("probit ridge 80 x 60", Model(80, 60, response="classes", effects="many", size=3), "--loss probit --penalty ridge"),
    ("squared hinge ridge 80 x 120", Model(80, 120, response="balanced", size=3),
     "--loss squared-hinge --penalty ridge"),
    ("svm balanced 60 x 200", Model(60, 200, response="balanced", size=3), "--loss hinge"),
    ("svm 100 x 20", Model(100, 20, response="classes", size=3), "--loss hinge"),
    ("svm rare 100 x 60", Model(100, 60, response="rare", size=3), "--loss hinge"),
    ("svm elastic net balanced 60 x 60", Model(60, 60, response="balanced", size=3),
     "--loss hinge --penalty elastic-net"),
    ("svm elastic net 60 x 120", Model(60, 120, response="classes", size=3), "--loss hinge --penalty elastic-net"),
    ("svm kernel 80 x 5", Model(80, 5, response="balanced", size=3), "--loss hinge --kernel rbf"),
    # Counts, positive numbers, several classes.
    ("poisson lasso 80 x 120", Model(80, 120, response="counts", size=0.7), "--loss poisson"),
    ("poisson ridge 100 x 30", Model(100, 30, response="counts", effects="many", size=0.7),
     "--loss poisson --penalty ridge"),
    ("poisson elastic net 60 x 60", Model(60, 60, response="counts", size=0.7), "--loss poisson --penalty elastic-net"),
    ("gamma lasso 80 x 60", Model(80, 60, response="positive", size=0.7), "--loss gamma"),
    ("multinomial lasso 90 x 60", Model(90, 60, response="several", size=3), ""),
    ("multinomial ridge 60 x 80", Model(60, 80, response="several", size=3, effects="many"), "--penalty ridge"),
    ("multinomial elastic net 100 x 20", Model(100, 20, response="several", size=2), "--penalty elastic-net"),
]

SIGNAL = ("--design", "identity")
WRITTEN = [
    ("steps 150", from_writer(simulated.write_signal, "steps", 150, 0.5, options=SIGNAL), "--penalty fused-lasso"),
    ("steps with outliers 120", from_writer(simulated.write_signal, "outliers", 120, 0.4, options=SIGNAL),
     "--penalty fused-lasso --loss huber"),
    ("steps of counts 100", from_writer(simulated.write_signal, "counts", 100, 0, options=SIGNAL),
     "--penalty fused-lasso --loss poisson"),
    ("bends 150", from_writer(simulated.write_signal, "bends", 150, 0.4, options=SIGNAL), "--penalty trend-filter"),
    ("bends of order three 100", from_writer(simulated.write_signal, "bends", 100, 0.4, options=SIGNAL),
     "--penalty trend-filter --order 3"),
    ("image 10 x 12", from_writer(simulated.write_image, 10, 12, 0.5, options=SIGNAL), "--penalty fused-lasso --grid 10x12"),
    ("completion 12 x 10", from_writer(simulated.write_entries, 12, 10, 0.7, 0.3, options=("--design", "triplets")), ""),
    ("products 80 x 6 x 5", products, ""),
    ("paper's fused lasso 60 x 100", from_writer(simulated.write_fused_paper, 60, 100), "--penalty fused-lasso --no-intercept"),
    ("generalised lasso 80 x 40",
     lambda name: with_matrix(40, from_model(name, Model(80, 40, effects="bends"))),
     "--penalty generalized-lasso --penalty-matrix {folder}/matrix.csv"),
]

PROBLEMS = (
    [Problem(name, data, tuple(shlex.split(options)), True) for name, data, options in PUBLISHED]
    + [Problem(name, from_model(name, model), tuple(shlex.split(options)), False) for name, model, options in MODELS]
    + [Problem(name, maker(name), tuple(shlex.split(options)), False) for name, maker, options in WRITTEN]
)
BY_NAME = {problem.name: problem for problem in PROBLEMS}
if len(BY_NAME) != len(PROBLEMS):
    raise ValueError("two problems of the reference library have one name")


def arguments(problem, data, folder):
    """The command's arguments for a problem; writes its data to `folder` where it must."""
    return [*problem.data(data, folder), *(option.replace("{folder}", str(folder)) for option in problem.options)]
