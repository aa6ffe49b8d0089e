"""Challenges: a duel that is opened for one other player, by name.

Source: docs/duels.md "Challenges".
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.duel import SLUG
from games.kernel.errors import IllegalAction, NotInPhase
from games.models import Match
from games.play import repair, writing
from games.play.guests import NotInvited
from games.play.submissions import Submission
from games.services import fair_play, matches


class UnknownPlayer(IllegalAction):
    """There is no player of this name; detail: name."""

    code: ClassVar[str] = "action/unknown_player"


class ChallengesOneself(IllegalAction):
    """A duel takes two."""

    code: ClassVar[str] = "action/oneself"


class PlaysNoDuels(IllegalAction):
    """The player is a bot, or may not play at the moment; detail: name."""

    code: ClassVar[str] = "action/plays_no_duels"


def challenge(
    *, challenger: User, name: str, options: Mapping[str, Any], at: datetime | None = None
) -> Match:
    """Open an unlisted duel for two named players; the challenger sits there, ready.

    Args:
        name: of the player who is challenged, in any case.
        options: what the challenger chose; ``listed`` is not.

    Raises:
        UnknownPlayer, ChallengesOneself, PlaysNoDuels: nobody can be challenged by this name.
        BadOption: an option is unknown or out of its limits.
        InsufficientPoints: the challenger cannot pay the stake.
        AccountFrozen, SameDevice, LostEnough, CoolingDown: see ``fair_play``.
        TooManyTables, TooManyOpenTables: the challenger has enough of them.
    """
    fair_play.require_not_frozen(challenger)
    invited = find_opponent(challenger, name)
    fair_play.require_fair_company(challenger, [invited], at or timezone.now(), fair_play.Asked())
    with transaction.atomic():
        match = matches.open_match(
            opened_by=challenger,
            options={**options, "listed": False},
            game=SLUG,
            invited=invited,
            at=at,
        )
        for action in ({"kind": "sit", "seat": 0}, {"kind": "ready", "configuration": 1}):
            action_id = f"challenge-{secrets.token_hex(8)}"
            answer = repair.apply(
                [Submission(match.pk, action, action_id, challenger.pk)], at
            ).answers[0]
            if answer.error is not None:
                raise answer.error
    return match


def find_opponent(challenger: User, name: str) -> User:
    """Return the player of this name, if that one can be challenged.

    Raises:
        UnknownPlayer, ChallengesOneself, PlaysNoDuels: there is none, or not for this.
    """
    name = name.strip()[:40]
    found = User.objects.filter(username__iexact=name, is_active=True).first()
    if found is None:
        raise UnknownPlayer(f"there is no player called {name!r}", name=name)
    if found.pk == challenger.pk:
        raise ChallengesOneself("you cannot challenge yourself")
    if found.is_bot:
        message = f"{found.username} is a bot: open a duel and ask a bot to sit down"
        raise PlaysNoDuels(message, name=found.username)
    if found.is_frozen:
        raise PlaysNoDuels(f"{found.username} may not play at the moment", name=found.username)
    return found


def decline_challenge(*, user: User, match: Match, at: datetime | None = None) -> None:
    """End the table of a challenge, as the one who was challenged.

    Declining again does nothing.

    Raises:
        NotInvited: somebody else was challenged, or nobody.
        NotInPhase: the duel has begun, or the table is closed.
    """
    if match.invited_id is None or match.invited_id != user.pk:
        raise NotInvited("nobody challenged you here")
    declining = writing.house(match.pk, "void", "declined", reason="declined")
    with transaction.atomic():
        # Locked, so that it cannot begin in between: nobody gets out of a running duel like this.
        locked = Match.objects.select_for_update().get(pk=match.pk)
        if locked.status not in (Match.Status.OPEN, Match.Status.CLOSED):
            raise NotInPhase("this duel has begun")
        error = repair.apply([declining], at).answers[0].error
        if error is not None:
            raise error
