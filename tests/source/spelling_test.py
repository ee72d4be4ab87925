# SPDX-License-Identifier: MIT
"""Identifiers have one spelling, the American one of the public names (`standardize`, `center`, `color`), whatever the
prose around them has."""

import re
import unittest
from pathlib import Path

from tokens import TOKEN

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
BRITISH = re.compile(
    r"(?:re)?cent(?:re|red|res|ring)|greys?|dialogue|catalogue|analys(?:e|ed|er|es|ing)"
    r"|(?:col|behavi|neighb|fav|hon|lab)our\w*|(?:label|model|travel|cancel)l(?:ed|er|ing|s)"
    r"|\w+is(?:e|ed|er|ers|es|ing|ation|ations)")
# Words with an s in both spellings.
COMMON = re.compile(r"(?:\w*w|r|ar|ra|pra|no|po|cho|prom|prec|conc|exc|adv|dev|rev|superv|compr|surpr|exerc|prem|gu)is\w+")
# The name of a metric, as users write it.
PUBLIC = {"auc_recentred", "recentre", "Recentred"}


def british_words(source):
    """(line, identifier) of every identifier that has a word in British spelling."""
    return [(source.count("\n", 0, token.start()) + 1, token["word"]) for token in TOKEN.finditer(source)
            if token["word"] and token["word"] not in PUBLIC
            and any(BRITISH.fullmatch(word) and not COMMON.fullmatch(word)
                    for word in map(str.lower, WORD.findall(token["word"])))]


class Spelling(unittest.TestCase):
    def test_identifiers_have_one_spelling(self):
        files = sorted(path for folder in ("src", "include", "cli") for path in (ROOT / folder).rglob("*.[ch]pp"))
        self.assertGreater(len(files), 100)
        found = [f"{path.relative_to(ROOT)}:{line}: {name}"
                 for path in files for line, name in british_words(path.read_text())]
        self.assertEqual(found, [], "identifiers are spelt as the public names are: center, minimize, color")

    def test_the_scan_sees_identifiers_and_nothing_else(self):
        self.assertEqual(british_words("int a;\nauto is_centred = Minimiser(neighbours);"),
                         [(2, "is_centred"), (2, "Minimiser"), (2, "neighbours")])
        self.assertEqual(british_words('f("colour");  // the minimiser\n/* centre */ raised += noise(otherwise);'), [])
        self.assertEqual(british_words("auc_recentred; precise; promised; exercise; center; labels; rising"), [])


if __name__ == "__main__":
    unittest.main()
