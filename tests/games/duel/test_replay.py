"""A duel is replayed from its input log, where a player's ``resume`` is not the house's."""

from datetime import timedelta

import pytest
from django.utils import timezone

from economy.audit import find_violations
from economy.selectors import balance_of
from games.engine.facts import instant
from games.matches.journal.replay import replay_match
from games.matches.models import Match
from games.matches.processing import outage, writing
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.matches.services import matches
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def test_play_a_suspended_duel_replays_to_the_same_bytes() -> None:
    ann, bob = new_user(), new_user()
    now = timezone.now()
    outage.open_process(now)
    match = matches.open_match(opened_by=ann, game="duel", options={"stake": 10}, at=now)

    def act(user: object, number: int, **action: object) -> None:
        at = now + timedelta(seconds=number)
        actor = user.pk if user else None  # type: ignore[attr-defined]
        writing.submit(Submission(match.pk, action, f"duel-{number:04d}", actor), at)

    act(ann, 1, kind="sit", seat=0)
    act(bob, 2, kind="sit", seat=1, purse=10)
    for number, user in ((3, ann), (4, bob)):
        act(user, number, kind="ready", configuration=1)
    act(ann, 5, kind="throw", hand="rock")
    act(None, 6, kind="stall", due_at=instant(now + timedelta(seconds=90)))
    act(None, 7, kind="resume", due_at=instant(now + timedelta(seconds=95)))
    act(ann, 8, kind="suspend")
    act(bob, 9, kind="suspend")
    act(ann, 10, kind="resume")
    act(bob, 11, kind="resume")
    assert replay_match(Match.objects.get(pk=match.pk)).is_same
    act(bob, 12, kind="throw", hand="paper")
    row = Match.objects.get(pk=match.pk)
    assert row.status == Match.Status.OVER
    assert replay_match(row).is_same
    assert (balance_of(ann.pk), balance_of(bob.pk)) == (90, 109)
    assert selectors.snapshot_of(row).state.stage == "over"
    assert find_violations() == []
