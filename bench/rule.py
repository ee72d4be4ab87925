# SPDX-License-Identifier: MIT
"""The rule at the head of docs/accuracy.md, from the tables of the page: how far ALO is from exact leave-one-out, by the
largest leverage at a λ."""

COLUMNS = ["largest leverage", "penalty", "λ in the tables below", "of them within 5 %", "largest difference"]
BOUNDS = [0.0, 0.5, 0.8, 1.01]
NAMES = ["below 0.5", "0.5 to 0.8", "above 0.8"]
# Each table with the columns of the largest leverage, ALO and exact leave-one-out.
TABLES = [("blocks", 3, 5, 6), ("matrix curves", 3, 5, 6)] + [
    (f"{study}, lasso", 2, 3, 4) for study in ("South African heart disease", "Breast cancer", "Leukaemia", "Colon")]
RIDGES = [(f"{study}, ridge", 2, 3, 4) for study in ("South African heart disease", "Breast cancer")]


def numbers(text, tables):
    """Pairs of the largest leverage and ALO / exact - 1."""
    pairs = []
    for name, *columns in tables:
        block = text[text.index(f"<!-- begin {name} -->"):text.index(f"<!-- end {name} -->")]
        for line in block.splitlines():
            cells = [cell.replace("←", "").strip() for cell in line.split("|")[1:-1]]
            try:
                leverage, alo, exact = (float(cells[column]) for column in columns)
            except (ValueError, IndexError):
                continue  # a heading, or an undefined risk
            pairs.append((leverage, alo / exact - 1))
    return pairs


def lines(text):
    result = []
    for penalty, tables in (("absolute values, blocks, singular values", TABLES), ("ridge", RIDGES)):
        pairs = numbers(text, tables)
        for k, name in enumerate(NAMES):
            errors = [error for leverage, error in pairs if BOUNDS[k] <= leverage < BOUNDS[k + 1]]
            if errors:
                within = sum(abs(error) < 0.05 for error in errors)
                result.append([name, penalty, str(len(errors)), str(within), f"{round(100 * max(errors, key=abs), 1) + 0.0:+.1f} %"])
    return result
