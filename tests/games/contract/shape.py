"""The shape of a game: what is secret, what is said of nothing, what its options are.

``shape.txt`` of each game holds it.  A new field, fact or option differs from the text until
somebody has decided: ``python -m tests.games.contract.shape GAME > tests/games/GAME/shape.txt``.
"""

import os
import sys
from collections.abc import Iterator
from typing import Any, get_args

import django

from games.contract import TableGame
from games.engine.choices import bounds_of, chosen_options, clean_options, site_numbers
from games.engine.facts import SecretFact
from games.engine.structs import canonical, kind_of, plain
from tests.games.classified import classified


def shape_of(game: TableGame) -> list[str]:
    facts = get_args(game.newest.Fact)
    secret = [kind_of(fact) for fact in facts if issubclass(fact, SecretFact)]
    silent = {kind_of(fact) for fact in facts if game.speech.sentences[kind_of(fact)] is None}
    return [
        *_fields(game.newest.State, {game.options.__name__}),
        f"secret facts: {' '.join(sorted(secret))}",
        f"facts without a sentence: {' '.join(sorted(silent))}",
        *_options(game.options),
    ]


def _fields(kind: Any, but: set[str]) -> Iterator[str]:
    """Yield public and secret fields of each struct in a type; a table's options are public."""
    public, secret = classified(kind)
    assert not but & secret.keys()
    for name in sorted(public.keys() - but):
        hidden = f" | {' '.join(sorted(secret[name]))}" if name in secret else ""
        yield f"{name}: {' '.join(sorted(public[name]))}{hidden}"


def _options(kind: Any) -> Iterator[str]:
    """Yield each option: what it is if nobody says anything, its bounds, who sets it."""
    chosen, numbers = chosen_options(kind), site_numbers(kind)
    for name, value in plain(clean_options(kind, {})).items():
        bounds = bounds_of(kind, name)
        yield " ".join(
            [
                f"option {name}: {canonical(value)}",
                *([f"{bounds['least']}..{bounds['most']}"] if bounds else []),
                *(["chosen"] if name in chosen else []),
                *([numbers[name]] if name in numbers else []),
            ]
        )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")
    django.setup()

    from games import registry

    sys.stdout.writelines(f"{line}\n" for line in shape_of(registry.table(sys.argv[1])))
