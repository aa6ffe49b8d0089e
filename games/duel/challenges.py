"""Challenges: a duel opened for one other player, by name."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import Any, Final

from django.db import transaction
from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Relation, User
from accounts.people import apart_from
from economy.sql import Compiled, Given
from games.duel import SLUG
from games.duel.words import TIES
from games.engine.errors import refusal, refuse
from games.matches import services as matches
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.participants import NotInvited
from games.matches.processing.seating import NoPrograms, unwanted_programs
from games.matches.processing.submissions import Submission
from games.matches.queries.own import Own, OwnMatch
from games.moderation import fair_play
from games.text.telling import listed, shortest_span

#: The least number of characters of a name for a search.
LEAST_PART: Final = 2
#: The limit of duels or names that a search for suggestions reads.
MET: Final = 50

#: Refusals of the name, code -> its meaning; all others are of the duel.
REFUSALS: Final = {
    "action/unknown_player": "There is no player with this name; detail: name",
    "action/several_players": "A part of a name matches more than one player; detail: name,"
    " candidates",
    "action/oneself": "A duel takes two",
    "action/plays_no_duels": "The player is a bot, or may not play at the moment; detail: name",
    "action/keeps_apart": "One of the two has blocked the other, which of them is not told; detail:"
    " name",
}


def challenge(
    *, challenger: User, name: str, options: Mapping[str, Any], at: datetime | None = None
) -> Match:
    """Open an unlisted duel with these options (``listed`` is ignored) and seat the challenger,
    ready. Raises a refusal of ``find_opponent`` or ``fair_play``, NoPrograms, action/bad_option,
    InsufficientPoints, action/too_many_tables, action/too_many_open_tables.
    """
    fair_play.require_not_frozen(challenger)
    invited = find_opponent(challenger, name)
    if options.get("rated") and unwanted_programs([challenger, invited]):
        raise NoPrograms(_why_unrated(challenger, invited), name=invited.username)
    stake = options.get("stake")
    stakes = dict.fromkeys((challenger.pk, invited.pk), stake if type(stake) is int else 0)
    now, asked = at or timezone.now(), fair_play.FairPlayBatch()
    fair_play.require_fair_company(challenger, [invited], now, asked, stakes)
    with transaction.atomic():
        match = matches.open_match(
            opened_by=challenger,
            options={**options, "listed": False},
            game=SLUG,
            invited=invited,
            at=at,
        )
        for action in ({"kind": "sit", "seat": 0}, {"kind": "ready", "configuration": 1}):
            (refusal,) = _ask(match, challenger, (action,), at)
            if refusal is not None:
                raise refusal
    return match


def find_opponent(challenger: User, name: str) -> User:
    """Return the player with this name, or the only one whose name contains it; raises one of
    code of REFUSALS.
    """
    name = name.strip()[:40]
    found = _named(challenger, name)
    if found.pk == challenger.pk:
        refuse("action/oneself", "you cannot challenge yourself")
    if found.is_bot:
        message = f"{found.username} is a bot: open a duel and ask a bot to sit down"
        refuse("action/plays_no_duels", message, name=found.username)
    if found.is_frozen:
        message = f"{found.username} may not play at the moment"
        refuse("action/plays_no_duels", message, name=found.username)
    if found.pk in apart_from(challenger.pk):
        refuse("action/keeps_apart", f"you cannot challenge {found.username}", name=found.username)
    return found


def suggestions(challenger: User, part: str, limit: int = 5) -> list[str]:
    """Return players who can be challenged and whose name contains ``part``: first those that begin
    with it; without a part, recent opponents.
    """
    if not part:
        return recent_opponents(challenger, limit)
    others = _challengeable(challenger.pk).filter(username__icontains=part)
    names = set(others.values_list("username", flat=True)[:MET])
    key = part.lower()
    return sorted(names, key=lambda name: (not name.lower().startswith(key), name.lower()))[:limit]


def _challengeable(challenger: int | Given) -> QuerySet[User]:
    blocks = Relation.objects.filter(
        Q(user=challenger, other=OuterRef("pk")) | Q(user=OuterRef("pk"), other=challenger),
        kind=Relation.Kind.BLOCK,
    )
    people = User.objects.filter(~Exists(blocks), is_active=True, is_bot=False, is_frozen=False)
    return people.exclude(pk=challenger)


def _met() -> QuerySet[User, Any]:
    challenger = Given("challenger", BigIntegerField())
    last = Match.objects.filter(game=SLUG, seats__user=challenger).order_by("-pk")[:MET]
    others = _challengeable(challenger).filter(seats__match__in=last.values("pk"))
    return others.values_list("username").distinct()[:MET]


_MET: Final = Compiled(_met)


def recent_opponents(user: User, limit: int = 5) -> list[str]:
    """Return players of the last duels who can be challenged: one query."""
    names = [name for (name,) in _MET.rows(challenger=user.pk)]
    return sorted(names, key=str.lower)[:limit]


def _named(challenger: User, name: str) -> User:
    whole = User.objects.filter(username__iexact=name, is_active=True).first()
    if whole is not None:
        return whole
    found = suggestions(challenger, name) if len(name) >= LEAST_PART else []
    if len(found) == 1:
        return User.objects.get(username=found[0])
    if found:
        candidates = listed(found)
        message = f"{name!r} could be {candidates}"
        refuse("action/several_players", message, name=name, candidates=candidates)
    message = f"there is no player called {name!r}"
    raise refusal("action/unknown_player", message, name=name)


def _why_unrated(challenger: User, invited: User) -> str:
    if challenger.is_program:
        return f"no rated games with programs for {invited.username}: play unrated"
    return "you allow no rated games with programs: play unrated, or change your settings"


@dataclass(frozen=True, slots=True)
class Standing:
    """An unanswered challenge as one of the two sees it; ``revision`` is of its options."""

    match: Match
    other: str
    terms: str
    revision: int
    is_own: bool


def standing_challenges(own: Own) -> list[Standing]:
    """Return the unanswered challenges to a user, then the user's own, the newest first."""
    # Who sits has answered; a challenger who has stood up challenges nobody any more.
    waiting = [one for one in own.matches if one.row.game == SLUG and one.is_unanswered]
    waiting.sort(key=lambda one: one.seat is not None)
    return [_standing(one) for one in waiting]


def _standing(own: OwnMatch) -> Standing:
    table, is_own = json.loads(own.row.table), own.seat is not None
    options, other = table["options"], own.invited if is_own else own.opener
    assert other is not None
    stake = f"{options['stake']} points" if options["stake"] else ""
    rated = "rated" if options["rated"] else "casual"
    clock = f"{shortest_span(options['clock_seconds'])} a throw"
    terms = f"best of {options['best_of']}, {stake or rated}, {clock}, {TIES[options['no_ties']]}"
    return Standing(own.row, other, terms, table["options_revision"], is_own)


def accept_challenge(
    *, user: User, match: Match, revision: int, salt: Mapping[str, str], at: datetime | None = None
) -> None:
    """Sit down and get ready, for the options of this revision only. After a refusal
    (IllegalAction, LedgerError) the user has no seat there.
    """
    if match.invited_id != user.pk:
        raise NotInvited("nobody challenged you here")
    ready = {"kind": "ready", "configuration": revision, **salt}
    sat, readied = _ask(match, user, ({"kind": "sit"}, ready), at)
    if sat is not None or readied is not None:
        if sat is None:
            _ask(match, user, ({"kind": "stand"},), at)
        raise sat or readied


def withdraw_challenge(*, user: User, match: Match, at: datetime | None = None) -> None:
    """Take an own challenge back: stand up. Raises NotInvited, NotInPhase, action/not_seated."""
    if match.invited_id is None or match.opened_by_id != user.pk:
        raise NotInvited("this challenge is not yours")
    (refusal,) = _ask(match, user, ({"kind": "stand"},), at)
    if refusal is not None:
        raise refusal


def _ask(
    match: Match, user: User, wanted: Sequence[Mapping[str, Any]], at: datetime | None
) -> list[Any]:
    """Submit actions in one batch; return their refusals."""
    batch = [
        Submission(match.pk, action, f"challenge-{token_hex(8)}", user.pk) for action in wanted
    ]
    return [answer.error for answer in writing.apply(batch, at).answers]


def decline_challenge(*, user: User, match: Match, at: datetime | None = None) -> None:
    """Close the challenge's table; again does nothing. Raises NotInvited, NotInPhase once the duel
    has begun.
    """
    if match.invited_id is None or match.invited_id != user.pk:
        raise NotInvited("nobody challenged you here")
    matches.decline(match, at)
