"""Views of a finished match from any seat's eyes, or with all seats open."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from accounts.models import User
from games.engine.facts import SeatNo, as_datetime, iso
from games.engine.structs import canonical
from games.matches.journal.loading import copy_row
from games.matches.journal.snapshots import Seating, Sitter, Snapshot
from games.matches.journal.story import HeldFact
from games.matches.models import Match, Replaced, Seat
from games.matches.queries import match_view
from games.matches.queries.ratings import Scales
from games.replays.recording import Frame, Recording
from games.text.telling import FORMER

#: Views per page.
PAGE: Final = 50
#: The eyes that see the cards of all seats; else a seat, or None for a spectator's.
ALL: Final = "all"
Eyes = int | str | None

#: The fields of a view that offer actions: nobody acts in a replay.
_OFFERS: Final = frozenset({"may", "legal", "moves"})


class People(NamedTuple):
    """Those who ever sat at a match: users by id, final seats by number, and who was replaced."""

    users: Mapping[int, User]
    seats: Mapping[int, Seat]
    replaced: Sequence[Replaced]
    #: Whether its changes of rating are of an old scale.
    is_old_scale: bool


def people_of(recording: Recording) -> People:
    """Return all who ever sat at a match, with their present names: three or four queries. In a
    fixed order, for the digest: PostgreSQL moves a row that was updated.
    """
    match = recording.match
    seats = {seat.no: seat for seat in Seat.objects.filter(match=match).order_by("no")}
    replaced = list(Replaced.objects.filter(match=match).order_by("entry_no"))
    users = {user.pk: user for user in User.objects.filter(pk__in=recording.sitters).order_by("pk")}
    for each in replaced:
        each.user = users[each.user_id]
    return People(users, seats, replaced, Scales().is_old(match))


def page_of(recording: Recording, people: People, first: int, eyes: Eyes) -> dict[str, Any]:
    """Return up to 50 views, the first after entry ``first`` or the next stop; ``next`` is the
    entry of the page that follows, None after the last.
    """
    stops = [no for no, _ in recording.moments if no >= first]
    shown = stops[:PAGE]
    wanted, teller = set(shown), Teller(recording, people)
    frames = recording.frames_between(shown[0], shown[-1]) if shown else ()
    views = [
        _moment(recording, people, frame, eyes, teller) for frame in frames if frame.no in wanted
    ]
    following = stops[PAGE] if len(stops) > PAGE else None
    return {"views": views, "next": following}


def last_view(recording: Recording, people: People) -> dict[str, Any]:
    """Return what spectators saw at the last stop of a match whose game began."""
    last, _ = recording.moments[-1]
    view: dict[str, Any] = page_of(recording, people, last, None)["views"][0]["view"]
    return view


def digest_of(recording: Recording, people: People) -> str:
    """Return a digest of all that a replay's pages depend on besides the journal: names and
    portraits may change, amounts are paid once.
    """
    match = recording.match
    shown = [
        [match.public_id, match.action_count, match.title, match.void_reason],
        [[user.pk, user.username, user.avatar] for user in people.users.values()],
        [[seat.no, seat.rating_change, seat.bonus, seat.award] for seat in people.seats.values()],
        people.is_old_scale,
    ]
    return hashlib.sha256(canonical(shown).encode()).hexdigest()[:16]


class Teller:
    """Writes facts as sentences with the names of those who sat there then."""

    def __init__(self, recording: Recording, people: People) -> None:
        self._tell = recording.game.speech.tell
        self._users = people.users
        self._lines: dict[int, dict[str, Any] | None] = {}

    def names(self, users: Mapping[int, int]) -> dict[int, str]:
        return {no: self._users[user].username for no, user in users.items()}

    def log(self, heard: Iterable[HeldFact]) -> list[dict[str, Any]]:
        """Return public facts as the lines of a log."""
        lines = []
        for each in heard:
            if each.number not in self._lines:
                self._lines[each.number] = self._line(each)
            if (line := self._lines[each.number]) is not None:
                lines.append(line)
        return lines

    def secrets(self, frame: Frame) -> list[str]:
        """Return the sentences of a frame's private facts."""
        names = self.names(frame.users)
        told = [
            self._tell(fact.kind, fact.data, names)
            for fact in frame.facts
            if fact.audience is not None
        ]
        return [text for text in told if text]

    def _line(self, heard: HeldFact) -> dict[str, Any] | None:
        names = self.names(heard.users)
        if heard.former is not None:
            names[FORMER] = self._users[heard.former].username
        text = self._tell(heard.fact.kind, heard.fact.data, names)
        line = {
            "n": heard.number,
            "phase": heard.entry.phase,
            "kind": heard.fact.kind,
            "text": text,
        }
        return line if text else None


def _moment(
    recording: Recording, people: People, frame: Frame, eyes: Eyes, teller: Teller
) -> dict[str, Any]:
    seat = eyes if isinstance(eyes, int) else None
    snapshot = _snapshot(recording, people, frame)
    here = {"seats": list(frame.users), "watching": 0}
    game, you = match_view.game_part(snapshot), match_view.you_part(snapshot, seat)
    # Without a name a board would ask its viewer to log in.
    you |= {"name": you["name"] or "", "may": [], "balance": None, "stock": None}
    view = {
        **match_view.head_part(snapshot, here),
        **match_view.pace_part(snapshot),
        "log": teller.log(frame.heard),
        "you": you,
        "game": None if game is None else {**game, "you": _own(snapshot, seat)},
    }
    moment = {"no": frame.no, "at": iso(frame.at), "view": view}
    if eyes == ALL:
        moment["open"] = _open(snapshot, frame, teller)
        moment["secrets"] = teller.secrets(frame)
    return moment


def _open(snapshot: Snapshot, frame: Frame, teller: Teller) -> list[dict[str, Any]]:
    """Return what each seat holds, in words."""
    names, found = teller.names(frame.users), []
    for seat in frame.users:
        own = _own(snapshot, seat)
        text = "" if own is None else snapshot.game.replay.holding(own, names)
        if text:
            found.append({"seat": seat, "text": text})
    return found


def _own(snapshot: Snapshot, seat: int | None) -> dict[str, Any] | None:
    if seat is None or snapshot.state.play is None:
        return None
    own = snapshot.table.rules.own_view(snapshot.state.play, SeatNo(seat))
    if own is None:
        return None
    rooms = [{**room, "may_post": False} for room in own.get("rooms", ())]
    nothing: dict[str, Any] = {name: [] for name in _OFFERS & own.keys()}
    return {**own, **nothing, **({"rooms": rooms} if rooms else {})}


def _snapshot(recording: Recording, people: People, frame: Frame) -> Snapshot:
    state = frame.state
    sitters = {
        no: _sitter(people, no, user_id, is_over=state.is_finished)
        for no, user_id in frame.users.items()
    }
    return Snapshot(
        _row(recording.match, frame),
        recording.game,
        recording.table,
        state,
        {},
        recording.table.deadline(state),
        Seating(frame.users),
        sitters=sitters,
        replaced=tuple(gone for gone in people.replaced if gone.entry_no <= frame.no),
        is_old_scale=people.is_old_scale and state.is_finished,
    )


def _row(match: Match, frame: Frame) -> Match:
    """Return the match's row as it was after this entry, as far as views show it."""
    row = copy_row(match)
    row.action_count, row.at_ms, row.phase = frame.no, frame.at, frame.phase
    row.stalled_at = as_datetime(frame.at) if frame.is_stalled else None
    row.void_reason = match.void_reason if frame.state.is_finished else ""
    return row


def _sitter(people: People, no: int, user_id: int, *, is_over: bool) -> Sitter:
    user, seat = people.users[user_id], people.seats.get(no)
    if seat is None or seat.user_id != user_id:
        return Sitter(user.pk, user.username, user.is_bot, user.avatar)
    rating = seat.rating
    if rating is not None and not is_over:
        # The seat has the rating after the match.
        rating -= seat.rating_change or 0
    return Sitter(
        user.pk,
        user.username,
        user.is_bot,
        user.avatar,
        rating=rating,
        rating_change=seat.rating_change if is_over else None,
        bonus=seat.bonus if is_over else 0,
        award=(seat.award, seat.y_award) if is_over else (0, 0),
    )
