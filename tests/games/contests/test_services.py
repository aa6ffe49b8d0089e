"""Contests on rows: games in sequence, who plays, who starts, what is kept of it.

Source: docs/explanation/contests.md; docs/rules/agora.md "The contest".
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.devices import note
from accounts.models import ApiToken, User
from games.contests import locked_contest, models, services
from games.contests.rules import errors
from games.mafia.agora.rules.roles import Side
from games.matches.models import Match
from games.matches.queries import selectors
from games.matches.services.matches import NotBegun, open_seated
from games.proofs.commitments import pledge
from tests.games.contests.kit import ContestKit, person

pytestmark = pytest.mark.django_db


def test_contest_game_is_played_to_its_end_and_noted_once() -> None:
    kit = ContestKit(5, wanted=5)
    kit.ready()
    match = kit.game.row
    kit.play_over()
    assert [services.sweep(kit.now) for _ in range(3)] == [1, 0, 0]
    (ended,) = kit.lines("game_ended")
    assert ended.at == Match.objects.get(pk=match.pk).ended_at
    assert kit.state.game is None
    kit.ready()
    assert kit.game.row.title == "Old Bridge, game 2"


@pytest.mark.both_databases
def test_contest_whose_master_was_not_here_for_thirty_days_is_the_sites() -> None:
    kit = ContestKit(4, is_master=True, wanted=3)
    kit.ready(*kit.people[:3])
    User.objects.update(date_joined=kit.now)
    kit.pass_time(days=30)
    assert services.sweep(kit.now) == 0
    note(user_id=kit.founder.pk, token="t" * 43, address="", at=kit.now)
    kit.pass_time(seconds=1)
    assert services.sweep(kit.now) == 0
    kit.pass_time(days=30)
    assert [services.sweep(kit.now) for _ in range(2)] == [1, 0]
    assert kit.kinds[-2:] == ["master_replaced", "game_began"]
    assert kit.state.master is None
    assert kit.state.party(kit.founder.pk) is not None


@pytest.mark.parametrize("seen", ["last_login", "token"])
def test_contest_keeps_a_master_who_was_here_by_log_in_or_by_a_program(seen: str) -> None:
    kit = ContestKit(2, is_master=True)
    before = kit.now
    kit.pass_time(days=31)
    assert services.due(kit.now) == [kit.row.pk]
    if seen == "token":
        ApiToken.objects.create(user=kit.founder, created_at=before, last_used_at=kit.now)
    else:
        User.objects.filter(pk=kit.founder.pk).update(last_login=kit.now)
    User.objects.filter(pk=kit.founder.pk).update(date_joined=before)
    assert services.due(kit.now) == []


@pytest.mark.plain
def test_contest_is_no_place_to_leave_for_who_lives_in_its_game() -> None:
    kit = ContestKit(5, wanted=5)
    kit.ready()
    with pytest.raises(errors.StillCitizen):
        kit.do("leave", kit.people[0])
    kit.game.act(kit.people[0], kind="leave")
    kit.do("leave", kit.people[0])
    assert kit.state.party(kit.people[0].pk) is None


def test_contest_cannot_be_closed_after_the_first_death_while_its_game_runs() -> None:
    kit = ContestKit(6, is_master=True)
    kit.ready()
    kit.do("start", kit.founder)
    game = kit.game
    game.kill_one()
    kit.now = game.now
    with pytest.raises(errors.FirstDeath):
        kit.do("close", kit.founder)
    assert game.row.status == Match.Status.RUNNING
    kit.play_over()
    kit.do("close", kit.founder)
    assert kit.row.played.get().how in ("won", "drawn")


@pytest.mark.plain
def test_contest_founder_has_three_open_ones_at_most() -> None:
    kit = ContestKit(1)

    def found_another() -> None:
        services.found(user=kit.founder, charter=services.Charter("More", "agora", {}))

    found_another()
    found_another()
    with pytest.raises(services.TooManyContests):
        found_another()
    kit.do("close", kit.founder)
    found_another()
    assert models.Contest.objects.filter(founder=kit.founder).count() == 4


@pytest.mark.plain
def test_open_seated_opens_nothing_where_the_house_would_not_let_it_begin() -> None:
    people = [person() for _ in range(3)]
    people[0].is_frozen = True
    people[0].save()
    with pytest.raises(NotBegun):
        open_seated(
            pledged=pledge("agora", timezone.now()),
            options={"contest": True},
            players=[(user, "") for user in people],
            title="Never",
            at=timezone.now(),
        )
    assert not Match.objects.exists()


def test_contest_match_has_no_rematch_and_the_loser_of_it_cannot_ask_for_one() -> None:
    kit = ContestKit(3, wanted=3)
    kit.ready()
    game = kit.game
    kit.now = game.win(Side.MAFIA)
    snapshot = game.snapshot
    assert selectors.match_view(snapshot, 0)["you"]["may"] == []
    answer = game.answer(game.people[0], kind="rematch")
    assert answer.error is not None
    assert answer.error.code == "action/not_in_phase"
    assert game.row.successor is None


def test_contest_sweeps_are_one_look_where_nothing_is_due(
    django_assert_num_queries: Any,
) -> None:
    ContestKit(3)
    with django_assert_num_queries(3):
        assert services.sweep() == 0


def test_contest_sweep_goes_on_behind_one_that_cannot_be_brought_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kits = [ContestKit(2), ContestKit(2)]
    for kit in kits:
        kit.do("propose", kit.people[0], changes={"threshold": 40})
    whole = locked_contest.rows.load

    def load(row: models.Contest) -> Any:
        if row.pk == kits[0].row.pk:
            raise RuntimeError("a broken contest")
        return whole(row)

    monkeypatch.setattr(locked_contest.rows, "load", load)
    services.sweep(kits[1].now + timedelta(days=5))
    monkeypatch.undo()
    assert [kit.state.settings["threshold"] for kit in kits] == [60, 40]
