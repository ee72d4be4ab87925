# SPDX-License-Identifier: MIT
"""Simulated data: linear models with many kinds of designs, effects and responses, signals, and matrices."""

import math
from dataclasses import dataclass

from draws import Draws

CORRELATION = 0.8  # of neighbouring columns of the correlated design, of all columns with their common factor
HEAVY = 3  # degrees of freedom of Student's t, in designs and in noise
RARE = 0.12  # share of the class +1 where it is rare
CLASSES = ("a", "b", "c")


@dataclass(frozen=True)
class Model:
    """y depends on x by a linear predictor of standard deviation `size`; noise of numbers has standard deviation 1."""

    rows: int
    columns: int
    design: str = "independent"  # correlated | factor | heavy | binary | sparse
    effects: str = "few"  # many | pieces | bends | groups | ties | rank two
    response: str = "normal"  # student | outliers | classes | balanced | rare | counts | positive | several
    size: float = 2.0
    group: int = 5  # columns of a group
    shape: tuple = ()  # of a matrix of coefficients


@dataclass
class Sample:
    X: list
    y: list
    effects: list  # one list of coefficients for each linear predictor


def row_of_design(draws, model):
    p = model.columns
    if model.design == "independent":
        return draws.normals(p)
    if model.design == "correlated":
        row = [draws.normal()]
        for _ in range(p - 1):
            row.append(CORRELATION * row[-1] + math.sqrt(1 - CORRELATION**2) * draws.normal())
        return row
    if model.design == "factor":
        factor = draws.normal()
        return [CORRELATION * factor + math.sqrt(1 - CORRELATION**2) * draws.normal() for _ in range(p)]
    if model.design == "heavy":
        return [draws.student(HEAVY) for _ in range(p)]
    if model.design == "binary":
        return [1.0 if draws.uniform() < 0.3 else 0.0 for _ in range(p)]
    if model.design == "sparse":
        return [draws.normal() if draws.uniform() < 0.1 else 0.0 for _ in range(p)]
    raise ValueError(f"no design is called {model.design}")


def draw_effects(draws, model):
    p = model.columns
    beta = [0.0] * p
    if model.effects == "few":
        for j in draws.some(max(2, min(p // 4, model.rows // 10, 12)), p):
            beta[j] = draws.normal() + (1 if draws.uniform() < 0.5 else -1)
    elif model.effects == "many":
        beta = draws.normals(p)
    elif model.effects == "pieces":  # constant between a few jumps, and zero at first
        jumps = set(draws.some(max(2, p // 15), p - 1))
        for j in range(1, p):
            beta[j] = beta[j - 1] + (2 * draws.normal() if j - 1 in jumps else 0.0)
    elif model.effects == "bends":
        bends, slope = set(draws.some(max(2, p // 20), p - 1)), draws.normal()
        for j in range(1, p):
            slope = draws.normal() if j - 1 in bends else slope
            beta[j] = beta[j - 1] + slope
    elif model.effects == "groups":
        for group in draws.some(max(2, p // model.group // 5), p // model.group):
            for j in range(group * model.group, (group + 1) * model.group):
                beta[j] = draws.normal()
    elif model.effects == "ties":  # three levels and zero
        levels = [3.0, -2.0, 1.0]
        for k, j in enumerate(draws.some(max(3, p // 5), p)):
            beta[j] = levels[k % 3]
    elif model.effects == "rank two":
        first, second = model.shape
        left, right = [draws.normals(first) for _ in range(2)], [draws.normals(second) for _ in range(2)]
        beta = [sum(left[r][i] * right[r][j] for r in range(2)) for i in range(first) for j in range(second)]
    else:
        raise ValueError(f"no effects are called {model.effects}")
    return beta


def product(row, beta):
    return sum(x * b for x, b in zip(row, beta))


def scaled_effects(draws, model, X):
    """Effects whose linear predictor has the model's size on these rows."""
    beta = draw_effects(draws, model)
    predictor = [product(row, beta) for row in X]
    mean = sum(predictor) / len(predictor)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in predictor) / len(predictor))
    return [b * model.size / deviation if deviation > 0 else b for b in beta]


def respond(draws, kind, predictor):
    """One response; `predictor` is a list of the linear predictors."""
    eta = predictor[0]
    if kind == "normal":
        return eta + draws.normal()
    if kind == "student":
        return eta + draws.student(HEAVY) / math.sqrt(HEAVY)
    if kind == "outliers":
        return eta + draws.normal() * (10 if draws.uniform() < 0.1 else 1)
    if kind == "classes":
        return 1 if eta + draws.logistic() > 0 else 0
    if kind == "counts":
        return draws.poisson(math.exp(min(1 + eta, 5)))
    if kind == "positive":
        return math.exp(eta) * (draws.exponential() + draws.exponential()) / 2
    if kind == "several":
        utilities = [value - math.log(draws.exponential()) for value in predictor]
        return CLASSES[utilities.index(max(utilities))]
    raise ValueError(f"no response is called {kind}")


def draw(model, seed):
    draws = Draws(seed)
    X = [row_of_design(draws, model) for _ in range(model.rows)]
    effects = [scaled_effects(draws, model, X) for _ in range(len(CLASSES) if model.response == "several" else 1)]
    predictors = [[product(row, beta) for beta in effects] for row in X]
    if model.response in ("balanced", "rare"):  # the share of the class is exact
        noisy = [predictor[0] + draws.logistic() for predictor in predictors]
        share = 0.5 if model.response == "balanced" else RARE
        limit = sorted(noisy, reverse=True)[max(2, round(share * model.rows)) - 1]
        y = [1 if value >= limit else 0 for value in noisy]
    else:
        y = [respond(draws, model.response, predictor) for predictor in predictors]
    return Sample(X, y, effects)


def text(value):
    """Seven digits, so that the last digit of a logarithm on another machine changes nothing."""
    return value if isinstance(value, str) else f"{value:.7g}"


def write_table(path, X, y):
    lines = [",".join([f"x{j + 1}" for j in range(len(X[0]))] + ["y"])]
    lines += [",".join(map(text, [*row, target])) for row, target in zip(X, y)]
    path.write_text("\n".join(lines) + "\n")


def write_column(path, values, heading="y"):
    path.write_text("\n".join([heading, *map(text, values)]) + "\n")


def steps(draws, rows, jumps):
    places = set(draws.some(jumps, rows - 1))
    level, signal = draws.normal(), []
    for i in range(rows):
        signal.append(level)
        level = 2 * draws.normal() if i in places else level
    return signal


def bends(draws, rows, count):
    places, slope, level, signal = set(draws.some(count, rows - 1)), draws.normal(), 0.0, []
    for i in range(rows):
        signal.append(level)
        slope = draws.normal() if i in places else slope
        level += slope * 4 * count / rows
    return signal


def write_signal(path, kind, rows, noise, seed):
    """A signal of steps, bends, steps with outliers, or counts whose mean has steps."""
    draws = Draws(seed)
    signal = bends(draws, rows, 4) if kind == "bends" else steps(draws, rows, 5)
    if kind == "counts":
        values = [draws.poisson(math.exp(1 + 0.5 * value)) for value in signal]
    elif kind == "outliers":
        values = [value + noise * draws.normal() * (10 if draws.uniform() < 0.08 else 1) for value in signal]
    else:
        values = [value + noise * draws.normal() for value in signal]
    write_column(path, values)


def write_image(path, rows, columns, noise, seed):
    """A bright rectangle on a dark ground, read row by row."""
    draws = Draws(seed)
    write_column(path, [(2.0 if rows // 4 <= i < 3 * rows // 4 and columns // 3 <= j < columns - 2 else 0.0)
                        + noise * draws.normal() for i in range(rows) for j in range(columns)])


def write_entries(path, first, second, share, noise, seed):
    """Some entries of a matrix of rank two; every row and column of it has at least one."""
    draws = Draws(seed)
    left, right = [draws.normals(first) for _ in range(2)], [draws.normals(second) for _ in range(2)]
    lines = ["row,column,value"]
    for i in range(first):
        for j in range(second):
            value = sum(left[r][i] * right[r][j] for r in range(2)) + noise * draws.normal()
            if draws.uniform() < share or i == j % first or j == i % second:
                lines.append(f"{i + 1},{j + 1},{text(value)}")
    path.write_text("\n".join(lines) + "\n")


def write_products(folder, rows, first, second, seed):
    """The response of products a' B b, and the files of a and b."""
    draws = Draws(seed)
    u, v = draws.normals(first), draws.normals(second)
    left, right = [draws.normals(first) for _ in range(rows)], [draws.normals(second) for _ in range(rows)]
    for name, table in (("left.csv", left), ("right.csv", right)):
        (folder / name).write_text("\n".join(",".join(map(text, row)) for row in table) + "\n")
    write_column(folder / "data.csv", [product(a, u) * product(b, v) + draws.normal() for a, b in zip(left, right)])


def write_fused_paper(path, rows, columns, seed):
    """The fused lasso of Wang, Zhou, Lu, Maleki and Mirrokni (2018): X has variance 0.05, the coefficients are the
    cumulative sum of 20 standard normal jumps, scaled to standard deviation 1, and the noise has variance 0.25."""
    draws = Draws(seed)
    beta = [0.0] * columns
    for j in draws.some(20, columns):
        beta[j] = draws.normal()
    for j in range(1, columns):
        beta[j] += beta[j - 1]
    mean = sum(beta) / columns
    deviation = math.sqrt(sum((b - mean) ** 2 for b in beta) / columns)
    beta = [b / deviation for b in beta]
    X = [[math.sqrt(0.05) * draws.normal() for _ in range(columns)] for _ in range(rows)]
    write_table(path, X, [product(row, beta) + 0.5 * draws.normal() for row in X])
