"""The sources keep the rules of docs/architecture.md, and a breach of any of them would be found."""
import shutil
import tempfile
import unittest
from pathlib import Path

import rules

TREE = Path(__file__).resolve().parents[2]


class Tree(unittest.TestCase):
    def test_keeps_the_rules(self):
        faults = [fault for rule in rules.ALL for fault in rule(TREE)]
        self.assertEqual(faults, [], "\n" + "\n".join(faults))


class Planted(unittest.TestCase):
    """A copy of the tree in which one thing is wrong."""

    def setUp(self):
        self.tree = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.tree)
        for folder in ("src", "include", "cli"):
            shutil.copytree(TREE / folder, self.tree / folder)
        (self.tree / "tests").mkdir()
        (self.tree / "docs").mkdir()
        shutil.copy(TREE / "docs/architecture.md", self.tree / "docs")

    def plant(self, path, text):
        with open(self.tree / path, "a") as file:
            file.write(text)

    def found(self, rule, part):
        faults = list(rule(self.tree))
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(part, faults[0])

    def test_include_to_the_right(self):
        self.plant("src/signals/chain.cpp", '#include "report/page.hpp"\n')
        self.found(rules.include_faults, "signals may not include report")

    def test_public_header_to_the_right(self):
        self.plant("include/alo/problem.hpp", '#include "alo/tune.hpp"\n')
        self.found(rules.include_faults, "problem may not include tune")

    def test_solver_in_the_certificate(self):
        self.plant("src/certificate/certificate.cpp", '#include "solvers/method.hpp"\n')
        self.found(rules.include_faults, "certificate may not include solvers")

    def test_private_header_in_the_command(self):
        self.plant("cli/main.cpp", '#include "solvers/method.hpp"\n')
        self.found(rules.include_faults, "public headers alone")

    def test_file_without_a_room(self):
        (self.tree / "src/attic").mkdir()
        self.plant("src/attic/old.cpp", "\n")
        self.found(rules.include_faults, "no row of the table")

    def test_cycle_in_the_table(self):
        page = self.tree / "docs/architecture.md"
        row = next(line for line in page.read_text().splitlines() if line.startswith("| `linalg` |"))
        head = row.rstrip("| ").rsplit("|", 1)[0]
        page.write_text(page.read_text().replace(row, f"{head}| `base` `report` |"))
        self.found(rules.table_faults, "linalg may include report")

    def test_concrete_model(self):
        self.plant("src/formula/hat.cpp", '#include "alo/penalties/lasso.hpp"\n')
        self.found(rules.model_faults, "formula names a concrete model")

    def test_long_file(self):
        self.plant("src/signals/chain.cpp", "// One more line.\n" * rules.MOST_LINES_OF_A_FILE)
        self.found(rules.size_faults, "src/signals/chain.cpp")

    def test_long_function(self):
        body = "  count();\n" * rules.MOST_LINES_OF_A_FUNCTION
        self.plant("src/linalg/select.hpp", "void too_long(\n    int one, int other) {\n" + body + "}\n")
        self.found(rules.size_faults, "a function of 63 lines")

    def test_full_folder(self):
        for number in range(rules.MOST_SOURCES_OF_A_FOLDER):
            self.plant(f"src/routing/another{number}.cpp", "\n")
        self.found(rules.size_faults, "src/routing")


if __name__ == "__main__":
    unittest.main()
