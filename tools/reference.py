"""Write the reference pages from the code: ``./run docs``.

A test compares the pages with the code.
"""

import argparse
import inspect
import json
import os
import pkgutil
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

import django

from tools import reference_api, sbom
from tools import reference_messages as messages

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "docs/reference"

FACTS = """# Facts

The facts of the journal and of the public log, with their fields. A fact for some is told to the
seats of its audience, and to everybody once the game is over. `./run docs` writes this page.
"""


ERRORS = """# Error codes

A refusal has a stable code, a message for people and a detail with numbers and names. A refused
action changes nothing. `./run docs` writes this page.

| code | meaning |
|---|---|
"""

ATTACKS = """# Attacks

Each case has tests named after its number, `test_hostile_07_…`.
[Security](../explanation/security.md) says more. `./run docs` writes this page.

| case | attack | answer | tests |
|---|---|---|---|
"""

SETTINGS = """# Settings

The numbers that an administrator changes in the admin, with their limits. `./run docs` writes this
page.

Unit bp: hundredths of a percent.

| name | default | least | most | unit | meaning |
|---|---|---|---|---|---|
"""

COMMANDS = """# Commands

`./run docs` writes this page.

## On the server
`./run manage NAME --help` lists the options.

| command | does |
|---|---|
"""

ENVIRONMENT = """# Environment variables

The variables that the settings read. [Run a site](../how-to/run-a-site.md) says how to set them.
A wrong value ends a process at its start with exit code 2. `./run docs` writes this page.

| variable | value | default | meaning |
|---|---|---|---|
"""

VIEWS = """# Views

The game's part of a view, as each game's rules build it: `game` in a `view` frame, and `game.you`.
For the arena the parts of an `arena` frame. `./run docs` writes this page.
"""

#: The applications whose commands and errors count.
OURS = ("accounts", "economy", "games", "rpsite")


def pages() -> dict[Path, str]:
    """Return the reference pages: path -> text."""
    written = {
        "api": reference_api.page(),
        "attacks": _attacks(),
        "commands": _commands(),
        "environment": _environment(),
        "errors": _errors(),
        "facts": _facts(),
        "frames": messages.frames(),
        "rpc": messages.rpc(),
        "settings": _settings(),
        "views": _views(),
    }
    licences = sbom.page(json.loads(sbom.BOM.read_text("utf-8")))
    return {HOME / f"{name}.md": text for name, text in written.items()} | {sbom.PAGE: licences}


def _first_sentence(documented: Any) -> str:
    text = " ".join((inspect.getdoc(documented) or "").split())
    return text.partition(". ")[0].rstrip(".").replace("|", "\\|")


def _facts() -> str:
    from games import registry
    from games.engine.table.facts import TableFact
    from tools.referee.trials import trial_of

    parts = [("Every table", get_args(TableFact))]
    parts += [(game.title, get_args(trial_of(game.slug).rules.Fact)) for game in registry.games()]
    return FACTS + "".join(_table(title, facts) for title, facts in parts)


def _errors() -> str:
    from games.api.errors import PROBLEMS
    from games.realtime.protocol import CODES

    texts = {code: text for code, (_, text) in PROBLEMS.items()} | CODES
    meanings = {code: text.rstrip(".") for code, text in texts.items()}
    for path in (path for top in OURS for path in (ROOT / top).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if (" code" in text or "REFUSALS" in text) and "migrations" not in path.parts:
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            table = getattr(module, "REFUSALS", None)
            meanings |= table if isinstance(table, dict) else {}
    for error in _subclasses(Exception):
        code = vars(error).get("code")
        if isinstance(code, str) and error.__module__.partition(".")[0] in OURS:
            meanings.setdefault(code, _first_sentence(error))
    lines = (f"| `{code}` | {meaning} |\n" for code, meaning in sorted(meanings.items()))
    return ERRORS + "".join(lines)


def _subclasses(kind: type[Any]) -> Iterable[type[Any]]:
    for each in sorted(kind.__subclasses__(), key=lambda one: (one.__module__, one.__qualname__)):
        yield each
        yield from _subclasses(each)


def _settings() -> str:
    from economy.tunables import TUNABLES

    rows = sorted(TUNABLES.values())
    return SETTINGS + "".join(
        f"| `{row.name}` | {row.default} | {row.least} | {row.most} | {row.unit} | {row.help} |\n"
        for row in rows
    )


def _commands() -> str:
    from django.core.management import get_commands, load_command_class

    from games import registry

    ours = sorted(
        (n, app) for n, app in get_commands().items() if app.partition(".")[0] in (*OURS, "tools")
    )
    helps = ((name, str(load_command_class(app, name).help)) for name, app in ours)
    text = COMMANDS + "".join(f"| `{name}` | {about} |\n" for name, about in helps)
    for game in registry.games():
        text += f"\n## Typed in {game.title}\n| type | does |\n|---|---|\n"
        for entry in game.typing.commands:
            text += f"| `{entry.usage.replace('|', chr(92) + '|')}` | {entry.about} |\n"
    return text


def _environment() -> str:
    from rpsite.variables import VARIABLES

    text = ENVIRONMENT
    for name, each in sorted(VARIABLES.items()):
        default = _shown(each.default)
        if each.public is not None:
            default += f"; `prod`: {_shown(each.public) if each.public else 'required'}"
        text += f"| `{name}` | {each.kind.what} | {default} | {each.meaning} |\n"
    return text


def _shown(default: str | None) -> str:
    return "computed" if default is None else f"`{default}`" if default else "empty"


def _views() -> str:
    from games import registry

    text = VIEWS
    for name, meaning, keys in messages.arena_views():
        types = {key: " | ".join(kinds) for key, kinds in keys.items()}
        text += _keys(f"Arena: {name}", meaning, types)
    views = [("Every Mafia game", "games.mafia.common.rules")]
    for game in registry.tables():
        name = f"{registry.package(game.slug)}.rules"
        if find_spec(name).submodule_search_locations:  # type: ignore[union-attr]
            views.append((game.title, name))
    for title, package in views:
        for name, kind in sorted(_typed_dicts(import_module(package))):
            types = {key: _type_name(type_) for key, type_ in get_type_hints(kind).items()}
            text += _keys(f"{title}: {name}", f"{_first_sentence(kind)}.", types)
    return text


def _typed_dicts(package: Any) -> Iterable[tuple[str, Any]]:
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        for name, kind in inspect.getmembers(module, is_typeddict):
            if kind.__module__ == module.__name__:
                yield name, kind


def _keys(title: str, meaning: str, types: dict[str, str]) -> str:
    text = f"\n## {title}\n{meaning}\n\n| key | type |\n|---|---|\n"
    for key, type_ in types.items():
        shown = type_.replace("NoneType", "None").replace("|", "\\|")
        text += f"| `{key}` | `{shown}` |\n"
    return text


def _attacks() -> str:
    from tests.hostile.cases import CASES

    tests: dict[int, set[str]] = {number: set() for number in CASES}
    for path in (ROOT / "tests").rglob("test_*.py"):
        for numbers in re.findall(r"def test_hostile_((?:\d\d_)+)", path.read_text("utf-8")):
            for number in numbers.split("_")[:-1]:
                tests[int(number)].add(str(path.relative_to(ROOT)))
    text = ATTACKS
    for number, (attack, answer) in CASES.items():
        files = ", ".join(f"`{name}`" for name in sorted(tests[number]))
        text += f"| {number} | {attack} | {answer} | {files} |\n"
    return text


def _type_name(kind: Any) -> str:
    """Return a type as code, without modules and bounds."""
    parts = get_args(kind)
    if not parts:
        return str(getattr(kind, "__name__", kind))
    if get_origin(kind) is Literal:
        return " | ".join(map(repr, parts))
    names = [_type_name(part) for part in parts]
    if get_origin(kind) in (list, dict, tuple):
        return f"{get_origin(kind).__name__}[{', '.join(names)}]"
    return " | ".join(names)


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
    argparse.ArgumentParser(prog="./run docs", description=__doc__).parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")
    django.setup()
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
