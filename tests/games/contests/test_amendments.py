"""Amendments on rows, in every kind of sweep; parties left out of a game.

Source: docs/explanation/contests.md "An amendment", "A game begins".
"""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from post_office.models import Email

from accounts.models import Reminders, User
from games.contests import models, services
from games.contests.attention import WHAT
from games.contests.rules import errors
from games.mafia.agora.rules.roles import Role
from games.matches import tasks
from games.matches.models import Match
from games.notices.attention import needs_of
from tests.games.contests.kit import ContestKit, person

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


@pytest.mark.plain
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


@pytest.mark.plain
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
