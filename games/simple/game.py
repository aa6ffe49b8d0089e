"""The answers of a simple game to the contract, derived from its rules."""

import inspect
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final, get_args

from games.contract import Character, Lists, Replayed, Speech, TableGame
from games.engine.structs import Kinded, kind_of
from games.simple.rules import SimpleRules, SimpleState
from games.text.answers import Typing, in_game, names_of, who
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import Teller, people, plain_pattern, points, who_pattern
from games.text.typed import (
    HELP,
    READY,
    REMATCH,
    UNREADY,
    Action,
    Command,
    CommandEntry,
    Reader,
    View,
    Words,
    own_of,
    plain,
    plain_entry,
    query,
    remove_bot,
    sit,
)

__all__ = ["SimpleBot", "simple_game"]

#: Milliseconds that a bot thinks.
THINKING: Final = (600, 1_800)

Data = Mapping[str, Any]
Names = Mapping[int, str]


def _started(data: Data, names: Names) -> str:
    stake = f" {points(data['stake'])} each." if data["stake"] else ""
    return f"{people(data['seats'], names)} play.{stake}"


def _ended(data: Data, names: Names) -> str:
    return f"{people(data['winners'], names)} won." if data["winners"] else "A draw."


#: The sentences of every simple game.
SENTENCES: Final[Mapping[str, Teller | None]] = {
    **TABLE_SENTENCES,
    "game_started": _started,
    "given_up": who_pattern("{who} gives up."),
    "game_ended": _ended,
    "game_voided": plain_pattern("The game is void: the stakes go back."),
    "pot_awarded": who_pattern("{who} gets {amount}."),
    "stake_refunded": who_pattern("{amount} back to {who}."),
}

#: The commands of the table; the game's own follow from its actions.
TABLE_COMMANDS: Final = (
    HELP,
    CommandEntry(("who",), "!who", "who plays here, and how many watch", query("who")),
    CommandEntry(("status",), "!status", "the state of the game", query("status")),
    CommandEntry(("sit",), "!sit", "take a free seat", sit, "sit"),
    plain_entry("stand", "leave the seat"),
    READY,
    UNREADY,
    plain_entry("leave", "give up the game"),
    REMATCH,
    CommandEntry(("bot",), "!bot", "add a bot", plain("add_bot"), "add_bot"),
    CommandEntry(("unbot",), "!unbot BOT", "send a bot away", remove_bot, "remove_bot"),
)


def _headline(view: View) -> str:
    return _ended(view["game"]["result"], names_of(view)).rstrip(".")


def _moves(view: View) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = own_of(view).get("moves", [])
    return moves


def _typed_move(kind: str) -> Reader:
    """Return a reader of a typed move: the words after the name are its fields, in order."""

    def read(words: Words, view: View) -> Command:
        wanted = " ".join([kind.replace("_", " "), *words.rest]).lower()
        found = [move for move in _moves(view) if move["label"].lower() == wanted]
        if not found:
            of_kind = [move["label"] for move in _moves(view) if move["action"]["kind"] == kind]
            raise words.refuse(f"Possible: {', '.join(of_kind) or 'nothing'}.")
        return Action(found[0]["action"])

    return read


def command_of(action: type[Kinded]) -> CommandEntry:
    """Return the typed command of a kind of action, described by its docstring."""
    kind = kind_of(action)
    fields = " ".join(name.upper() for name in action.__struct_fields__)
    about = (inspect.getdoc(action) or kind).partition(".")[0]
    usage = f"!{kind} {fields}".strip()
    return CommandEntry((kind,), usage, about[:1].lower() + about[1:], _typed_move(kind), kind)


class SimpleBot:
    """A bot that makes any possible move, each as likely."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def __init__(self, rules: SimpleRules[Any]) -> None:
        self.rules = rules

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        moves = _moves(view)
        return [chance.choice(moves)["action"]] if moves else []

    def has_decision(self, state: SimpleState[Any], seat: int) -> bool:
        return seat in self.rules.pending_seats(state)

    def think_milliseconds(self, state: SimpleState[Any], seat: int, chance: Random) -> int:
        return chance.randint(*THINKING)


def simple_game(
    rules: SimpleRules[Any], *, slug: str, title: str, about: str, how: tuple[str, ...], **more: Any
) -> TableGame:
    """Return the definition of a simple game. ``how``: the rules in paragraphs. ``more``: fields of
    ``TableGame`` that differ; ``sentences`` adds to ``SENTENCES``.
    """
    sentences = {**SENTENCES, **more.pop("sentences", {})}
    kinds = get_args(rules.Action) or (rules.Action,)
    typing = Typing(
        (*TABLE_COMMANDS, *map(command_of, kinds)),
        {"status": in_game(_status), "who": who},
        {kind_of(action): _moved for action in kinds},
    )
    fields: dict[str, Any] = {
        "plural": title,
        "icon": "swords",
        "template": "games/simple.html",
        "script": "js/simple/main.js",
        "how": how,
        "numbers": (),
        "rules": {rules.version: rules},
        "speech": Speech(sentences=sentences, place_names=(title,)),
        "typing": typing,
        "lists": Lists(
            row=lambda options, _summary: {"stake": options["stake"]},
            summary=lambda _view: {},
            need=lambda state, seat: "Your turn" if seat in rules.pending_seats(state) else None,
        ),
        "bot": SimpleBot(rules),
        "replay": Replayed(
            frozenset(sentences) - frozenset(TABLE_SENTENCES), lambda _own, _names: "", _headline
        ),
    }
    return TableGame(slug=slug, title=title, about=about, **{**fields, **more})


def _status(view: View) -> Iterator[str]:
    game = view["game"]
    if game["note"]:
        yield game["note"]
    waiting = [seat["no"] for seat in game["seats"] if seat["is_awaited"]]
    yield f"Waiting for {people(waiting, names_of(view))}." if waiting else "The game is over."
    if moves := ", ".join(move["label"] for move in _moves(view)):
        yield f"You can: {moves}."


def _moved(action: Mapping[str, Any], view: View) -> str:
    labels = [move["label"] for move in _moves(view) if move["action"] == action]
    return f"{labels[0]}." if labels else "Done."
