# SPDX-License-Identifier: MIT
import tempfile
import unittest
from pathlib import Path

from run_page import check, matches

FENCE = "```"


class Runner(unittest.TestCase):
    def faults(self, page):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "examples").mkdir()
            (root / "examples" / "numbers.csv").write_text("x,y\n1,2\n")
            (root / "page.md").write_text(page.replace("'''", FENCE))
            return check(root / "page.md", root, Path("/bin/echo"))

    def test_runs_and_compares(self):
        page = "'''sh\nalo one; alo two\nalo 3.25 ms\n'''\n\n'''text\none\n...\n... ms\n'''\n"
        self.assertEqual(self.faults(page), ([], 2))

    def test_nonzero_exit(self):
        self.assertIn("ended with 1", self.faults("'''sh\nfalse | true\n'''\n")[0][0])

    def test_wrong_output(self):
        self.assertIn("expected", self.faults("'''sh\nalo one\n'''\n'''text\ntwo\n'''\n")[0][0])

    def test_not_run(self):
        page = "'''sh no-run\nfalse\n'''\n'''sh\nscript/demo\n'''\n'''text\nnothing\n'''\n"
        self.assertEqual(self.faults(page), ([], 0))

    def test_listing(self):
        self.assertEqual(self.faults("'''csv examples/numbers.csv\nx,y\n1,2\n'''\n"), ([], 1))
        self.assertIn("not the text", self.faults("'''csv examples/numbers.csv\nx,y\n'''\n")[0][0])

    def test_links(self):
        self.assertEqual(self.faults("[a](examples/numbers.csv) [b](https://example.org/x)\n"), ([], 0))
        self.assertIn("no such file", self.faults("[a](missing.md)\n")[0][0])

    def test_files_stay_for_the_page(self):
        self.assertEqual(self.faults("'''sh\necho 1 > kept\n'''\n'''sh\ncat kept\n'''\n'''text\n1\n'''\n"), ([], 3))

    def test_wildcards(self):
        self.assertTrue(matches("a\n...\nb\n", "a\nb\n"))
        self.assertFalse(matches("a\n...\nb\n", "a\nc\n"))
        self.assertFalse(matches("a.c\n", "abc\n"))


if __name__ == "__main__":
    unittest.main()
