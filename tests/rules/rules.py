"""The rules of docs/architecture.md that a machine can check, each a function that yields one line per breach.

A tree is the root of a checkout: src/, include/alo/, cli/, tests/ and docs/architecture.md below it.
"""
import re
from pathlib import Path

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
MOST_SOURCES_OF_A_FOLDER = 30
# Rooms that may name a concrete loss or penalty: the models themselves, and the table of their names.
ROOMS_OF_MODELS = {"losses", "penalties", "registry"}

INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)
CONCRETE_MODEL = re.compile(r"^alo/(losses|penalties)/")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def words(cell):
    return re.findall(r"`([^`]+)`", cell)


class Rooms:
    """The table of rooms: name, what it is, its public headers, the rooms it may include."""

    def __init__(self, tree):
        text = (tree / "docs/architecture.md").read_text()
        head = re.search(r"^\| room \|.*\n\|[ \-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
        if not head:
            raise ValueError("docs/architecture.md has no table whose first column is 'room'")
        self.order = []
        self.allowed = {}
        self.headers = {}  # public header, or a folder of them, to its room
        for row in head.group(1).splitlines():
            room, _, headers, allowed = cells(row)
            [name] = words(room)
            self.order.append(name)
            self.allowed[name] = set(words(allowed))
            for header in words(headers):
                self.headers[header] = name

    def of_public_header(self, path):
        """The room of alo/NAME.hpp, or of alo/FOLDER/NAME.hpp by `FOLDER/*`."""
        name = path.removeprefix("alo/").removesuffix(".hpp")
        return self.headers.get(name) or self.headers.get(name.split("/")[0] + "/*")

    def of_source(self, relative):
        """The longest row that names a folder of the path."""
        parts = relative.parts[:-1]
        for length in range(len(parts), 0, -1):
            if "/".join(parts[:length]) in self.allowed:
                return "/".join(parts[:length])
        return None

    def of_include(self, path):
        if path.startswith("alo/"):
            return self.of_public_header(path)
        return self.of_source(Path(path))


def sources(tree, *folders):
    for folder in folders:
        for path in sorted((tree / folder).rglob("*.[ch]pp")):
            yield path


def library_files(tree, rooms):
    """Every file of the library with its room, None where the table has none."""
    for path in sources(tree, "src"):
        yield path, rooms.of_source(path.relative_to(tree / "src"))
    for path in sources(tree, "include"):
        yield path, rooms.of_public_header(str(path.relative_to(tree / "include")))


def table_faults(tree):
    """A room may include only rooms above it, so that there is no cycle."""
    rooms = Rooms(tree)
    for place, name in enumerate(rooms.order):
        for other in sorted(rooms.allowed[name] - set(rooms.order[:place])):
            yield f"docs/architecture.md: {name} may include {other}, which does not stand above it"
        if not (tree / "src" / name).is_dir() and name != "base":
            yield f"docs/architecture.md: there is no folder src/{name}"


def include_faults(tree):
    rooms = Rooms(tree)
    for path, room in library_files(tree, rooms):
        name = path.relative_to(tree)
        if room is None:
            yield f"{name}: no row of the table of rooms has this file"
            continue
        for include in INCLUDE.findall(path.read_text()):
            other = rooms.of_include(include)
            if other is None:
                yield f"{name}: includes {include}, which no row of the table of rooms has"
            elif other != room and other not in rooms.allowed[room]:
                yield f"{name}: {room} may not include {other} ({include})"
    for path in sources(tree, "cli"):
        for include in INCLUDE.findall(path.read_text()):
            if (tree / "src" / include).exists():
                yield f"{path.relative_to(tree)}: the command sees public headers alone, not {include}"


def model_faults(tree):
    """Concrete models are named by their own rooms and the registry alone."""
    rooms = Rooms(tree)
    for path, room in library_files(tree, rooms):
        if room in ROOMS_OF_MODELS:
            continue
        for include in INCLUDE.findall(path.read_text()):
            if CONCRETE_MODEL.match(include):
                yield f"{path.relative_to(tree)}: {room} names a concrete model ({include})"


def size_faults(tree):
    for path in sources(tree, "src", "include", "cli", "tests"):
        lines = path.read_text().splitlines()
        name = path.relative_to(tree)
        if len(lines) > MOST_LINES_OF_A_FILE:
            yield f"{name}: {len(lines)} lines, more than {MOST_LINES_OF_A_FILE}"
        for start, length in functions(lines):
            if length > MOST_LINES_OF_A_FUNCTION:
                yield f"{name}:{start}: a function of {length} lines, more than {MOST_LINES_OF_A_FUNCTION}"
    for folder in sorted(path for path in (tree / "src").rglob("*") if path.is_dir()):
        count = len(list(folder.glob("*.[ch]pp")))
        if count > MOST_SOURCES_OF_A_FOLDER:
            yield f"{folder.relative_to(tree)}: {count} sources, more than {MOST_SOURCES_OF_A_FOLDER}"


NOT_A_FUNCTION = re.compile(r"^\s*(namespace|struct|class|enum|union|extern)\b|=\s*\{$")


def functions(lines):
    """First line and length of every function, by the layout of clang-format: the head begins at the margin or in a
    class, may go on over further lines, and ends with a brace; the closing brace has the indentation of its beginning."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            if not re.match(r"^ *\S.* \{$", line):
                continue
            first = number
            while first > 1 and re.match(r"^ {4}", lines[first - 1]) and not re.search(r"([;{}:]|^)$", lines[first - 2]):
                first -= 1
            indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
            if indent <= 2 and not NOT_A_FUNCTION.search(lines[first - 1]):
                start = first
        elif re.match(rf"^ {{{indent}}}\}}", line):
            yield start, number - start + 1
            start = None


ALL = [table_faults, include_faults, model_faults, size_faults]
