# SPDX-License-Identifier: MIT
"""Eighteen models in four sizes, simulated by seed: the default choice beside exact leave-one-out at every lambda of
its path, and beside the risk on fresh rows."""

import math
import shlex
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import command
import judgement
import simulated
from draws import Draws
from simulated import Model

SIZES = ((40, 80, 5, (8, 10)), (40, 40, 5, (8, 5)), (60, 15, 3, (5, 3)), (120, 8, 2, (4, 2)))  # rows, columns, group, matrix
GROUPS = "--groups {folder}/groups.txt"
MODELS = {
    "lasso": (dict(), ""),
    "elastic net": (dict(design="correlated"), "--penalty elastic-net"),
    "ridge": (dict(effects="many"), "--penalty ridge"),
    "slope": (dict(effects="ties", design="correlated"), "--penalty slope"),
    "group lasso": (dict(effects="groups"), f"--penalty group-lasso {GROUPS}"),
    "sparse group lasso": (dict(effects="groups"), f"--penalty sparse-group-lasso {GROUPS}"),
    "fused lasso": (dict(effects="pieces"), "--penalty fused-lasso"),
    "trend filter": (dict(effects="bends"), "--penalty trend-filter"),
    "nuclear": (dict(effects="rank two"), "--penalty nuclear --shape {shape}"),
    "logistic lasso": (dict(response="classes"), ""),
    "logistic ridge": (dict(response="classes", effects="many"), "--penalty ridge"),
    "poisson lasso": (dict(response="counts", size=0.8), "--loss poisson"),
    "huber lasso": (dict(response="outliers"), "--loss huber"),
    "svm ridge": (dict(response="classes", size=3), "--loss hinge --penalty ridge"),
    "svm elastic net": (dict(response="classes", size=3), "--loss hinge --penalty elastic-net"),
    "absolute ridge": (dict(response="student", effects="many"), "--loss absolute --penalty ridge"),
    "quantile elastic net": (dict(response="student"), "--loss quantile --quantile 0.7 --penalty elastic-net"),
    "multinomial lasso": (dict(response="several", size=3), ""),
}
BALANCED = ("svm ridge", "svm elastic net")  # every other data set has classes of one size
FRESH = 1000  # rows


def log_of_sum(values):
    largest = max(values)
    return largest + math.log(sum(math.exp(value - largest) for value in values))


def loss_of(result):
    """The metric of a run as a function of a response and its linear predictors."""
    metric, parameters = result["problem"]["metric"], result["problem"]["parameters"]
    if metric == "mse":
        return lambda y, eta: (y - eta[0]) ** 2
    if metric == "mae":
        return lambda y, eta: abs(y - eta[0])
    if metric == "hinge":
        return lambda y, eta: max(0.0, 1 - (2 * y - 1) * eta[0])
    if metric == "pinball":
        share = parameters["quantile"]
        return lambda y, eta: max(share * (y - eta[0]), (share - 1) * (y - eta[0]))
    if metric == "huber":
        delta = parameters["delta"]
        return lambda y, eta: (min(abs(y - eta[0]), delta) * (abs(y - eta[0]) - min(abs(y - eta[0]), delta) / 2))
    if result["problem"]["loss"] == "multinomial":
        place = {name: k for k, name in enumerate(simulated.CLASSES)}
        return lambda y, eta: 2 * (log_of_sum(eta) - eta[place[y]])
    if result["problem"]["loss"] == "poisson":
        return lambda y, eta: 2 * ((y * (math.log(y) - eta[0]) if y else 0.0) - y + math.exp(min(eta[0], 50)))
    return lambda y, eta: 2 * log_of_sum([0.0, -(2 * y - 1) * eta[0]])


def whitened(beta, design):
    """g with x'beta = z'g, where x is a row of the design and z is standard normal."""
    if design == "independent":
        return beta
    rho, carried, white = simulated.CORRELATION, 0.0, [0.0] * len(beta)
    for j in range(len(beta) - 1, -1, -1):
        carried = beta[j] + rho * carried
        white[j] = carried * (math.sqrt(1 - rho**2) if j else 1.0)
    return white


def orthonormal(vectors):
    basis = []
    for vector in vectors:
        rest = list(vector)
        for other in basis:
            along = simulated.product(rest, other)
            rest = [r - along * o for r, o in zip(rest, other)]
        length = math.sqrt(simulated.product(rest, rest))
        if length > 1e-10:
            basis.append([r / length for r in rest])
    return basis


def cholesky(matrix):
    size = len(matrix)
    factor = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(factor[i][k] * factor[j][k] for k in range(j))
            if i == j:
                factor[i][i] = math.sqrt(max(rest, 0.0))
            else:
                factor[i][j] = rest / factor[j][j] if factor[j][j] > 0 else 0.0
    return factor


class FreshRows:
    """Fresh rows of a model of normal columns. Only the true and the fitted linear predictors of a row matter, which are
    jointly normal, so that a row is as many numbers as there are of both."""

    def __init__(self, model, effects, seed):
        draws = Draws(f"{seed} fresh")
        white = [whitened(beta, model.design) for beta in effects]
        self.design, self.basis = model.design, orthonormal(white)
        along = [[simulated.product(beta, direction) for direction in self.basis] for beta in white]
        self.rows = []
        for _ in range(FRESH):
            known, other = draws.normals(len(self.basis)), draws.normals(len(effects))
            predictor = [simulated.product(part, known) for part in along]
            self.rows.append((known, other, simulated.respond(draws, model.response, predictor)))

    def risk(self, loss, intercepts, fitted):
        white = [whitened(beta, self.design) for beta in fitted]
        along = [[simulated.product(beta, direction) for direction in self.basis] for beta in white]
        gram = [[simulated.product(white[i], white[j]) - simulated.product(along[i], along[j])
                 for j in range(len(white))] for i in range(len(white))]
        spread, total = cholesky(gram), 0.0
        for known, other, y in self.rows:
            total += loss(y, [b + simulated.product(part, known) + simulated.product(line, other)
                              for b, part, line in zip(intercepts, along, spread)])
        return total / len(self.rows)


def fits(point):
    """Intercepts and coefficients of a point of the path, one list of coefficients for each linear predictor."""
    if isinstance(point["intercept"], list):
        return point["intercept"], [list(column) for column in zip(*point["coefficients"])]
    return [point["intercept"]], [point["coefficients"]]


@dataclass
class Outcome:
    judgement: judgement.Judgement
    excess: float = math.inf  # risk on fresh rows at the choice / the smallest of the path - 1
    exact_excess: float = math.inf  # the same for the choice of exact leave-one-out
    failure: str = field(default="")


def values_to_judge_by(result):
    """The lambdas of the path; where it was ended early, the rest of its grid as well."""
    values = [point["lambda"] for point in result["path"]]
    if result.get("path_end") and len(values) > 1:
        while len(values) < 100:
            values.append(values[-1] * values[-1] / values[-2])
    return values


def arguments_of(name, index, folder):
    rows, columns, group, shape = SIZES[index % len(SIZES)]
    changes, options = MODELS[name]
    model = Model(rows, columns, group=group, shape=shape, **changes)
    drawn = model
    if name in BALANCED and index // len(SIZES) % 2:
        drawn = Model(**{**model.__dict__, "response": "balanced"})
    seed = f"{name} {rows} x {columns} {index // len(SIZES)}"
    sample = simulated.draw(drawn, seed)
    simulated.write_table(folder / "data.csv", sample.X, sample.y)
    (folder / "groups.txt").write_text("\n".join(str(j // group) for j in range(columns)) + "\n")
    options = options.replace("{folder}", str(folder)).replace("{shape}", f"{shape[0]}x{shape[1]}")
    return [str(folder / "data.csv"), *shlex.split(options)], model, sample, seed


def judge(alo, name, arguments):
    """The judgement by exact leave-one-out at the lambdas of the default path, and the run with all of these."""
    default = command.run(alo, ["tune", *arguments])
    curve, truth = command.exact_curve(alo, arguments, values_to_judge_by(default.result))
    judged = judgement.Judgement(name, seconds=default.user_seconds)
    judgement.judge_choice(judged, alo, arguments, default.result, curve, judgement.own_exact(default.result))
    return judged, curve, truth.result


def outcome(alo, name, index):
    with tempfile.TemporaryDirectory() as folder:
        arguments, model, sample, seed = arguments_of(name, index, Path(folder))
        try:
            judged, curve, result = judge(alo, name, arguments)
        except (command.CommandFailed, ValueError) as failure:
            return Outcome(judgement.Judgement(name, failure=str(failure)), failure=str(failure))
    fresh, loss = FreshRows(model, sample.effects, seed), loss_of(result)
    risks = {point["lambda"]: fresh.risk(loss, *fits(point)) for point in result["path"]}
    smallest = min(risks.values())
    if judged.chosen is None:
        return Outcome(judged)
    nearest = min(risks, key=lambda value: abs(math.log(value / judged.chosen)))
    best = min((point for point in curve if point[1] is not None), key=lambda point: (point[1], -point[0]))[0]
    return Outcome(judged, risks[nearest] / smallest - 1, risks[best] / smallest - 1)


def fused_paper(alo, rows, columns, seed):
    """The judgement of one data set of the paper's fused lasso."""
    name = f"fused lasso {rows} x {columns}, seed {seed}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        simulated.write_fused_paper(path, rows, columns, name)
        try:
            return judge(alo, name, [str(path), "--penalty", "fused-lasso", "--no-intercept"])[0]
        except (command.CommandFailed, ValueError) as failure:
            return judgement.Judgement(name, failure=str(failure))
