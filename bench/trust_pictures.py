# SPDX-License-Identifier: MIT
"""The two pictures of docs/trust.md, as SVG: the reported number against exact leave-one-out, and the regret of every
problem."""

import math

import judgement

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 64, 18, 62, 52  # margins
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#007a5a", "#9aa0a6"
STYLE = """
.alo-figure{color-scheme:light dark;font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif;font-size:13px}
.alo-figure text{fill:#1b1e21}
.alo-figure .page{fill:#fff}
.alo-figure .small{font-size:11px}
.alo-figure .quiet{fill:#5c636a}
.alo-figure .strong{font-weight:600}
.alo-figure .axis{stroke:#3c4146;stroke-width:.8;fill:none}
.alo-figure .grid{stroke:#d9dcdf;stroke-width:.7;fill:none}
.alo-figure .limit{stroke:#3c4146;stroke-width:.9;fill:none;stroke-dasharray:4 3}
.alo-figure .band{fill:#007a5a;fill-opacity:.12;stroke:none}
@media (prefers-color-scheme:dark){
.alo-figure text{fill:#e6e8ea}
.alo-figure .page{fill:#15181b}
.alo-figure .quiet{fill:#a3a9af}
.alo-figure .axis,.alo-figure .limit{stroke:#b4b9be}
.alo-figure .grid{stroke:#33383d}
}
"""


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, words, classes="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}" text-anchor="{anchor}">{escaped(words)}</text>'


def segment(x1, y1, x2, y2, classes):
    return f'<path class="{classes}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def dot(x, y, color, radius=3.4, hollow=False, title=""):
    paint = f'fill="none" stroke="{color}" stroke-width="1.5"' if hollow else f'fill="{color}" fill-opacity=".8"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {paint}><title>{escaped(title)}</title></circle>'


def frame(title, description, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" class="alo-figure" role="img" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="{escaped(title)}">')
    return "\n".join([head, f"<title>{escaped(title)}</title>", f"<desc>{escaped(description)}</desc>",
                      f"<style>{STYLE}</style>", f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
                      *parts, "</svg>"]) + "\n"


def legend(entries):
    """Dots and words in one line under the title; an entry is (color, hollow, words)."""
    parts, x = [], LEFT
    for color, hollow, words in entries:
        parts += [dot(x + 4, 40, color, hollow=hollow), text(x + 13, 44, words, "small")]
        x += 26 + 5.7 * len(words)
    return parts


def labels(places, dots, most=9):
    """Names beside their dots, at most `most`, over no dot and no other name: `places` are (x, y, name), the most
    important first, and a name without room is left out."""
    parts, taken = [], [(x - 3, y - 3, x + 3, y + 3) for x, y in dots]
    for x, y, name in places:
        width = 5.7 * len(name)
        for left, middle in ((x + 7, y), (x - width - 7, y), (x + 5, y - 9), (x + 5, y + 9), (x - width - 5, y - 9),
                             (x + 12, y + 22), (x + 12, y - 22), (x + 12, y + 34), (x + 12, y - 34)):
            box = (left, middle - 6, left + width, middle + 5)
            free = not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken)
            if free and LEFT < left and left + width < WIDTH - RIGHT:
                taken.append(box)
                parts.append(text(left, middle + 4, name, "small quiet"))
                break
        if len(parts) == most:
            break
    return parts


# Of the vertical axis of the first picture: linear about here, logarithmic beyond; and where it ends.
BEND, END = 0.01, 1.0


def number_picture(judged):
    """(reported - exact) / exact against exact risk over the null model's, the colour by the verdict."""
    shown = [one for one in judged if one.exact is not None and one.reported is not None]
    shares = [one.exact / one.null for one in shown]
    low = min(0.1, 10 ** math.floor(math.log10(max(min(shares, default=0.1), 1e-4))))
    high = 1.6

    def across(share):
        share = min(max(share, low), high)
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(share / low) / math.log(high / low)

    middle, half = (TOP + HEIGHT - BOTTOM) / 2, (HEIGHT - TOP - BOTTOM) / 2

    def down(error):
        size = math.asinh(min(abs(error), END) / BEND) / math.asinh(END / BEND)
        return middle - math.copysign(size * half, error)

    parts = [text(LEFT, 22, "The reported number beside exact leave-one-out, at the chosen λ", "strong"),
             *legend([(GREEN, False, "relied on, right"), (ORANGE, False, "relied on, wrong"),
                      (BLUE, True, "not relied on, wrong or badly chosen"), (GREY, True, "not relied on, though right")]),
             f'<rect class="band" x="{LEFT}" width="{WIDTH - LEFT - RIGHT}" y="{down(0.02):.1f}" '
             f'height="{down(-0.02) - down(0.02):.1f}"/>']
    for tick in (1, 0.5, 0.2, 0.1, 0.05, 0.02, 0):
        for sign in (1, -1) if tick else (1,):
            y = down(sign * tick)
            words = f"{'+' if sign > 0 else '−'}{100 * tick:g} %" if tick else "0"
            parts += [segment(LEFT, y, WIDTH - RIGHT, y, "axis" if tick == 0 else "grid"),
                      text(LEFT - 6, y + 4, words, "small", "end")]
    tick = low
    while tick <= 1.0001:
        parts += [segment(across(tick), HEIGHT - BOTTOM, across(tick), HEIGHT - BOTTOM + 4, "axis"),
                  text(across(tick), HEIGHT - BOTTOM + 18, f"{tick:g}", "small", "middle")]
        tick *= 10
    parts.append(segment(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "exact leave-one-out risk ÷ that of the null model", "small", "middle"))
    named, dots = [], []
    for one, share in sorted(zip(shown, shares), key=lambda pair: pair[0].wrongly_green):
        error = (one.reported - one.exact) / max(one.exact, judgement.FLOOR * one.null)
        x, y = across(share), down(error)
        color = ((ORANGE if one.wrongly_green else GREEN) if one.reliable else (GREY if one.wrongly_red else BLUE))
        parts.append(dot(x, y, color, hollow=not one.reliable, title=f"{one.name}: {100 * error:+.2g} %"))
        dots.append((x, y))
        if one.badly_green or not one.right:
            named.append((x, y, one.name, abs(error)))
    named.sort(key=lambda place: -place[3])
    parts += labels([place[:3] for place in named], dots)
    wrong = sum(one.wrongly_green for one in shown)
    return frame("The reported number beside exact leave-one-out",
                 f"{len(shown)} problems; {wrong} can be relied on by the verdict and are wrong.", parts)


FLOOR, TOP_REGRET = 1e-4, 3.0  # of the axis of the second picture; a regret below is drawn at the floor


def regret_picture(judged):
    """Regret of every problem, ALO alone and the default, by falling regret of ALO alone."""
    order = sorted(judged, key=lambda one: (-one.alo_regret, -one.regret))
    height = HEIGHT - TOP - BOTTOM - 16  # a strip on top is for problems without a choice

    def down(regret):
        if math.isinf(regret):
            return TOP + 2
        regret = min(max(regret, FLOOR), TOP_REGRET)
        return HEIGHT - BOTTOM - height * math.log(regret / FLOOR) / math.log(TOP_REGRET / FLOOR)

    step = (WIDTH - LEFT - RIGHT - 12) / max(len(order), 1)
    parts = [text(LEFT, 22, "What the choice of λ costs: regret in exact leave-one-out risk", "strong"),
             *legend([(GREY, True, "ALO alone"), (BLUE, False, "the default, at most 5 %"),
                      (ORANGE, False, "the default, more than 5 %")])]
    for tick in (1e-4, 1e-3, 1e-2, 1e-1, 1.0):
        words = f"{100 * tick:g} %" if tick > FLOOR else f"≤ {100 * tick:g} %"
        parts += [segment(LEFT, down(tick), WIDTH - RIGHT, down(tick), "grid"),
                  text(LEFT - 6, down(tick) + 4, words, "small", "end")]
    for limit in (0.02, 0.05):
        parts += [segment(LEFT, down(limit), WIDTH - RIGHT, down(limit), "limit"),
                  text(LEFT - 6, down(limit) + 4, f"{100 * limit:g} %", "small strong", "end")]
    if any(math.isinf(one.regret) or math.isinf(one.alo_regret) for one in order):
        parts.append(text(LEFT - 6, TOP + 6, "no choice", "small", "end"))
    parts += [segment(LEFT, TOP - 6, LEFT, HEIGHT - BOTTOM, "axis"),
              segment(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"),
              text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18,
                   f"{len(order)} problems, by falling regret of ALO alone", "small", "middle")]
    named, dots = [], []
    for k, one in enumerate(order):
        x = LEFT + 8 + (k + 0.5) * step
        dots += [(x, down(one.alo_regret)), (x, down(one.regret))]
        parts.append(dot(x, down(one.alo_regret), GREY, 2.8, True, one.name))
    for k, one in enumerate(order):
        x = LEFT + 8 + (k + 0.5) * step
        bad = one.regret > 0.05
        parts.append(dot(x, down(one.regret), ORANGE if bad else BLUE, 2.8, False, one.name))
        if bad:
            named.append((one.regret, x, down(one.regret), one.name))
    named.sort(key=lambda place: -place[0])
    parts += labels([place[1:] for place in named], dots)
    return frame("Regret of every problem", f"{len(named)} of {len(order)} have a regret above 5 % by the default.", parts)
