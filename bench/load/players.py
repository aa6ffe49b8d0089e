"""People at tables: they think, act as the view allows, and sometimes talk."""

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from bench import sitter
from bench.load.client import Client, Head, Person, World

LIVE: Final = ("open", "running")
HANDS: Final = ("rock", "paper", "scissors")
LINES: Final = ("Good luck.", "Well played.", "Who was that?", "I am not so sure.")


class Room(msgspec.Struct):
    """A room of a town."""

    room: str
    may_post: bool


class You(sitter.You):
    """The viewer's seat; a Mafia game has more fields."""

    is_alive: bool = True
    target: int | str | None = None
    mates: list[int] | None = None
    rooms: list[Room] = []


class Citizen(msgspec.Struct):
    """A seat of a town; other games' seats have some of these fields."""

    no: int = 0
    is_alive: bool = True
    vote: int | str | None = None


class Game(sitter.Game):
    """The game's part of a view; of a town also its seats and the votes."""

    you: You | None = None
    seats: list[Citizen] = []
    tally: list[tuple[int | str, int]] = []


class View(sitter.View):
    """The decoded part of a view."""

    game: Game | None = None


class Frame(Head):
    """A frame with a view."""

    view: View | None = None


Action = Mapping[str, Any] | msgspec.Raw | None


class Kind(msgspec.Struct):
    """The kind of an encoded action."""

    kind: str


class Player(Client):
    """A person at a table.

    ``began`` is called with each view of a running game, ``over`` when the match has ended.
    """

    read = msgspec.json.Decoder(Frame).decode

    def __init__(self, world: World, person: Person, path: str, game: str) -> None:
        super().__init__(world, person, path)
        self.game = game
        self.turns = 0
        self.view: View | None = None
        self.began: Callable[[], None] = lambda: None
        self.over: Callable[[], None] = lambda: None
        self._is_thinking = False
        #: The view of the last action, and the one whose action was refused.
        self._acted_at: View | None = None
        self._refused_at: View | None = None

    def look(self, frame: Frame) -> None:
        """Keep the view, and act if it is possible and nothing is unanswered."""
        if frame.view is not None:
            self.view = frame.view
            if self.view.game is not None:
                self.began()
            if self.view.match.status not in LIVE:
                self.over()
        elif frame.type == "error" and frame.code != "busy":
            self._refused_at = self._acted_at
        elif frame.type == "now":
            # With a heartbeat: at a quiet table no view would come.
            self._refused_at = None
        if not self._is_thinking and self._wish() is not None:
            self._is_thinking = True
            asyncio.get_running_loop().call_later(self.world.pause(), self._act)

    def _act(self) -> None:
        self._is_thinking = False
        wish, view = self._wish(), self.view
        if wish is None or view is None:
            return
        self.turns += 1
        self._acted_at = view
        if random.random() < self.world.talk and self._talk(view):
            return
        kind = msgspec.json.decode(wish, type=Kind).kind if isinstance(wish, bytes) else ""
        self.act(self.world.label(f"{self.game} {kind}"), view.phase, msgspec.Raw(wish))

    def _wish(self) -> bytes | None:
        """Return the next action, None if there is none now."""
        view = self.view
        if view is None or view is self._refused_at or self.unanswered or self._is_closed:
            return None
        if not self.world.is_acting:
            return None
        if view.you.seat is None and view.game is None:
            return b'{"kind":"sit"}' if "sit" in view.you.may else None
        if "ready" in view.you.may and "unready" not in view.you.may:
            return b'{"kind":"ready","configuration":%d}' % view.match.options_revision
        if view.game is None or view.game.you is None:
            return None
        return DECIDE[self.game](self, view)

    def _talk(self, view: View) -> bool:
        """Say a line at the table, or post it in a room of the town."""
        line = random.choice(LINES)
        own = view.game.you if view.game else None
        rooms = [each.room for each in own.rooms if each.may_post] if own else []
        if own is not None and "post" in own.may and rooms:
            action = {"kind": "post", "room": random.choice(rooms), "text": line}
            self.act(f"{self.game} post", view.phase, action)
        elif self.game in ("duel", "showdown"):
            self.send(f"{self.game} say", {"type": "say", "room": "table", "text": line})
        else:
            return False
        return True


def throw(player: Player, view: View) -> bytes | None:
    """Throw a hand at random."""
    own = view.game.you if view.game else None
    if own is None or "throw" not in own.legal or own.hand is not None:
        return None
    return b'{"kind":"throw","hand":"%s"}' % random.choice(HANDS).encode()


def act_in_town(player: Player, view: View) -> bytes | None:
    """Choose anybody else by night; by day vote as most do, so that a day ends; check in."""
    game, seat = view.game, view.you.seat
    own = game.you if game else None
    if game is None or own is None or not own.is_alive or seat is None:
        return None
    foes = [each.no for each in game.seats if each.is_alive and each.no != seat]
    strangers = [no for no in foes if no not in (own.mates or ())]
    for kind, key, targets in (("choose", "target", foes), ("confront", "target", strangers)):
        if kind in own.may and own.target is None and targets:
            return msgspec.json.encode({"kind": kind, key: random.choice(targets)})
    if "vote" in own.may and (choice := _vote(game, seat, foes)) is not None:
        return b'{"kind":"vote","choice":%d}' % choice
    return b'{"kind":"done"}' if "done" in own.may else None


def _vote(game: Game, seat: int, foes: list[int]) -> int | None:
    """Return whom to vote for: anybody first, then the leader if that has more votes."""
    votes = {no: (count, -no) for no, count in game.tally if isinstance(no, int) and no in foes}
    own = game.seats[seat].vote
    leader = max(votes, key=lambda no: votes[no], default=None)
    if own is None:
        return leader if leader is not None else random.choice(foes)
    mine = votes.get(own, (0, 0)) if isinstance(own, int) else (0, 0)
    return leader if leader is not None and votes[leader] > mine else None


DECIDE: Final[dict[str, Callable[[Any, Any], bytes | None]]] = {
    "duel": throw,
    "showdown": sitter.play_showdown,
    "agora": act_in_town,
    "dynamite": act_in_town,
    "practice": throw,
}
