"""The queue of flags for administrators; opening a flag is idempotent."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import User
from economy.selectors import settings_starting
from games.engine.structs import canonical
from games.matches.models import Flag
from games.matches.queries.losses import Losses, losses_of_day, midnight_before, points_collected
from games.moderation.outflow import Outflow, outflows_since

#: How far the task looks back; twice its interval would do.
LOOK_BACK = timedelta(minutes=10)
#: Fewer pairs are too few for a mean and a deviation.
FEWEST_PAIRS = 3
#: The least number of characters of a note that closes a flag.
SHORTEST_NOTE = 5


class NewFlag(NamedTuple):
    """The content of a flag; the key makes it unique."""

    kind: Flag.Kind
    key: str
    users: tuple[int, ...]
    detail: Mapping[str, Any]
    at: datetime


class NoteMissing(ValueError):
    """The note to close a flag is too short."""


def chips(pair: tuple[int, int], lost: int, at: datetime) -> NewFlag:
    """Build the flag of a player who lost the daily limit to another."""
    loser, winner = pair
    key = f"chips:{at:%Y%m%d}:{loser}:{winner}"
    detail = {"day": f"{at:%Y-%m-%d}", "loser": loser, "winner": winner, "lost": lost}
    return NewFlag(Flag.Kind.CHIPS, key, pair, detail, at)


def passed_on(pair: tuple[int, int], flow: Outflow, at: datetime) -> NewFlag:
    """Build the flag of a player who has lost to another what one ever may; once a month."""
    loser, winner = pair
    key = f"chips:ever:{at:%Y%m}:{loser}:{winner}"
    detail = {"loser": loser, "winner": winner, "lost": flow.lost, "limit": flow.most}
    return NewFlag(Flag.Kind.CHIPS, key, pair, {"day": f"{at:%Y-%m-%d}", **detail}, at)


def evidence_of(pair: tuple[int, int], lost: int, at: datetime) -> dict[str, Any]:
    """Return how unusual a pair's loss is, and whether it shares a device or address.
    ``z_hundredths``: its distance from the mean of the day's pairs, in hundredths of the deviation;
    None with too few pairs.
    """
    shared = company_of(pair[0], [pair[1]])
    day = [float(points) for points in losses_of_day(at).values()]
    spread = pstdev(day) if len(day) >= FEWEST_PAIRS else 0.0
    return {
        "z_hundredths": round(100 * (lost - fmean(day)) / spread) if spread else None,
        "shared_device": bool(shared.by_device),
        "shared_address": bool(shared.by_address),
    }


def company(kind: Flag.Kind, pair: tuple[int, int], at: datetime) -> NewFlag:
    """Build the flag of two players who sat down together from one device or address."""
    low, high = sorted(pair)
    key = f"{kind}:{at:%Y%m%d}:{low}:{high}"
    return NewFlag(kind, key, (low, high), {"day": f"{at:%Y-%m-%d}"}, at)


def grants(winner: int, won: Losses, day: datetime, at: datetime) -> NewFlag:
    """Build the flag of a player to whom others lost grants or awards. ``won``: (loser, winner) ->
    points; ``day``: the beginning of the UTC day.
    """
    losers = sorted(loser for loser, _ in won)
    detail = {"day": f"{day:%Y-%m-%d}", "winner": winner, "losers": losers, "won": won.total()}
    key = f"grants:{day:%Y%m%d}:{winner}"
    return NewFlag(Flag.Kind.GRANTS, key, (winner, *losers), detail, at)


def collected(winner: int, won: Losses, at: datetime) -> NewFlag:
    """Build the flag of a player to whom several lost half of what one ever may, or more."""
    flag = grants(winner, won, at, at)
    return flag._replace(key=f"grants:ever:{at:%Y%m}:{winner}")


def reported(reporter: int, user: int, reason: str, at: datetime, said: str = "") -> NewFlag:
    """Build the flag of a reported player; ``said``: the line of chat that it is about."""
    key = f"report:{at:%Y%m%d}:{reporter}:{user}"
    detail = {"day": f"{at:%Y-%m-%d}", "by": reporter, "reported": user, "reason": reason}
    if said:
        detail["said"] = said
    return NewFlag(Flag.Kind.REPORT, key, (user, reporter), detail, at)


def names_reported(reporter: int, at: datetime) -> int:
    """Return how many players a user has reported on the UTC day of an instant."""
    return Flag.objects.filter(key__startswith=f"report:{at:%Y%m%d}:{reporter}:").count()


def open_flag(flag: NewFlag) -> bool:
    """Open a flag unless its key exists, open or closed; return whether it is new."""
    if Flag.objects.filter(key=flag.key).exists():
        return False
    detail = dict(flag.detail)
    if flag.kind == Flag.Kind.CHIPS:
        pair = (detail["loser"], detail["winner"])
        detail |= evidence_of(pair, detail["lost"], flag.at)
    with transaction.atomic():
        row, is_new = Flag.objects.get_or_create(
            key=flag.key,
            defaults={"kind": flag.kind, "detail": canonical(detail), "opened_at": flag.at},
        )
        if is_new:
            row.users.set(flag.users)
    return is_new


def close_flags(*, flags: Iterable[Flag], by: User, note: str) -> int:
    """Close the open ones of these flags; return how many. Raises NoteMissing if the note is too
    short.
    """
    note = note.strip()
    if len(note) < SHORTEST_NOTE:
        raise NoteMissing(f"say why, in {SHORTEST_NOTE} characters at least")
    wanted = Flag.objects.filter(pk__in=[flag.pk for flag in flags], closed_at=None)
    return wanted.update(closed_at=timezone.now(), closed_by=by, note=note[:500])


def look_for_abuse(at: datetime | None = None) -> int:
    """Flag the abuse that only finished games show; return how many flags are new."""
    at = at or timezone.now()
    numbers = settings_starting("fair.")
    # Today's net losses between the users who finished a game lately.
    losses = losses_of_day(at, since=at - LOOK_BACK)
    found = [
        chips(pair, lost, at)
        for pair, lost in sorted(losses.items())
        if lost >= numbers["fair.pair_daily"]
    ]
    # The day before too: a game may have ended in its last moment.
    days = {midnight_before(at), midnight_before(at - LOOK_BACK)}
    found += _passed_on(at, numbers)
    return sum(open_flag(flag) for flag in found) + look_for_grants(days, at)


def _passed_on(at: datetime, numbers: Mapping[str, int]) -> Iterator[NewFlag]:
    """Yield the flags on all losses of those who finished a game lately."""
    won: dict[int, Losses] = defaultdict(Losses)
    for pair, flow in outflows_since(at - LOOK_BACK, at, numbers):
        won[pair[1]][pair] = flow.lost
        if not flow.room:
            yield passed_on(pair, flow, at)
    for winner, losses in sorted(won.items()):
        enough = losses.total() >= numbers["fair.grant_points"]
        if enough and len(losses) >= numbers["fair.grant_accounts"]:
            yield collected(winner, losses, at)


def look_for_grants(days: Iterable[datetime], at: datetime) -> int:
    """Flag players who collected too much on these days; return how many are new."""
    numbers = settings_starting("fair.")
    least, accounts = numbers["fair.grant_points"], numbers["fair.grant_accounts"]
    found = [
        grants(winner, won, day, at)
        for day in sorted(days)
        for winner, won in sorted(points_collected(day).items())
        if len(won) >= accounts and won.total() >= least
    ]
    return sum(open_flag(flag) for flag in found)
