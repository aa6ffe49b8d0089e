"""The sentences of bots: text files with the name of a kind in brackets and the lines of that kind
below it.
"""

from collections.abc import Mapping
from pathlib import Path

Lines = Mapping[str, tuple[str, ...]]


def read_lines(path: Path) -> Lines:
    found: dict[str, tuple[str, ...]] = {}
    kind = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
            found[kind] = ()
        elif line and not line.startswith("#"):
            found[kind] += (line,)
    return found
