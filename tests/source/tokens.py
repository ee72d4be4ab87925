# SPDX-License-Identifier: MIT
"""The tokens of a C++ source that the tests beside this file tell apart."""

import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | R"(?P<mark>[^(\s\\]*)\((?P<raw>.*?)\)(?P=mark)"
      | "(?P<text>(?:\\.|[^"\\\n])*)"
      | (?P<character>(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<space>\s+)
      | (?P<other>.)""",
    re.DOTALL | re.VERBOSE)
