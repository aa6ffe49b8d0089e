"""Amendments on rows, whoever sweeps; and who is left out of a game.

Source: docs/contests.md "An amendment", "A game begins".
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from post_office.models import Email

from accounts.models import Reminders, User
from economy.models import Setting
from games import tasks
from games.agora.rules.roles import Role
from games.contests import models, services
from games.contests.rules import errors
from games.models import Match
from tests.games.contests.kit import ContestKit
from tests.games.test_fair_play import share_browser

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
