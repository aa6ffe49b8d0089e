"""Source: docs/explanation/contests.md "How an action is done"."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.contests import models, services
from games.engine.errors import IllegalAction
from games.mafia.agora.rules.roles import Role
from games.matches.journal.replay import replay_match
from games.matches.models import Match
from tests.at_once import all_at_once
from tests.games.contests.kit import ContestKit, person
from tests.refusals import codes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def test_contest_two_starts_at_once_are_one_game() -> None:
    kit = ContestKit(4, is_master=True)
    kit.ready()
    results = all_at_once([ask(kit, "start", kit.founder)] * 3)
    assert sum(isinstance(result, Match) for result in results) == 1
    assert codes(results) == ["contest/game_running"] * 2
    assert Match.objects.count() == models.ContestGame.objects.count() == 1
    assert replay_match(Match.objects.get()).is_same


def ask(kit: ContestKit, deed: str, user: User, **more: Any) -> Callable[[], Any]:
    return partial(
        getattr(services, deed), **{"contest_id": kit.row.pk, "user": user, "now": kit.now} | more
    )


def test_contest_all_get_ready_at_once_and_one_game_begins() -> None:
    kit = ContestKit(5, wanted=4)
    all_at_once(ask(kit, "make_ready", user) for user in kit.people)
    assert (Match.objects.get().status, len(kit.game.people)) == (Match.Status.RUNNING, 4)
    assert len(kit.state.ready) == 1


def test_contest_of_those_who_get_ready_for_the_last_place_at_once_one_plays() -> None:
    kit = ContestKit(7, wanted=4)
    kit.ready(*kit.people[:3])
    rivals = kit.people[3:]
    all_at_once(ask(kit, "make_ready", user) for user in rivals)
    assert kit.game.people[:3] == kit.people[:3]
    (last,) = kit.game.people[3:]
    assert {user.pk for user in rivals} - {last.pk} == set(kit.state.ready)


def test_contest_two_objections_of_one_at_once_are_one_and_so_are_two_proposals() -> None:
    kit = ContestKit(5)
    answers = all_at_once(
        ask(kit, "propose", user, changes={"threshold": 10 + no})
        for no, user in enumerate(kit.people[:4])
    )
    assert codes(answers) == ["contest/proposal_open"] * 3
    assert models.Proposal.objects.count() == len(kit.lines("proposed")) == 1
    voter = kit.people[4]
    deeds = ("object_to", "object_to", "object_to", "let_pass")
    answers = all_at_once(ask(kit, deed, voter, no=1) for deed in deeds)
    assert codes(answers[:3]) == ["contest/may_not_object"] * 2
    assert len(kit.lines("objected")) == models.Objection.objects.count() == 1


def test_contest_the_third_objection_and_the_effect_at_once_have_one_outcome() -> None:
    for _ in range(3):
        kit = ContestKit(5)
        kit.do("propose", kit.people[0], changes={"threshold": 40})
        for user in kit.people[1:3]:
            kit.do("object_to", user, no=1)
        effect_at = models.Proposal.objects.get(contest=kit.row).effect_at
        early = effect_at - timedelta(milliseconds=1)
        take_effect = partial(services.catch_up, contest_id=kit.row.pk, now=effect_at)
        all_at_once([ask(kit, "object_to", kit.people[3], no=1, now=early), take_effect])
        failed = len(kit.lines("amendment_failed"))
        assert failed + len(kit.lines("amended")) == 1
        assert kit.state.settings["threshold"] == (60 if failed else 40)
        assert len(kit.lines("objected")) == 2 + failed


def test_contest_four_sweeps_at_once_note_an_end_and_an_effect_once() -> None:
    kit = ContestKit(5, wanted=5)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    kit.ready()
    kit.play_over()
    kit.pass_time(days=9)
    all_at_once([partial(services.sweep, kit.now)] * 4)
    assert len(kit.lines("game_ended")) == len(kit.lines("amended")) == 1
    assert models.ContestGame.objects.get().ended_at is not None


def test_contest_three_joins_of_one_at_once_are_one() -> None:
    kit, ann = ContestKit(2), person()
    answers = all_at_once([ask(kit, "join", ann)] * 3)
    assert sum(isinstance(answer, IllegalAction) for answer in answers) == 2
    assert [party.user for party in kit.state.parties].count(ann.pk) == 1


@pytest.mark.plain
def test_contest_a_citizen_who_leaves_town_and_the_closing_at_once_agree() -> None:
    """Either the game is called off, or somebody has died and the contest stays open."""
    kit = ContestKit(5, is_master=True)
    kit.ready()
    match, game = kit.do("start", kit.founder), kit.game
    leave = partial(game.act, game.user_of(Role.CITIZEN), kind="leave")
    results = all_at_once([ask(kit, "close", kit.founder), leave])
    match.refresh_from_db()
    if isinstance(results[0], IllegalAction):
        assert (results[0].code, match.status) == ("contest/first_death", Match.Status.RUNNING)
        assert kit.state.is_open
    else:
        assert match.status == Match.Status.VOID
        assert not kit.state.is_open
    assert replay_match(match).is_same
