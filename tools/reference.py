"""Writes the reference pages from the code: ``./run docs``.

A test compares the pages with the code.
"""

import inspect
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import django

HOME = Path(__file__).resolve().parent.parent / "docs/reference"

FACTS = """# Facts

The facts of the journal and of the public log, with their fields. A fact for some is told to the
seats of its audience, and to everybody once the game is over. `./run docs` writes this page.
"""


def pages() -> dict[Path, str]:
    """Return the reference pages: path -> text."""
    return {HOME / "facts.md": _facts()}


def _facts() -> str:
    from games import registry
    from games.engine.table.facts import TableFact

    parts = [("Every table", get_args(TableFact))]
    parts += [(game.title, get_args(game.newest.Fact)) for game in registry.games()]
    return FACTS + "".join(_table(title, facts) for title, facts in parts)


def _table(title: str, facts: Iterable[type[Any]]) -> str:
    from games.engine.facts import SecretFact
    from games.engine.structs import kind_of

    lines = [f"\n## {title}\n| fact | fields | for | meaning |\n|---|---|---|---|\n"]
    for fact in facts:
        fields = " ".join(f"`{name}`" for name in fact.__struct_fields__)
        readers = "some" if issubclass(fact, SecretFact) else "all"
        meaning = " ".join((inspect.getdoc(fact) or "").split()).replace("|", "\\|")
        lines.append(f"| `{kind_of(fact)}` | {fields} | {readers} | {meaning} |\n")
    return "".join(lines)


def main() -> int:
    """Write the pages."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")
    django.setup()
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(HOME.parent.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
