"""Payments of the house for more than one game, each once: prizes, referrals, grants."""

import json
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import UNSETTLED, User
from economy.payouts import Payout, extend_grant, paid_to, pay
from economy.selectors import grant_after, settings_starting
from economy.transfers import TransferCode
from games import registry
from games.engine.table.actions import PERSON_KINDS
from games.matches.journal.reading import Sought, find_entries
from games.matches.models import Match, PrizeWeek, Seat, of_match
from games.matches.queries.losses import finished_seats, midnight_before
from games.moderation import flags
from games.standings import boards

log = logging.getLogger(__name__)

#: The delay after a week until its last game is surely committed.
SETTLING = timedelta(minutes=10)
#: The time after a game in which it brings a part of the grant; later the next game does.
GRANTED: Final = timedelta(hours=1)
#: The most new players checked in one run.
MOST_NEWCOMERS = 200


def pay_prizes(at: datetime | None = None) -> list[str]:
    """Pay the prizes of every week that is over and not decided; return those weeks. The first run
    ever begins with the week before it.
    """
    at = at or timezone.now()
    return [week for week in _undecided_weeks(at) if _decide(week, at)]


def pay_referrals(at: datetime | None = None) -> int:
    """Pay the inviters of new players with enough finished games; return how many. One at the daily
    limit is paid the next day.
    """
    at = at or timezone.now()
    numbers = settings_starting("referral.")
    return sum(
        _settle_referral(newcomer, numbers, at)
        for newcomer in _newcomers(numbers["referral.games"])
    )


def pay_grants(at: datetime | None = None) -> int:
    """Pay new players what their grant has come to by finished games; return points."""
    at = at or timezone.now()
    numbers = settings_starting("grant.")
    if grant_after(0) == numbers["grant.signup"]:
        return 0
    since = at - timedelta(days=numbers["grant.days"])
    lately = finished_seats(at - GRANTED).filter(has_played=True)
    new = User.objects.filter(date_joined__gte=since, is_active=True, is_frozen=False)
    people = new.filter(is_bot=False, is_program=False, pk__in=lately.values("user"))
    return sum(extend_grant(user.pk, people_met(user.pk), at) for user in people.order_by("pk"))


def people_met(user_id: int) -> int:
    """Count the people with whom a user has finished a game, without those of the same device."""
    played = Seat.objects.filter(of_match(status=Match.Status.OVER), has_played=True)
    others = played.filter(match__in=played.filter(user=user_id).values("match"))
    met = set(others.filter(user__is_bot=False).values_list("user", flat=True)) - {user_id}
    return len(met - company_of(user_id, met).by_device)


def has_finished_game(user_id: int, since: datetime | None) -> bool:
    """Whether a user has played a game to its end since an instant, None: ever."""
    after = {} if since is None else {"ended_at__gt": since}
    over = of_match(status=Match.Status.OVER, **after)
    return Seat.objects.filter(over, user=user_id, has_played=True).exists()


def _undecided_weeks(at: datetime) -> Iterator[str]:
    this_week = boards.week_of(at - SETTLING)
    last = PrizeWeek.objects.order_by("-week").values_list("week", flat=True).first()
    week = boards.week_after(last) if last else boards.week_after(this_week, -1)
    while week < this_week:
        yield week
        week = boards.week_after(week)


def _decide(week: str, at: datetime) -> bool:
    """Pay one week's prizes and mark it decided; only one of several processes succeeds."""
    monday = boards.beginning_of(week)
    # The flags first, so that flagged winnings do not count.
    flags.look_for_grants([monday + timedelta(days=day) for day in range(7)], at)
    payouts = week_payouts(week)
    try:
        with transaction.atomic():
            if payouts:
                pay(payouts, at)
            PrizeWeek.objects.create(week=week, decided_at=at)
    except IntegrityError:
        log.info("the prizes of %s are decided already", week)
        return False
    return True


def week_payouts(week: str) -> list[Payout]:
    """Return the prizes of a week, to users who are not frozen, with enough games and a net win."""
    least = settings_starting("prizes.")["prizes.least_games"]
    frozen = set(User.objects.filter(is_frozen=True).values_list("pk", flat=True))
    ranked = [
        row for row in boards.standings(week, least) if row.net > 0 and row.user_id not in frozen
    ]
    cause = boards.week_cause(week)
    return [
        Payout(f"prize:{week}:{place}", row.user_id, amount, TransferCode.PRIZE, cause)
        for place, (row, amount) in enumerate(zip(ranked, boards.amounts(), strict=False), start=1)
        if amount
    ]


def _newcomers(least_games: int) -> list[User]:
    """Return invited players with enough finished games whose inviter has not been paid."""
    over = Q(seats__match__status=Match.Status.OVER, seats__match__is_staked=True)
    waiting = User.objects.filter(UNSETTLED)
    waiting = waiting.filter(is_bot=False, is_program=False)
    waiting = waiting.filter(invited_by__is_frozen=False, invited_by__is_active=True)
    games = waiting.annotate(games=Count("seats", filter=over)).filter(games__gte=least_games)
    return list(games.order_by("pk")[:MOST_NEWCOMERS])


def _settle_referral(newcomer: User, numbers: dict[str, int], at: datetime) -> bool:
    """Pay the inviter, or mark that nothing is to pay; return whether a payment was made."""
    inviter_id = newcomer.invited_by_id
    if inviter_id is None or games_played(newcomer.pk) < numbers["referral.games"]:
        return False
    amount = numbers["referral.amount"]
    unsettled = User.objects.filter(pk=newcomer.pk)
    if not amount or company_of(inviter_id, [newcomer.pk]).by_device:
        unsettled.update(referral_settled_at=at)
        return False

    def has_room() -> bool:
        paid, _ = paid_to(inviter_id, TransferCode.REFERRAL, midnight_before(at))
        return paid < numbers["referral.daily"]

    key = f"referral:{newcomer.pk}"
    payout = Payout(key, inviter_id, amount, TransferCode.REFERRAL, f"user:{newcomer.pk}")
    with transaction.atomic():
        is_paid = pay([payout], at, has_room)
        if is_paid:
            unsettled.update(referral_settled_at=at)
    return is_paid


def games_played(user_id: int) -> int:
    """Count a user's finished games for points with enough throws or turns."""
    least = settings_starting("referral.")["referral.turns"]
    over = of_match(
        status=Match.Status.OVER,
        game__in=[game.slug for game in registry.games()],
        is_staked=True,
        phase__gte=least,
    )
    seats = Seat.objects.filter(over, user=user_id, has_played=True).select_related("match")
    return sum(turns_of(seat) >= least for seat in seats)


def turns_of(seat: Seat) -> int:
    """Count the throws, or turns and rounds, in which a seat acted."""
    idle = registry.get(seat.match.game).counts.idle | PERSON_KINDS
    phases, phase = set(), 0
    for entry in find_entries([seat.match_id], Sought()):
        if entry.seat == seat.no and json.loads(entry.action)["kind"] not in idle:
            phases.add(phase)
        phase = entry.phase
    return len(phases)
