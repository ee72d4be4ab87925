# SPDX-License-Identifier: MIT
"""Figures of a result in matplotlib, as those of the report: lambda falls to the right, degrees of freedom on top."""

from __future__ import annotations

from typing import Any

import numpy as np

BLUE, GREY, ORANGE = "#1f6fb2", "#8a8f98", "#c2410c"
# Paths that are drawn, the largest at the chosen lambda first; more are a grey carpet that takes seconds.
MOST_PATHS = 200
# Paths and rows with a name beside them; more cover each other.
MOST_NAMES = 10
MOST_ROWS_NAMED = 5
# The axis of coefficients holds them down to this share of the chosen lambda.
BEYOND = 0.2


def draw(result: Any, what: str, ax: Any) -> Any:
    figures = {"risk": risk, "paths": paths, "leverage": leverage}
    if what not in figures:
        raise ValueError(f"plot({what!r}): it is one of {', '.join(figures)}")
    import matplotlib.pyplot as pyplot

    if ax is None:
        _, ax = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
    figures[what](result, ax)
    return ax


def _lambda_axis(result: Any, ax: Any) -> None:
    ax.set_xscale("log")
    ax.set_xlabel("lambda")
    if not ax.xaxis_inverted():
        ax.invert_xaxis()
    for choice, name, style in ((result.min, "min", "-"), (result.one_se, "1se", ":")):
        if choice is not None:
            ax.axvline(choice.lambda_, color=ORANGE, linestyle=style, linewidth=1, label=f"{name}: {choice.lambda_:.4g}")
    for side in ("right",):
        ax.spines[side].set_visible(False)


def _degrees_of_freedom(result: Any, ax: Any) -> None:
    """Ticks on top, at seven places of the path."""
    places = np.unique(np.linspace(0, len(result.lambdas) - 1, 7).astype(int))
    top = ax.secondary_xaxis("top")
    top.set_xscale("log")
    top.set_xticks(result.lambdas[places], [f"{value:.3g}" for value in result.df[places]])
    top.minorticks_off()
    top.set_xlabel("degrees of freedom")


def risk(result: Any, ax: Any) -> None:
    curve = result.risk()
    lambdas, estimate, se = result.lambdas, curve["estimate"], curve["estimate_se"]
    ax.fill_between(lambdas, estimate - se, estimate + se, color=BLUE, alpha=0.15, linewidth=0)
    if "alo" in curve:
        ax.plot(lambdas, curve["alo"], color=GREY, linewidth=1, label="approximate leave-one-out")
    ax.plot(lambdas, estimate, color=BLUE, linewidth=1.8, label="estimate that chooses, +- one standard error")
    if "exact" in curve:
        ax.plot(lambdas, curve["exact"], "o", color=BLUE, markersize=3.5, markerfacecolor="none",
                label="exact leave-one-out")
    if "kfold" in curve:
        ax.plot(lambdas, curve["kfold"], "--", color=GREY, label="k-fold cross validation")
    _lambda_axis(result, ax)
    _degrees_of_freedom(result, ax)
    # The axis is that of the estimate: the approximation alone may leave it by orders of magnitude.
    low, high = np.nanmin(estimate - se), np.nanmax(estimate + se)
    if np.nanmin(estimate) > 0 and np.nanmax(estimate) > 30 * np.nanmin(estimate):
        ax.set_yscale("log")
        ax.set_ylim(0.8 * np.nanmin(estimate), 1.25 * high)
    elif high > low:
        ax.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    ax.set_ylabel(f"held-out {result.metrics[0]}")
    ax.legend(frameon=False, fontsize="small")


def paths(result: Any, ax: Any) -> None:
    if result._facts["has_kernel"]:
        raise ValueError("a model with a kernel has no coefficients of columns to draw")
    coefs = result.coefs.reshape(len(result.lambdas), -1)
    sizes = np.abs(np.asarray(result.coef_).ravel())
    order = np.argsort(-np.where(sizes > 0, sizes, 0) - 1e-12 * np.abs(coefs).max(axis=0), kind="stable")
    names = result.feature_names
    if coefs.shape[1] > len(names):  # of several classes, one after the other
        names = [f"{name} ({label})" for label in result.classes for name in names]
    for place, j in enumerate(order[:MOST_PATHS]):
        named = place < MOST_NAMES and sizes[j] > 0
        ax.plot(result.lambdas, coefs[:, j], linewidth=1.4 if named else 0.7, color=None if named else GREY,
                alpha=1 if named else 0.5, label=names[j] if named else None)
    _lambda_axis(result, ax)
    _degrees_of_freedom(result, ax)
    ax.axhline(0, color=GREY, linewidth=0.5)
    # Coefficients far below the chosen lambda may be of another size and would flatten the rest.
    shown = coefs[result.lambdas >= result.lambda_ * BEYOND]
    low, high = min(0.0, float(shown.min())), max(0.0, float(shown.max()))
    if high > low:
        ax.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    ax.set_ylabel("coefficient, on the scale of the data")
    ax.legend(frameon=False, fontsize="small", ncols=2)


def leverage(result: Any, ax: Any) -> None:
    rows = result.rows
    shift = np.abs(rows.fitted - rows.held_out)
    shift = shift if shift.ndim == 1 else shift.max(axis=1)
    if not np.any(rows.leverage > 0):
        ax.plot(np.arange(1, len(shift) + 1), shift, ".", color=BLUE, markersize=4)
        ax.set_xlabel("row")
        across = np.arange(1, len(shift) + 1)
    else:
        across = rows.leverage
        ax.plot(across, shift, ".", color=BLUE, markersize=4)
        ax.set_xlabel("leverage")
    for i in np.argsort(-np.nan_to_num(shift), kind="stable")[:MOST_ROWS_NAMED]:
        ax.annotate(str(i), (across[i], shift[i]), textcoords="offset points", xytext=(4, 3), fontsize="small")
    ax.set_ylabel("|fitted - held-out prediction|")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
