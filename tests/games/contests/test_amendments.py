"""Amendments on rows, in every kind of sweep; parties left out of a game.

Source: docs/explanation/contests.md "An amendment", "A game begins".
"""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from post_office.models import Email

from accounts.away import say_away
from accounts.models import Reminders, User
from economy.models import Setting
from games.contests import models, services
from games.contests.attention import WHAT
from games.contests.eligibility import IsAway
from games.contests.rules import errors
from games.contests.rules.state import Change
from games.mafia.agora.rules.roles import Role
from games.matches import tasks
from games.matches.models import Match
from games.matches.queries.attention import needs_of
from tests.games.contests.kit import ContestKit, person
from tests.games.matches.test_fair_play import share_browser

pytestmark = pytest.mark.django_db


def test_amendment_takes_effect_once_however_often_beat_comes() -> None:
    kit = ContestKit(5, age=4 * 86_400 + 60, wanted=5)
    kit.do("propose", kit.people[0], changes={"threshold": 40, "wanted": 4})
    assert kit.state.settings["threshold"] == 60
    for _ in range(3):
        tasks.sweep()
    assert kit.state.settings["threshold"] == 40
    assert len(kit.lines("amended")) == 1
    proposal = models.Proposal.objects.get()
    assert (proposal.outcome, proposal.effect_at) == (
        "passed",
        proposal.proposed_at + timedelta(days=4),
    )


def test_amendment_is_never_early_and_what_comes_late_finds_it_decided() -> None:
    kit = ContestKit(5)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    effect_at = models.Proposal.objects.get().effect_at
    assert services.sweep(effect_at - timedelta(milliseconds=1)) == 0
    kit.now = effect_at
    with pytest.raises(errors.NoProposal):
        kit.do("object_to", kit.people[1], no=1)
    kit.do("make_ready", kit.people[1])
    assert kit.state.settings["threshold"] == 40
    assert kit.kinds[-2:] == ["amended", "became_ready"]


def test_amendment_leaves_the_running_game_its_settings() -> None:
    kit = ContestKit(5, wanted=5, threshold=60)
    kit.do("propose", kit.people[0], changes={"threshold": 30})
    kit.ready()
    kit.pass_time(days=4)
    assert services.sweep(kit.now) == 1
    assert kit.game.snapshot.state.options.threshold == 60
    assert kit.state.settings["threshold"] == 30


def test_amendment_of_the_wanted_number_lets_the_site_begin() -> None:
    kit = ContestKit(5, wanted=5)
    kit.do("propose", kit.people[0], changes={"wanted": 3})
    kit.ready(*kit.people[:3])
    assert kit.state.game is None
    kit.pass_time(days=4)
    services.sweep(kit.now)
    assert len(kit.game.people) == 3


def test_amendment_is_measured_again_when_its_time_comes() -> None:
    kit = ContestKit(5)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    Setting.objects.update_or_create(name="agora.contest_threshold", defaults={"value": 30})
    kit.pass_time(days=4)
    services.sweep(kit.now)
    assert kit.state.settings["threshold"] == 60
    assert models.Proposal.objects.get().outcome == "limits"
    with pytest.raises(errors.OutOfLimits):
        kit.do("propose", kit.people[1], changes={"threshold": 31})
    kit.do("propose", kit.people[1], changes={"threshold": 30})


def test_amendment_one_a_week_for_a_party_and_one_at_a_time() -> None:
    kit = ContestKit(5)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    with pytest.raises(errors.ProposalOpen):
        kit.do("propose", kit.people[1], changes={"threshold": 50})
    for user in kit.people[1:4]:
        kit.do("object_to", user, no=1)
    assert kit.lines("amendment_failed")[0].data == '{"no":1,"reason":"objections"}'
    kit.pass_time(days=7, seconds=-1)
    with pytest.raises(errors.ProposedLately):
        kit.do("propose", kit.people[0], changes={"threshold": 40})
    kit.do("propose", kit.people[1], changes={"threshold": 50})
    kit.do("leave", kit.people[2])
    kit.do("object_to", kit.people[2], no=2)
    assert kit.state.proposal is not None


@pytest.mark.both_databases
def test_amendment_is_withdrawn_and_another_party_may_propose() -> None:
    kit = ContestKit(3)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    with pytest.raises(errors.NotProposer):
        kit.do("withdraw", kit.people[1], no=1)
    kit.do("withdraw", kit.people[0], no=1)
    assert models.Proposal.objects.get().outcome == "withdrawn"
    kit.do("propose", kit.people[1], changes={"threshold": 50})
    with pytest.raises(errors.NoProposal):
        kit.do("withdraw", kit.people[0], no=1)


@pytest.mark.both_databases
def test_amendment_fails_by_the_objections_of_all_where_two_may_object() -> None:
    kit = ContestKit(3)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    for user in kit.people[1:]:
        kit.do("object_to", user, no=1)
    assert models.Proposal.objects.get().outcome == "objections"


@pytest.mark.both_databases
def test_amendment_that_took_effect_may_be_proposed_back_within_the_week() -> None:
    kit = ContestKit(4)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    kit.pass_time(days=4)
    services.sweep(kit.now)
    with pytest.raises(errors.ProposedLately):
        kit.do("propose", kit.people[0], changes={"threshold": 50})
    kit.do("propose", kit.people[0], changes={"threshold": 60})
    assert kit.state.last_change == Change(1, {"threshold": 60}, (kit.people[0].pk,))
    kit.pass_time(days=3)
    proposal = kit.state.proposal
    assert proposal is not None
    assert proposal.is_back
    kit.pass_time(days=1)
    services.sweep(kit.now)
    assert kit.state.settings["threshold"] == 60
    last = kit.state.last_change
    assert last is not None
    assert last == Change(2, {"threshold": 40})
    kit.do("propose", kit.people[0], changes={"threshold": 50})


def test_amendment_is_told_by_mail_to_those_who_may_object_and_want_mail() -> None:
    kit = ContestKit(5)
    for number, user in enumerate(kit.people):
        address = f"{user.username}@example.org"
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=number != 2)
    User.objects.filter(pk=kit.people[3].pk).update(reminders=Reminders.NEVER)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    with pytest.raises(errors.ProposalOpen):
        kit.do("propose", kit.people[1], changes={"threshold": 50})
    mails = Email.objects.order_by("pk")
    told = [kit.people[1], kit.people[4]]
    assert [mail.to for mail in mails] == [[f"{user.username}@example.org"] for user in told]
    assert "Threshold index T: 60 → 40" in mails[0].message
    assert f"/contests/{kit.row.public_id}/" in mails[0].message


def test_contest_left_out_by_fair_play_the_next_in_order_comes_in() -> None:
    kit = ContestKit(6, wanted=4)
    share_browser(kit.people[0], kit.people[1])
    kit.ready(*kit.people[:4])
    assert kit.state.game is None
    assert [user for user in kit.people if user.pk in kit.state.ready] == [
        kit.people[0],
        *kit.people[2:4],
    ]
    note = models.Party.objects.get(user=kit.people[1]).note
    assert note == f"{kit.people[0].username} plays from the same device as you"
    kit.ready(kit.people[4])
    assert kit.game.people == [kit.people[0], *kit.people[2:5]]


def test_contest_frozen_and_banned_accounts_are_skipped_and_say_so_to_themselves() -> None:
    kit = ContestKit(5, is_master=True)
    kit.ready()
    User.objects.filter(pk=kit.people[0].pk).update(is_frozen=True, frozen_reason="asked")
    User.objects.filter(pk=kit.people[3].pk).update(is_active=False)
    kit.do("start", kit.founder)
    assert kit.game.people == [kit.people[1], kit.people[2], kit.people[4]]
    notes = dict(models.Party.objects.exclude(note="").values_list("user", "note"))
    assert notes == {
        kit.people[0].pk: "your account is frozen: asked",
        kit.people[3].pk: "your account is closed",
    }
    assert kit.state.ready == ()


def test_contest_start_with_too_few_who_may_play_together_changes_nothing() -> None:
    kit = ContestKit(3, is_master=True)
    share_browser(kit.people[0], kit.people[1])
    kit.ready()
    before, lines = kit.state, kit.kinds
    with pytest.raises(errors.TooFewReady):
        kit.do("start", kit.founder)
    assert (kit.state, kit.kinds) == (before, lines)
    assert not models.ContestGame.objects.exists()


def test_contest_who_sits_at_three_tables_is_left_out() -> None:
    user = None
    for _ in range(3):
        kit = ContestKit(2, wanted=3)
        user = user or kit.people[0]
        if user is not kit.people[0]:
            kit.do("join", user)
        kit.do("make_ready", user)
        third = ContestKit(1).people[0]
        kit.do("join", third)
        kit.ready(kit.people[1], third, *({kit.people[0]} - {user}))
        assert user in kit.game.people
    last = ContestKit(3, wanted=3)
    last.do("join", user)
    last.do("make_ready", user)
    last.ready()
    assert user not in last.game.people
    assert models.Party.objects.get(contest=last.row, user=user).note == (
        "you sit at 3 tables, which is the most"
    )


def test_contest_ready_of_who_made_no_choice_and_then_died_does_not_count() -> None:
    kit = ContestKit(5, wanted=5)
    kit.ready()
    game = kit.game
    mafioso = game.user_of(Role.MAFIOSO)
    sleeper, *awake = [user for user in game.people if user != mafioso]
    kit.ready(sleeper, awake[0])
    game.act(sleeper, kind="done")
    game.run_out()
    game.act(sleeper, kind="post", room="town", text="I am here, and undecided.")
    for user in awake[:2]:
        game.act(user, kind="vote", choice="none")
    game.run_out()
    game.act(mafioso, kind="choose", target=game.people.index(sleeper))
    game.run_out()
    assert sleeper not in game.alive
    for user in awake:
        game.act(user, kind="vote", choice=game.people.index(mafioso))
    assert game.row.status == Match.Status.OVER
    services.sweep(game.now)
    assert kit.state.ready == (awake[0].pk,)
    (line,) = kit.lines("became_unready")
    assert (line.user, line.data) == (sleeper, '{"reason":"absent"}')


def test_contest_ready_before_two_phases_of_absence_does_not_count() -> None:
    kit = ContestKit(3, wanted=3)
    kit.ready()
    game = kit.game
    mafioso = game.user_of(Role.MAFIOSO)
    sleeper, victim = [user for user in game.people if user != mafioso]
    kit.ready(sleeper, victim)
    game.act(victim, kind="done")
    game.run_out()
    game.act(victim, kind="vote", choice="none")
    game.run_out()
    game.act(mafioso, kind="choose", target=game.people.index(victim))
    game.run_out()
    assert game.row.status == Match.Status.OVER
    services.sweep(game.now)
    assert kit.state.ready == (victim.pk,)
    (line,) = kit.lines("became_unready")
    assert (line.user, line.data) == (sleeper, '{"reason":"absent"}')
    kit.now = game.now
    kit.do("make_ready", sleeper)
    assert kit.state.ready == (victim.pk, sleeper.pk)


# The bell ------------------------------------------------------------------------------------


def asked(kit: ContestKit) -> list[bool]:
    """Return of each party whether the bell tells of a proposal."""
    return [bool(needs_of(user.pk)) for user in kit.people]


def test_amendment_is_at_the_bell_of_those_who_may_object_until_they_have_answered() -> None:
    kit = ContestKit(5)
    assert asked(kit) == [False] * 5
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    kit.do("join", newcomer := person())
    assert asked(kit) == [False, True, True, True, True]
    assert needs_of(newcomer.pk) == []
    address = f"/contests/{kit.row.public_id}/"
    assert needs_of(kit.people[1].pk) == [{"title": "Old Bridge", "url": address, "what": WHAT}]
    kit.do("object_to", kit.people[1], no=1)
    kit.do("let_pass", kit.people[2], no=1)
    User.objects.filter(pk=kit.people[3].pk).update(is_frozen=True)
    kit.do("leave", kit.people[4])
    assert asked(kit) == [False] * 5


def test_amendment_that_one_lets_pass_is_a_mark_for_oneself_and_one_may_still_object() -> None:
    kit = ContestKit(5)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    before, lines = kit.state, kit.kinds
    kit.do("let_pass", kit.people[1], no=1)
    kit.do("let_pass", kit.people[1], no=1)
    assert (kit.state, kit.kinds) == (before, lines)
    kit.do("object_to", kit.people[1], no=1)
    for user in kit.people[2:4]:
        kit.do("object_to", user, no=1)
    kit.do("propose", kit.people[1], changes={"threshold": 50})
    assert asked(kit) == [True, False, True, True, True]
    kit.do("object_to", kit.people[2], no=2)
    kit.do("let_pass", kit.people[3], no=2)
    assert asked(kit) == [True, False, False, False, True]
    another = ContestKit(2)
    another.do("join", kit.people[3])
    another.do("propose", another.founder, changes={"threshold": 30})
    assert asked(kit) == [True, False, False, True, True]


def test_amendment_is_let_pass_by_those_alone_who_may_object() -> None:
    kit = ContestKit(4)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    kit.do("object_to", kit.people[2], no=1)
    kit.do("leave", kit.people[3])
    for user, no, problem in (
        (kit.people[0], 1, errors.MayNotObject),
        (kit.people[1], 2, errors.NoProposal),
        (kit.people[1], 10**30, errors.NoProposal),
        (kit.people[2], 1, errors.MayNotObject),
        (kit.people[3], 1, errors.NotParty),
        (person(), 1, errors.NotParty),
    ):
        with pytest.raises(problem):
            kit.do("let_pass", user, no=no)
    assert not models.Party.objects.exclude(passed_no=0).exists()


# Absence -------------------------------------------------------------------------------------


def away(user: User, kit: ContestKit, days: int = 3) -> None:
    today = kit.now.date()
    say_away(user_id=user.pk, until=today + timedelta(days=days), today=today)


def test_contest_who_is_away_cannot_be_ready_until_back() -> None:
    kit = ContestKit(3)
    away(kit.people[0], kit)
    with pytest.raises(IsAway) as refusal:
        kit.ready(kit.people[0])
    until = kit.now.date() + timedelta(days=3)
    assert refusal.value.code == "contest/away"
    assert refusal.value.detail == {"until": until.isoformat()}
    assert kit.state.ready == ()
    kit.pass_time(days=4)
    kit.ready(kit.people[0])
    assert kit.state.ready == (kit.people[0].pk,)


def test_contest_of_the_site_does_not_begin_with_who_went_away_meanwhile() -> None:
    kit = ContestKit(5, wanted=4)
    kit.ready(*kit.people[:3])
    away(kit.people[1], kit)
    kit.ready(kit.people[3])
    assert not models.ContestGame.objects.exists()
    assert kit.state.ready == tuple(kit.people[no].pk for no in (0, 2, 3))
    assert [line.data for line in kit.lines("became_unready")] == ['{"reason":"away"}']
    kit.ready(kit.people[4])
    assert kit.game.people == [kit.people[0], *kit.people[2:]]


def test_contest_of_a_person_begins_without_who_is_away() -> None:
    kit = ContestKit(4, is_master=True)
    kit.ready()
    away(kit.people[2], kit)
    kit.do("start", kit.founder)
    assert kit.game.people == [kit.people[0], kit.people[1], kit.people[3]]
    assert kit.state.ready == ()


def test_contest_start_with_too_few_who_are_there_changes_nothing() -> None:
    kit = ContestKit(3, is_master=True)
    kit.ready()
    away(kit.people[0], kit)
    before = kit.state
    with pytest.raises(errors.TooFewReady):
        kit.do("start", kit.founder)
    assert kit.state == before
