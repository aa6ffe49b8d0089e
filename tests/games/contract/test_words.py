"""Words of a game, in tables of its ``said.txt``: sentences, typed lines, answers."""

import json
import re
from collections import Counter
from typing import Any, get_args

import pytest

from games.engine.errors import IllegalAction
from games.engine.structs import canonical, kind_of
from games.matches.queries.commands import answer, confirmation, parse
from games.text.telling import listed, points
from games.text.typed import Action, Query
from tests.forms import form
from tests.games.contract.kit import Tried
from tests.refusals import refuses

NAMES = {no: f"p{no}" for no in range(40)}


@pytest.mark.plain
def test_contract_a_fact_in_words(game: Tried) -> None:
    (names,) = game.said("names")
    known = dict(enumerate(names[0].split()))
    for fact, line in game.said("sentences"):
        kind, _, data = fact.partition(" ")
        assert (game.game.speech.tell(kind, json.loads(data), known) or "-") == line
    for own, words in game.said("held"):
        assert (game.game.replay.holding(json.loads(own), NAMES) or "-") == words


def test_contract_every_fact_of_random_games_is_told_in_a_sentence(game: Tried) -> None:
    told = Counter[str]()
    met: set[str] = set()
    for number in range(form(25, in_all=40, in_long=60)):
        played = game.play(f"words/{number}")
        begun = game.rules.setup(played.options, played.seats, played.seed, played.started_at)
        for event in (*played.events, *game.rules.void(begun.state).events):
            met.add(event.kind)
            line = game.game.speech.tell(event.kind, event.data, NAMES)
            if line is not None:
                told[event.kind] += 1
                assert re.fullmatch(r"[^{}]+[.!]", line, re.DOTALL), line
                assert len(line) < 1_200
    speaking = {kind for kind, sentence in game.game.speech.sentences.items() if sentence}
    assert met & speaking == set(told)


def test_contract_every_action_that_is_typed_has_a_command_and_a_confirmation(game: Tried) -> None:
    def kinds_in(section: str, part: int) -> set[str]:
        lines = [line for view in game.data.views() for line in game.said(f"{section}: {view}")]
        return {json.loads(line[part])["kind"] for line in lines if line[part].startswith("{")}

    kinds = {kind_of(action) for action in get_args(game.rules.Action)}
    typed, confirmed = kinds_in("typed", 1), kinds_in("confirmed", 0)
    if game.is_of_the_site:
        assert kinds - typed == game.data.untyped
        assert kinds - confirmed <= game.data.untyped
    for entry in game.game.typing.commands:
        assert entry.usage.startswith(f"!{entry.names[0]}")
        assert entry.about


def _understood(text: str, view: Any) -> str:
    """Return what comes of a typed line: an action, a question, or the code of a refusal."""
    try:
        command = parse(text, view)
    except IllegalAction as refusal:
        told = {k: v for k, v in refusal.detail.items() if k in ("usage", "candidates")}
        return f"{refusal.code} {canonical(told) if told else ''}".strip()
    if isinstance(command, Action):
        return canonical(command.action)
    if isinstance(command, Query):
        return f"? {command.kind}"
    given = canonical({name: str(value) for name, value in command.given.items()})
    return f"{command.run} {given} {command.is_guests} {command.changes}"


@pytest.mark.plain
def test_contract_typed_lines_become_actions_of_the_buttons_or_are_answered(game: Tried) -> None:
    """In any case of letters; what is wrong is answered with a code and the right form."""
    for name, view in game.data.views().items():
        for text, meaning in game.said(f"typed: {name}"):
            assert _understood(text, view) == meaning, name
            if meaning.startswith("{"):
                command, _, rest = text.partition(" ")
                assert _understood(f"{command.upper()} {rest}", view) == meaning
        for action, words in game.said(f"confirmed: {name}"):
            assert confirmation(json.loads(action), view) == words
        for question, words in game.said(f"answered: {name}"):
            assert answer(Query(question), view).replace("\n", " / ") == words, name
        for text in ("!", "! help", "help", "", "!__class__", "!help\u0130", "!xyzzy"):
            with refuses("command/unknown", match="!help") as refusal:
                parse(text, view)
            assert refusal.value.code == "command/unknown"


@pytest.mark.plain
def test_contract_help_lists_each_form_once_and_what_is_possible_first(game: Tried) -> None:
    for view in game.data.views().values():
        own = (view["game"] or {}).get("you") or {}
        may = {*view["you"]["may"], *own.get("may", own.get("legal", ()))}
        place, places = "", dict[str, str]()
        for line in answer(Query("help"), view).splitlines():
            usage, is_form, _ = line.partition(": ")
            place = place if is_form else line
            assert places.setdefault(usage, place) == place
        for entry in game.game.typing.commands:
            is_now = places.pop(entry.usage) == "You can now:"
            assert is_now == (entry.kind in may) or not entry.kind
        assert all(line.endswith(":") for line in places)


def test_amounts_and_lists_in_words() -> None:
    assert (points(0), points(1), points(2)) == ("0 points", "1 point", "2 points")
    assert (listed([]), listed(["a"]), listed(["a", "b"])) == ("nobody", "a", "a and b")
