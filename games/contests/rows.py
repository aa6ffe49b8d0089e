"""The rows of a contest as the rules' state, and its changes as rows."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from django.db.models import Max

from games.contests import models
from games.contests.rules.state import Change, Contest, Game, Party, Proposal
from games.engine.facts import Instant, Step, Told, as_datetime, instant
from games.engine.structs import canonical
from games.matches.models import Seat

#: The facts that decide a proposal -> the outcome if the fact names none.
DECIDED = {"amended": "passed", "amendment_failed": ""}


def load(row: models.Contest) -> Contest:
    """Return a contest from its rows: six queries at most."""
    parties = row.parties.order_by("joined_at", "pk").values_list("user_id", "ready_no")
    counted = row.amendments.filter(is_back=False)
    proposed = counted.values_list("by").annotate(Max("proposed_at"))
    return Contest(
        founder=row.founder_id,
        master=row.master_id,
        settings=msgspec.json.decode(row.settings),
        idle_since=instant(row.idle_since),
        is_open=row.closed_at is None,
        parties=tuple(Party(*party) for party in parties),
        readied=row.readied,
        game=_running(row),
        games=row.games,
        proposal=_open_proposal(row),
        proposals=row.proposals,
        proposed={user: instant(at) for user, at in proposed},
        last_change=msgspec.json.decode(row.last_change, type=Change | None),
    )


def save(row: models.Contest, before: Contest | None, step: Step[Contest], at: Instant) -> None:
    """Write the changes of a step to the locked row, and its facts to the history. ``before``: None
    for a new contest, whose row is inserted.
    """
    after, now = step.state, as_datetime(at)
    row.master_id, row.founder_id = after.master, after.founder
    row.settings = canonical(after.settings)
    row.last_change = canonical(after.last_change)
    row.idle_since = as_datetime(after.idle_since)
    row.readied, row.games, row.proposals = after.readied, after.games, after.proposals
    if not after.is_open and row.closed_at is None:
        row.closed_at = now
    first = row.lines + 1
    row.lines += len(step.events)
    row.save()
    _save_parties(row, before, after, at)
    for event in step.events:
        _save_amendment(row, step.state, event, at)
    models.Line.objects.bulk_create(
        _line(row, no, event, at) for no, event in enumerate(step.events, first)
    )


def note(row: models.Contest, reasons: Mapping[int, str]) -> None:
    """Store why a game began without these parties; each sees only its own."""
    for user, reason in reasons.items():
        row.parties.filter(user=user).update(note=reason[:200])


def end_game(row: models.Contest, how: str, at: Instant, survivors: Collection[int] = ()) -> None:
    row.played.filter(ended_at=None).update(
        ended_at=as_datetime(at), how=how, survivors=canonical(sorted(survivors))
    )


def _running(row: models.Contest) -> Game | None:
    running = row.played.filter(ended_at=None).first()
    if running is None:
        return None
    seats = Seat.objects.filter(match=running.match_id).order_by("no")
    return Game(running.no, tuple(seats.values_list("user_id", flat=True)))


def _open_proposal(row: models.Contest) -> Proposal | None:
    found = row.amendments.filter(decided_at=None).first()
    if found is None:
        return None
    return Proposal(
        no=found.no,
        by=found.by_id,
        changes=msgspec.json.decode(found.changes),
        effect_at=instant(found.effect_at),
        voters=frozenset(msgspec.json.decode(found.voters)),
        objected=tuple(found.objections.order_by("pk").values_list("user_id", flat=True)),
        is_back=found.is_back,
    )


def _save_parties(row: models.Contest, before: Contest | None, after: Contest, at: Instant) -> None:
    old = {party.user: party for party in (before.parties if before else ())}
    new = {party.user: party for party in after.parties}
    if gone := old.keys() - new.keys():
        row.parties.filter(user__in=gone).delete()
    for user, party in new.items():
        if user not in old:
            models.Party.objects.create(
                contest=row, user_id=user, joined_at=as_datetime(at), ready_no=party.ready_no
            )
        elif party != old[user]:
            row.parties.filter(user=user).update(ready_no=party.ready_no, note="", salt="")


def _save_amendment(row: models.Contest, after: Contest, event: Told, at: Instant) -> None:
    data, now = event.data, as_datetime(at)
    if event.kind == "proposed":
        assert after.proposal is not None
        models.Proposal.objects.create(
            contest=row,
            no=data["no"],
            by_id=data["user"],
            changes=canonical(data["changes"]),
            voters=canonical(sorted(after.proposal.voters)),
            proposed_at=now,
            effect_at=as_datetime(data["effect_at"]),
            is_back=after.proposal.is_back,
        )
    elif event.kind == "objected":
        proposal = row.amendments.get(no=data["no"])
        models.Objection.objects.create(proposal=proposal, user_id=data["user"], at=now)
    elif event.kind in DECIDED:
        outcome = data.get("reason", DECIDED[event.kind])
        row.amendments.filter(no=data["no"]).update(decided_at=now, outcome=outcome)


def _line(row: models.Contest, no: int, event: Told, at: Instant) -> models.Line:
    data: dict[str, Any] = dict(event.data)
    user = data.pop("user", None)
    return models.Line(
        contest=row, no=no, kind=event.kind, user_id=user, data=canonical(data), at=as_datetime(at)
    )
