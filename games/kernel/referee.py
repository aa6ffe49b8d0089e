"""Any game on a pipe: JSON lines in, JSON lines out, no database.

In:   ``{"setup": {"options": {…}, "seats": 3, "seed": "…", "at": "…"}}``, where
      ``seats`` may also be ``[{"no": 0, "purse": 50}, …]``, then
      ``{"seat": 0, "action": {…}, "at": "…"}`` · ``{"deadline": true, "at": "…"}`` ·
      ``{"postpone": "…"}`` · ``{"void": true}`` ·
      ``{"legal": 0}`` · ``{"view": 0}``, ``{"view": null}`` · ``{"state": true}``
Out:  ``{"events": […], "views": {"0": …, "spectator": …}, "due_at": …, "over": …,
      "outcome": …}``, or the thing asked for, or ``{"error": {"code": …,
      "message": …, "detail": {…}}}``; one line each.

Instants are ISO 8601 with a zone, or whole milliseconds since 1970; without
``at`` an action comes at the instant of the last one, a deadline when it is due.

Source: docs/adding-a-game.md, "The referee".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.kernel.errors import BadField, IllegalAction, NotInPhase
from games.kernel.facts import (
    SPECTATOR,
    Event,
    Instant,
    Rules,
    SeatNo,
    Step,
    Viewer,
    canonical,
    iso,
)
from games.kernel.requests import (
    BadEnvelope,
    parse_instant,
    parse_line,
    read_map,
    read_seat_no,
    read_seats,
    require_only,
    require_true,
)

Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress on the pipe."""

    state: Any
    seats: tuple[SeatNo, ...]
    at: Instant


class Referee:
    """Answers one line after another; a refused line changes nothing."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.game: Game | None = None
        self._requests: Mapping[str, Callable[[Mapping[str, Any]], Reply]] = {
            "setup": self._setup,
            "seat": self._act,
            "deadline": self._deadline,
            "postpone": self._postpone,
            "void": self._void,
            "legal": self._legal,
            "view": self._view,
            "state": self._state,
        }

    def answer(self, line: str | bytes) -> Reply:
        """Answer one line; whatever it holds, the answer is a reply or an error."""
        try:
            return self._answer(parse_line(line))
        except IllegalAction as error:
            return refusal(error)

    def _answer(self, request: Mapping[str, Any]) -> Reply:
        for name, handle in self._requests.items():
            if name in request:
                return handle(request)
        raise BadEnvelope(f"one of these is needed: {', '.join(self._requests)}")

    def _setup(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"setup"})
        asked = read_map(request, "setup")
        require_only(asked, {"options", "seats", "seed", "at"})
        options = self.rules.clean_options(read_map(asked, "options") if "options" in asked else {})
        _, largest = self.rules.purse_limits(options)
        seats = read_seats(asked.get("seats"), options["seats"], largest)
        at = parse_instant(asked.get("at", 0), "at")
        seed = asked.get("seed")
        if type(seed) is not str:
            raise BadField("a seed is a text", field="seed")
        try:
            step = self.rules.setup(options, seats, seed, at)
        except ValueError as error:
            raise BadField(str(error), field="seats") from error
        return self._take(step, at, tuple(seat.no for seat in seats))

    def _act(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"seat", "action", "at"})
        game = self._running()
        at = parse_instant(request.get("at", game.at), "at")
        action = self.rules.decode_action(read_map(request, "action"))
        seat = read_seat_no(request["seat"])
        return self._take(self.rules.apply(game.state, seat, action, at), at)

    def _deadline(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"deadline", "at"})
        require_true(request, "deadline")
        game = self._running()
        due_at = self.rules.deadline(game.state)
        at = parse_instant(request.get("at", game.at if due_at is None else due_at), "at")
        return self._take(self.rules.on_deadline(game.state, at), at)

    def _postpone(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"postpone"})
        game = self._running()
        due_at = parse_instant(request["postpone"], "postpone")
        return self._take(self.rules.postpone(game.state, due_at), game.at)

    def _void(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"void"})
        require_true(request, "void")
        game = self._running()
        return self._take(self.rules.void(game.state), game.at)

    def _legal(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"legal"})
        found = self.rules.legal_actions(self._running().state, read_seat_no(request["legal"]))
        return {"legal": [self.rules.encode_action(action) for action in found]}

    def _view(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"view"})
        asked = request["view"]
        viewer = SPECTATOR if asked is None else Viewer(read_seat_no(asked, "view"))
        return {"view": self.rules.view(self._running().state, viewer)}

    def _state(self, request: Mapping[str, Any]) -> Reply:
        require_only(request, {"state"})
        require_true(request, "state")
        return {"state": self.rules.encode_state(self._running().state)}

    def _running(self) -> Game:
        if self.game is None:
            raise NotInPhase("set a game up first")
        return self.game

    def _take(self, step: Step[Any], at: Instant, seats: tuple[SeatNo, ...] = ()) -> Reply:
        """Keep the new state and tell what happened and what everybody now sees."""
        self.game = Game(step.state, seats or self._running().seats, at)
        due_at = self.rules.deadline(step.state)
        outcome = self.rules.outcome(step.state)
        return {
            "events": [event_as_dict(event) for event in step.events],
            "views": self._views(),
            "due_at": None if due_at is None else iso(due_at),
            "over": self.rules.is_over(step.state),
            "outcome": {str(seat): result for seat, result in outcome.items()} or None,
        }

    def _views(self) -> dict[str, Any]:
        game = self._running()
        views = {str(no): self.rules.view(game.state, Viewer(no)) for no in game.seats}
        return {**views, "spectator": self.rules.view(game.state, SPECTATOR)}


def answer_lines(rules: Rules[Any], lines: Iterable[str | bytes]) -> Iterator[str]:
    """Answer every line that is not blank with one line of canonical JSON."""
    referee = Referee(rules)
    for line in lines:
        if line.strip():
            yield canonical(referee.answer(line))


def transcribe(rules: Rules[Any], lines: Iterable[str]) -> Iterator[str]:
    """Write a game as text: each request, its events, and what every viewer then sees.

    Lines of an earlier transcript may be given: only requests (which start
    with "{") are read.  A spectator's line names what changed; a seat's line
    what differs from the spectator's view.
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


def event_as_dict(event: Event) -> dict[str, Any]:
    """Write an event with its audience: None for everybody, else the seats in order."""
    audience = None if event.audience is None else sorted(event.audience)
    return {"kind": event.kind, "data": dict(event.data), "audience": audience}


def refusal(error: IllegalAction) -> Reply:
    """Write a refusal as it goes over the wire."""
    return {"error": {"code": error.code, "message": error.message, "detail": error.detail}}
