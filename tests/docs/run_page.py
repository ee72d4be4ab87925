# SPDX-License-Identifier: MIT
"""run_page.py PAGE --source ROOT --command ALO: tests the examples of a Markdown page.

  ```sh             run with bash -eu, in order, in one copy of the repository's examples/ for the whole page, where
                    `alo` and build/release/bin/alo are the built command; must end with 0.
                    Blocks that call script/... are not run.
  ```sh no-run      not run
  ```python ```r    run the same way when asked for with --languages
  ```text           directly after a run block: what it prints (standard output and error); a line `...` stands for
                    any number of lines, `...` within a line for any text
  ```LANG path      a listing: the file `path` from the root, whole
  [text](path)      a relative link must lead to a file that exists
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

INTERPRETERS = {
    "sh": ["bash", "-euo", "pipefail", "-c"],
    "python": ["/usr/bin/python3", "-c"],
    "r": ["Rscript", "-e"],
}


@dataclass
class Block:
    language: str
    words: list
    text: str
    line: int
    end: int


def blocks(text):
    found, lines, i = [], text.split("\n"), 0
    while i < len(lines):
        opening = re.match(r"^(```+)\s*(\S*)\s*(.*)$", lines[i])
        if opening:
            start = i
            i += 1
            while i < len(lines) and lines[i].rstrip() != opening[1]:
                i += 1
            if i == len(lines):
                raise SystemExit(f"line {start + 1}: the block is not closed")
            body = "\n".join(lines[start + 1 : i]) + "\n"
            found.append(Block(opening[2], opening[3].split(), body, start + 1, i + 1))
        i += 1
    return found


def matches(expected, actual):
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n"
    return re.fullmatch(pattern, actual.rstrip("\n") + "\n") is not None


def broken_links(page, text):
    outside = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", outside):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            yield f"link to {target}: no such file"


def prepare(folder, source, command):
    shutil.copytree(source / "examples", folder / "examples")
    binary = folder / "build" / "release" / "bin"
    binary.mkdir(parents=True)
    (binary / "alo").symlink_to(command)
    return dict(os.environ, PATH=f"{binary}:{os.environ['PATH']}", HOME=str(folder), NO_COLOR="1")


def run(block, folder, environment):
    result = subprocess.run([*INTERPRETERS[block.language], block.text], cwd=folder, env=environment, timeout=240,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


def check(page, source, command, languages=("sh",)):
    """The page's faults, each a string, and the number of blocks that were run or compared."""
    text = page.read_text()
    faults, done, before = list(broken_links(page, text)), 0, None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = prepare(folder, source, command)
        for block in blocks(text):
            where = f"{page.name}:{block.line}"
            if block.language in languages and "no-run" not in block.words and "script/" not in block.text:
                code, output = run(block, folder, environment)
                done += 1
                if code != 0:
                    faults.append(f"{where}: ended with {code}\n{block.text}\n{output}")
                before = (block, output)
                continue
            if block.language == "text" and before and not "".join(text.split("\n")[before[0].end : block.line - 1]).strip():
                done += 1
                if not matches(block.text, before[1]):
                    faults.append(f"{where}: expected\n{block.text}\nbut the example prints\n{before[1]}")
            elif block.language not in INTERPRETERS and len(block.words) == 1 and "/" in block.words[0]:
                done += 1
                file = source / block.words[0]
                if not file.exists() or file.read_text() != block.text:
                    faults.append(f"{where}: the listing is not the text of {block.words[0]}")
            before = None
    return faults, done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--command", type=Path, required=True)
    parser.add_argument("--languages", nargs="+", choices=INTERPRETERS, default=["sh"])
    options = parser.parse_args()
    faults, done = check(options.page, options.source, options.command, options.languages)
    print(f"{options.page.name}: {done} blocks checked, {len(faults)} faults")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
