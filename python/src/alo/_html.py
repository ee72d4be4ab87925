# SPDX-License-Identifier: MIT
"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import Any

# Colours with a contrast of at least 4.5 to the background, which is given with them, so that a dark notebook is no
# other case.
GOOD, BAD = ("#0b6b3a", "#e9f6ee"), ("#9a3412", "#fdf0e7")


def verdict_box(headline: str, choice: str, verdict: Any) -> str:
    """A box with the verdict in its colour, and the reasons where there are any."""
    color, background = GOOD if verdict.reliable else BAD
    sentence = "The choice can be relied on." if verdict.reliable else "The choice cannot be relied on:"
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in verdict.reasons)
    listed = f"<ul style='margin:.3em 0'>{reasons}</ul>" if reasons else ""
    return (f"<div style='border-left:4px solid {color};background:{background};color:#1f2328;padding:.5em .8em;"
            f"max-width:52em;font-family:sans-serif'><div>{escape(headline)}</div><div>{escape(choice)}</div>"
            f"<b style='color:{color}'>{sentence}</b>{listed}</div>")
