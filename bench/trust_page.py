# SPDX-License-Identifier: MIT
"""The blocks of docs/trust.md: the numbers that it leads with, its tables, and its two pictures."""

import math
from pathlib import Path

import judgement
import trust_pictures

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "trust.md"
IMAGES = ROOT / "docs" / "images"
COLUMNS = ["problem", "rows × columns", "regret", "with ALO alone", "reported", "exact", "off by", "of a standard error",
           "verdict", "exact ÷ path", "user s", "with ALO alone"]
SIMULATED_COLUMNS = ["model", "data sets", "no choice", "reliable", "reliable, more than 10 % off", "regret above 5 %",
                     "reliable, regret above 5 %", "not reliable, though right", "excess risk on fresh rows",
                     "with exact leave-one-out everywhere"]
FUSED_COLUMNS = ["rows × columns", "data sets", "regret above 5 %", "largest", "reliable, regret above 5 %",
                 "reliable, more than 10 % off"]


def percent(value):
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "no choice"
    return f"{100 * value:.1f} %" if value < 0.0995 else f"{100 * value:.0f} %"


def number(value):
    if value is None:
        return "none"
    if math.isinf(value):
        return "no choice"
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"


def table(heading, rows):
    return "\n".join(["| " + " | ".join(cells) + " |" for cells in [heading, ["---"] * len(heading), *rows]])


def line(judged):
    """One line for the terminal."""
    if judged.failure:
        return f"{judged.name}: failed, {judged.failure.splitlines()[-1]}"
    return (f"{judged.name}: regret {percent(judged.regret)} (ALO alone {percent(judged.alo_regret)}), {judged.kind} "
            f"{number(judged.reported)} where exact is {number(judged.exact)}, {judged.verdict}, "
            f"{judged.seconds:.2f} s ({judged.alo_seconds:.2f} s)")


def cells(judged):
    if judged.failure:
        return [judged.name, *["failed"] * (len(COLUMNS) - 1)]
    return [judged.name, f"{judged.rows} × {judged.columns}", percent(judged.regret), percent(judged.alo_regret),
            f"{number(judged.reported)} ({judged.kind})", number(judged.exact), percent(judged.error),
            "" if math.isinf(judged.errors) else f"{judged.errors:.2f}", judged.verdict, f"{judged.exact_share:.2g}",
            f"{judged.seconds:.2g}", f"{judged.alo_seconds:.2g}"]


def lead(judged):
    """What a reader can rely on, in numbers."""
    share, count = judgement.shares(judged), len(judged)

    def problems(predicate):
        return f"{sum(bool(predicate(one)) for one in judged)} of {count}"

    green = [one for one in judged if one.reliable]
    regrets = sorted(one.regret for one in judged)
    finite = [regret for regret in regrets if not math.isinf(regret)]
    largest = f"the largest regret is {percent(finite[-1])}" if finite else "none has a choice"
    if len(finite) < count:
        largest += f"; where none was chosen ({count - len(finite)}) that counts as more than 5 %"
    total, alone = (sum(getattr(one, name) for one in judged) for name in ("seconds", "alo_seconds"))
    return "\n".join([
        f"- **The choice.** On {percent(share['regret at most 2 %'])} of {count} problems the chosen λ costs at most 2 % of exact "
        f"leave-one-out risk over the best λ there is; it costs more than 5 % on {problems(lambda one: one.regret > 0.05)}, and "
        f"{largest}. If ALO alone chooses, it costs more than 5 % on {problems(lambda one: one.alo_regret > 0.05)}.",
        f"- **The number.** The risk that is reported is within 2 %, or a quarter of its standard error, of exact leave-one-out "
        f"on {problems(lambda one: one.right)}.",
        f"- **The verdict.** Of {len(green)} results that \"can be relied on\", {sum(one.wrongly_green for one in green)} have a "
        f"number that is not right, {sum(one.badly_green for one in green)} one that is more than 10 % off, and "
        f"{sum(one.regret > 0.05 for one in green)} a regret above 5 %. \"Do not rely\" stands over "
        f"{problems(lambda one: one.wrongly_red)} results whose number is right and whose regret is at most 5 %.",
        f"- **The cost.** All problems together take {total:.1f} user seconds, and {alone:.1f} where ALO alone chooses "
        f"({total / alone if alone else 0:.1f} times). {problems(lambda one: one.dear)} take more time than they may (two paths, or one path "
        f"and half a second), {problems(lambda one: one.large)} more than twice the memory.",
    ])


def replace_block(text, name, block):
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise SystemExit(f"{PAGE} needs one block named {name}")
    return text[: text.index(begin) + len(begin)] + "\n" + block + "\n\n" + text[text.index(end) :]


def write_block(name, block):
    PAGE.write_text(replace_block(PAGE.read_text(), name, block))


def write_library(judged):
    (IMAGES / "trust-number.svg").write_text(trust_pictures.number_picture(judged))
    (IMAGES / "trust-regret.svg").write_text(trust_pictures.regret_picture(judged))
    write_block("lead", lead(judged))
    write_block("library", table(COLUMNS, map(cells, judged)))


def simulated_line(name, outcomes):
    judged = [one.judgement for one in outcomes]
    share = judgement.shares(judged)
    both = [one for one in outcomes if not math.isinf(one.excess) and not math.isinf(one.exact_excess)]

    def mean(values):
        return percent(sum(values) / len(both)) if both else ""

    return [name, str(len(outcomes)), str(sum(math.isinf(one.regret) for one in judged)), percent(share["reliable"]),
            percent(share["reliable, more than 10 % off"]), percent(share["regret above 5 %"]),
            percent(share["reliable, regret above 5 %"]), percent(share["not reliable, though right"]),
            mean([one.excess for one in both]), mean([one.exact_excess for one in both])]


def simulated_table(outcomes):
    names = list(dict.fromkeys(one.judgement.name for one in outcomes))
    lines = [simulated_line(name, [one for one in outcomes if one.judgement.name == name]) for name in names]
    return table(SIMULATED_COLUMNS, [*lines, simulated_line("**all**", outcomes)])


def fused_line(rows, columns, judged):
    finite = [one.regret for one in judged if not math.isinf(one.regret)]
    return [f"{rows} × {columns}", str(len(judged)), str(sum(one.regret > judgement.LARGEST_REGRET for one in judged)),
            percent(max(finite)) if finite else "none", str(sum(one.reliable and one.regret > 0.05 for one in judged)),
            str(sum(one.badly_green for one in judged))]
