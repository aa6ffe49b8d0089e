"""Looks of administrators at a live match's secrets: recorded, barred from play, published."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

import msgspec
from django.db import transaction
from msgspec import UNSET
from msgspec.structs import FieldInfo, fields

from accounts.models import User
from economy.records import LOOKED, actor_of, has_looked_at, looks_at, write_record
from economy.transfers import match_owner, user_owner
from games.engine.errors import IllegalAction
from games.engine.facts import SeatNo, instant
from games.engine.structs import SECRET, SeatGiven
from games.engine.table.actions import SEATING_KINDS
from games.matches.journal.loading import standing_of
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import AcceptedAction, LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.processing.submissions import OnlyHere, Submission

TOLD = "secrets_looked_at"


class HasLooked(OnlyHere, IllegalAction):
    """The user has seen the secrets of this match, so cannot play in it."""

    code = "forbidden"


class PlaysHere(IllegalAction):
    """The user plays in this match, so cannot see its secrets."""

    code = "forbidden"


def look_at(actor: User, match_id: int, reason: str) -> str:
    """Record a look at a live match's hidden state and return it in words, with the seed. Raises
    PlaysHere, ValueError if the match is over.
    """
    with transaction.atomic():
        match = note_look(actor, match_id, reason)
        cached = standing_of(match)
    names = dict(match.seats.values_list("no", "user__username"))
    return f"seed: {match.seed}\n{hidden_in_words(cached.state.play, names)}".strip()


def note_look(actor: User, match_id: int, reason: str) -> Match:
    """Record a look and return the match, locked; call in a transaction. Raises as ``look_at``."""
    # Locked, so that nobody can sit down in between.
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if not match.is_live:
        raise ValueError("a match that is over hides nothing")
    require_not_playing(match, actor)
    write_record(actor_of(actor), LOOKED, match_owner(match_id), reason=reason)
    return match


def require_not_playing(match: Match, actor: User) -> None:
    if Seat.objects.filter(match=match, user=actor).exists():
        raise PlaysHere("you play here")


class Looks(Reaction):
    """Bars users who have looked at the secrets from the match; publishes the looks at its end."""

    kinds = SEATING_KINDS

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse a user who has looked; raises HasLooked. One query, only for staff and on sitting
        down, where everybody is checked, in case they were staff.
        """
        if submission.action.get("kind") not in SEATING_KINDS and not user.is_staff:
            return
        if has_looked_at(user_owner(user.pk), match_owner(locked.match.pk)):
            raise HasLooked("you have looked at what this match hides")

    def closed(self, locked: LockedMatch) -> None:
        """Write to the match's log which administrators looked at its secrets, and why."""
        if any(told.kind == TOLD for told in locked.told):
            return
        looks = [
            [look.actor_name, instant(look.at), look.reason]
            for look in looks_at(match_owner(locked.match.pk))
        ]
        if looks:
            action = {"kind": "looked", "looks": looks}
            locked.keep(
                locked.table.apply_house(locked.state, action, locked.at), AcceptedAction(action)
            )


#: The types of a seat's number.
SEATS: Final = (SeatNo, SeatGiven)
#: Values that say that there is nothing.
_NOTHING: Final = (None, UNSET, False, 0, "", ())


def hidden_in_words(play: Any, names: Mapping[int, str]) -> str:
    """Return a line for each seat with secrets, and one for each secret of the whole game. The
    types of the state, None before the start, say what is secret and what is a seat.
    """
    return "\n".join(() if play is None else _lines(play, names))


def _lines(play: Any, names: Mapping[int, str]) -> Iterator[str]:
    for field in fields(play):
        value = getattr(play, field.name)
        if field.name != "seed" and _is_told(field, value):
            yield f"{_words(field.name)}: {_told(value, field.type, names)}"
        for each in value if isinstance(value, tuple) else ():
            if isinstance(each, msgspec.Struct) and "no" in each.__struct_fields__:
                yield f"{_seat(each, names)}: {_secrets(each, names) or 'nothing'}"


def _seat(seat: Any, names: Mapping[int, str]) -> str:
    return f"seat {seat.no + 1} {names.get(seat.no, '')}".strip()


def _secrets(seat: Any, names: Mapping[int, str]) -> str:
    inherited = getattr(type(seat).__base__, "__struct_fields__", ())
    found = [field for field in fields(seat) if _is_told(field, getattr(seat, field.name))]
    # What the game's own seat adds, such as a role, comes first.
    found.sort(key=lambda field: field.name in inherited)
    return ", ".join(
        f"{_words(field.name)} {_told(getattr(seat, field.name), field.type, names)}"
        for field in found
    )


def _is_told(field: FieldInfo, value: Any) -> bool:
    """Whether a field is secret and says something; a seat's number 0 does."""
    if SECRET not in getattr(field.type, "__metadata__", ()):
        return False
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value not in _NOTHING or (is_number and _may_be_seat(_bare(field.type)))


def _words(name: str) -> str:
    return name.removeprefix("is_").replace("_", " ")


def _bare(kind: Any) -> Any:
    """Return a type without what annotates it, but a seat's type as it is."""
    return kind.__origin__ if hasattr(kind, "__metadata__") and kind not in SEATS else kind


def _may_be_seat(kind: Any) -> bool:
    return any(each in SEATS for each in (kind, *get_args(kind)))


def _told(value: Any, kind: Any, names: Mapping[int, str]) -> str:
    """Return a value by its type: names for seats, words for the rest."""
    kind = _bare(kind)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return names.get(value, f"seat {value + 1}") if _may_be_seat(kind) else str(value)
    if not isinstance(value, tuple):
        return str(value)
    parts = get_args(kind)
    if len(parts) == 2 and parts[1] is Ellipsis:
        return "; ".join(_told(each, parts[0], names) for each in value)
    each_kind = parts or [Any] * len(value)
    return " ".join(_told(each, its, names) for each, its in zip(value, each_kind, strict=True))
