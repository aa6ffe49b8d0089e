"""The referee: any game on a pipe, JSON lines in, JSON lines out, no database.

In:   ``{"setup": {"options": {…}, "seats": 3, "seed": "…", "at": "…"}}``, where
      ``seats`` may also be ``[{"no": 0, "purse": 50}, …]``, then
      ``{"seat": 0, "action": {…}, "at": "…"}`` · ``{"deadline": true, "at": "…"}`` ·
      ``{"postpone": "…"}`` · ``{"void": true}`` ·
      ``{"legal": 0}`` · ``{"view": 0}``, ``{"view": null}`` · ``{"state": true}``
Out:  ``{"events": […], "views": {"0": …, "spectator": …}, "due_at": …, "over": …,
      "outcome": …}``, or the requested value, or ``{"error": {"code": …,
      "message": …, "detail": {…}}}``; one line each.

A game without ``Rules`` for a table never ends: it is never ``over`` and cannot be postponed or
voided; its ``seats`` are the initial participants.
Instants are ISO 8601 with a zone, or whole milliseconds since 1970; without
``at`` an action has the instant of the last one, a deadline its due instant.
Source: docs/how-to/add-a-game.md, "The referee".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from msgspec import UNSET

from games.engine.choices import clean_options
from games.engine.errors import BadField, IllegalAction, NotInPhase
from games.engine.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Told, Viewer, iso
from games.engine.protocols import Engine, is_for_seats
from games.engine.structs import canonical, plain, reader_of
from tools.referee.requests import (
    MOST_SEATS,
    Act,
    CallOff,
    GameAsked,
    LetPass,
    ListLegal,
    Look,
    PutOff,
    Request,
    SetUp,
    TellState,
    moment_of,
    read_request,
    seats_of,
)

Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress on the pipe."""

    state: Any
    seats: tuple[SeatNo, ...]
    at: Instant


class Referee:
    """Answer requests line by line; a refused line changes nothing."""

    def __init__(self, rules: Engine[Any]) -> None:
        self.rules = rules
        self.game: Game | None = None

    def answer(self, line: str | bytes) -> Reply:
        """Answer one line; the answer to any input is a reply or an error."""
        try:
            request = read_request(line)
            return ANSWERS[type(request)](self, request)
        except IllegalAction as error:
            return refusal(error)

    def set_up(self, request: SetUp) -> Reply:
        """Begin a game and drop the previous one."""
        asked = request.setup
        options = clean_options(self.rules.Options, asked.options)
        seats = self._seats(asked, options)
        at = moment_of(asked.at)
        try:
            step = self.rules.setup(options, seats, asked.seed, at)
        except ValueError as error:
            raise BadField(str(error), field="seats") from error
        return self._take(step, at, tuple(seat.no for seat in seats))

    def act(self, request: Act) -> Reply:
        """Apply a seat's action."""
        game = self._running()
        at = game.at if request.at is UNSET else moment_of(request.at)
        action = self._read_action(request)
        return self._take(self.rules.apply(game.state, SeatNo(request.seat), action, at), at)

    def let_pass(self, request: LetPass) -> Reply:
        """Apply the deadline."""
        game = self._running()
        due_at = self.rules.deadline(game.state)
        last = game.at if due_at is None else due_at
        at = last if request.at is UNSET else moment_of(request.at)
        return self._take(self.rules.on_deadline(game.state, at), at)

    def put_off(self, request: PutOff) -> Reply:
        """Postpone the deadline."""
        game = self._running()
        due_at = moment_of(request.postpone, "postpone")
        if not is_for_seats(self.rules):
            raise NotInPhase("the clock of this game is never put off")
        return self._take(self.rules.postpone(game.state, due_at), game.at)

    def call_off(self, request: CallOff) -> Reply:
        """Void the game and return all points."""
        game = self._running()
        if not is_for_seats(self.rules):
            raise NotInPhase("this game is never called off")
        return self._take(self.rules.void(game.state), game.at)

    def list_legal(self, request: ListLegal) -> Reply:
        """List a seat's legal actions."""
        found = self.rules.legal_actions(self._running().state, SeatNo(request.legal))
        return {"legal": [plain(action) for action in found]}

    def look(self, request: Look) -> Reply:
        """Return the view of a seat or of a spectator."""
        viewer = SPECTATOR if request.view is None else Viewer(SeatNo(request.view))
        return {"view": self.rules.view(self._running().state, viewer)}

    def tell_state(self, request: TellState) -> Reply:
        """Return the whole state."""
        return {"state": canonical(self._running().state)}

    def _seats(self, asked: GameAsked, options: Any) -> list[SeatSetup]:
        if not is_for_seats(self.rules):
            return seats_of(asked, MOST_SEATS, 0)
        _, largest = self.rules.purse_limits(options)
        return seats_of(asked, options.seats, largest)

    def _read_action(self, request: Act) -> Any:
        try:
            return reader_of(self.rules.Action).given(request.action)
        except BadField as error:
            # An action that is not a map has no field name of its own for the error.
            if error.detail.get("field") == "":
                error.detail["field"] = "action"
            raise

    def _running(self) -> Game:
        if self.game is None:
            raise NotInPhase("set a game up first")
        return self.game

    def _take(self, step: Step[Any], at: Instant, seats: tuple[SeatNo, ...] = ()) -> Reply:
        """Store the new state; return the facts and all views."""
        self.game = Game(step.state, seats or self._running().seats, at)
        due_at = self.rules.deadline(step.state)
        return {
            "events": [fact_as_dict(told) for told in step.events],
            "views": self._views(),
            "due_at": None if due_at is None else iso(due_at),
            **self._end(step.state),
        }

    def _end(self, state: Any) -> Reply:
        if not is_for_seats(self.rules):
            return {"over": False, "outcome": None}
        outcome = self.rules.outcome(state)
        return {
            "over": self.rules.is_over(state),
            "outcome": {str(seat): plain(result) for seat, result in outcome.items()} or None,
        }

    def _views(self) -> dict[str, Any]:
        game = self._running()
        views = {str(no): self.rules.view(game.state, Viewer(no)) for no in game.seats}
        return {**views, "spectator": self.rules.view(game.state, SPECTATOR)}


#: Request type -> its handler.
ANSWERS: Final[Mapping[type[Request], Callable[[Referee, Any], Reply]]] = {
    SetUp: Referee.set_up,
    Act: Referee.act,
    LetPass: Referee.let_pass,
    PutOff: Referee.put_off,
    CallOff: Referee.call_off,
    ListLegal: Referee.list_legal,
    Look: Referee.look,
    TellState: Referee.tell_state,
}


def answer_lines(rules: Engine[Any], lines: Iterable[str | bytes]) -> Iterator[str]:
    """Answer every line that is not blank with one line of canonical JSON."""
    referee = Referee(rules)
    for line in lines:
        if line.strip():
            yield canonical(referee.answer(line))


def transcribe(rules: Engine[Any], lines: Iterable[str]) -> Iterator[str]:
    """Write a game as text: each request, its events, and every viewer's view after it. Lines of an
    earlier transcript may be given: only requests (which start with "{") are read.  A spectator's
    line names the changes; a seat's line the differences from the spectator's view.
    """
    referee = Referee(rules)
    shown: Reply = {}
    for line in lines:
        if line.startswith("{"):
            reply = referee.answer(line)
            yield line.rstrip("\n")
            yield from _transcript(reply, shown)
            shown = reply.get("views", {}).get("spectator", shown)


def _transcript(reply: Reply, shown: Reply) -> Iterator[str]:
    if "views" not in reply:
        yield f"    {canonical(reply)}"
        return
    for event in reply["events"]:
        audience = "all" if event["audience"] is None else f"seats {event['audience']}"
        yield f"    {event['kind']} {canonical(event['data'])} to {audience}"
    views = dict(reply["views"])
    spectator = views.pop("spectator")
    for seat, view in views.items():
        yield f"    seat {seat} sees {canonical(_difference(view, spectator))}"
    yield f"    spectator sees {canonical(_difference(spectator, shown))}"


def _difference(view: Reply, other: Reply) -> Reply:
    return {key: value for key, value in view.items() if key not in other or other[key] != value}


def fact_as_dict(told: Told) -> dict[str, Any]:
    """Convert a fact and its audience to a dict: None for everybody, else the seats in order."""
    audience = None if told.audience is None else sorted(told.audience)
    return {"kind": told.kind, "data": dict(told.data), "audience": audience}


def refusal(error: IllegalAction) -> Reply:
    """Convert a refusal to its wire form."""
    return {"error": {"code": error.code, "message": error.message, "detail": error.detail}}
