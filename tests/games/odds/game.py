"""The answers of Odds and Evens to the contract."""

from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from economy.tunables import Tunable
from games.contract import Character, Counts, Lists, Rated, Replayed, Speech, TableGame
from games.text.answers import Typing, in_game, names_of
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import people, plain_pattern, who_pattern
from games.text.typed import Action, CommandEntry, View, Words, help_, plain, query, ready
from tests.games.odds import SLUG
from tests.games.odds.rules import OddsAndEvens, State

RULES = OddsAndEvens()


def _ended(data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    return f"It goes to {people(data['winners'], names)}." if data["winners"] else "A draw."


def _headline(view: View) -> str:
    winner = view["game"]["winner"]
    return _ended({"winners": [] if winner is None else [winner]}, names_of(view))


SENTENCES = {
    **TABLE_SENTENCES,
    "game_started": plain_pattern("Name a number, 1 or 2."),
    "named": who_pattern("{who} names {number}."),
    "number_named": who_pattern("{who} has named a number."),
    "game_ended": _ended,
    "pot_awarded": who_pattern("{amount} to {who}."),
    "stake_refunded": who_pattern("{amount} back to {who}."),
    "game_voided": plain_pattern("The game is void."),
}


def _name(words: Words, view: View) -> Action:
    words.require_count(1, 1)
    return Action({"kind": "name", "number": words.number(0)})


COMMANDS = (
    CommandEntry(("help",), "!help", "this list", help_),
    CommandEntry(("status",), "!status", "how it stands", query("status")),
    CommandEntry(("ready",), "!ready", "agree to start", ready),
    CommandEntry(("name",), "!name 1|2", "name a number", _name),
    CommandEntry(("bot",), "!bot", "ask a bot to sit down", plain("add_bot")),
)


def _status(view: View) -> Iterator[str]:
    yield f"It is {view['game']['stage']}."


class Bot:
    """Names one or the other."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        if "name" not in view["game"]["you"]["may"]:
            return []
        return [{"kind": "name", "number": chance.choice((1, 2))}]

    def has_decision(self, state: State, seat: int) -> bool:
        return True

    def think_milliseconds(self, state: State, seat: int, chance: Random) -> int:
        return 100


GAME = TableGame(
    slug=SLUG,
    title="Odds and Evens",
    plural="Odds",
    about="One or two?",
    icon="fist",
    template="odds/board.html",
    script="js/odds/main.js",
    numbers=(Tunable("odds.clock", 10, 5, 60, "clock of a number", "s"),),
    rules={1: RULES},
    speech=Speech(sentences=SENTENCES, place_names=("The Kitchen",)),
    lists=Lists(
        row=lambda options, summary: {"stake": options["stake"]},
        summary=lambda view: {"stage": view["stage"]},
        need=lambda state, seat: "Name a number",
    ),
    typing=Typing(COMMANDS, {"status": in_game(_status)}, {"name": "You name {number}."}),
    bot=Bot(),
    replay=Replayed(
        moments=frozenset({"game_started", "named", "game_ended", "game_voided"}),
        holding=lambda own, names: f"{own['number'] or 'no number'}",
        headline=_headline,
    ),
    counts=Counts(rated=Rated.PAIR),
)
