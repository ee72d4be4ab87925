# SPDX-License-Identifier: MIT
"""The library names no options of the command: its messages say in plain words what to change and carry the settings
beside their text (include/alo/message.hpp), which every front end spells in its own way."""

import re
import unittest
from pathlib import Path

from tokens import TOKEN

ROOT = Path(__file__).parents[2]
OPTION = re.compile(r"--[A-Za-z]")
# Custom properties of a style sheet begin like options: "var(--ink)", and "{--ink:" or ";--ink:".
STYLE = re.compile(r"var\(--\w+\)|[{;]--\w+:")


def literals(source):
    """(line, text) of every string literal; those side by side are one."""
    found, joins = [], False
    for token in TOKEN.finditer(source):
        text = token["text"] if token["text"] is not None else token["raw"]
        if text is not None:
            if joins:
                found[-1][1] += text
            else:
                found.append([source.count("\n", 0, token.start()) + 1, text])
        joins = text is not None or (joins and (token["space"] or token["comment"]) is not None)
    return found


def options_named(source):
    return [(line, text) for line, text in literals(source) if OPTION.search(STYLE.sub("", text))]


class Options(unittest.TestCase):
    def test_no_literal_of_the_library_names_an_option(self):
        files = sorted(path for folder in ("src", "include") for path in (ROOT / folder).rglob("*.[ch]pp"))
        self.assertGreater(len(files), 100)
        named = [f"{path.relative_to(ROOT)}:{line}: {text[:100]}"
                 for path in files for line, text in options_named(path.read_text())]
        self.assertEqual(named, [], "say it in plain words and add a hint (include/alo/message.hpp)")

    def test_the_scan_sees_literals_and_nothing_else(self):
        self.assertEqual(options_named('a;\nthrow E("use --mix");'), [(2, "use --mix")])
        self.assertEqual(len(options_named('f("use -" /* here */\n  "-mix")')), 1)
        self.assertEqual(len(options_named('f(R"x(a " --mix)x")')), 1)
        self.assertEqual(len(options_named(r'''f('"', "a \" --mix", '\'')''')), 1)
        self.assertEqual(options_named('--size; // "--mix"\n/* "--mix" */ f("a - b", 1\'000, "--", "-1");'), [])
        self.assertEqual(options_named('R"(a{--ink:#fff;--box:#000}b{color:var(--ink)})"'), [])
        self.assertEqual(len(options_named('R"(a{--ink:#fff} (--ink))"')), 1)


if __name__ == "__main__":
    unittest.main()
