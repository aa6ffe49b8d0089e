"""Source: docs/explanation/contests.md; docs/rules/agora.md "The contest"."""

import math
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone
from post_office.models import Email

from accounts import shared
from accounts.devices import note
from accounts.models import ApiToken, Reminders, User
from economy.tunables import TUNABLES
from games.contests import locked_contest, models, personal, services, terms
from games.contests.personal import WHAT
from games.contests.rules.state import require_within
from games.contract import TableGame
from games.engine.choices import clean_options
from games.engine.structs import plain
from games.mafia.agora.rules.roles import Role, Side
from games.matches import tasks
from games.matches.models import Match, Pledge
from games.matches.services import NotBegun, Seated, default_options, open_seated
from games.proofs.commitments import pledge
from tests.games.contests.kit import ContestKit, person
from tests.games.match_kit import bell_of, new_user
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_contest_game_is_played_to_its_end_and_noted_once() -> None:
    kit = ContestKit(5, wanted=5)
    kit.ready()
    match = kit.game.row
    kit.play_over()
    assert [services.sweep(kit.now) for _ in range(3)] == [1, 0, 0]
    (ended,) = kit.lines("game_ended")
    assert ended.at == Match.objects.get(pk=match.pk).ended_at
    assert kit.row.played.get().how in ("won", "drawn")
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
    users = User.objects.filter(pk=kit.founder.pk)
    users.update(date_joined=before)
    if seen == "token":
        ApiToken.objects.create(user=kit.founder, created_at=before, last_used_at=kit.now)
    else:
        users.update(last_login=kit.now)
    assert services.due(kit.now) == []


@pytest.mark.plain
def test_contest_is_no_place_to_leave_for_who_lives_in_its_game() -> None:
    kit = ContestKit(5, wanted=5)
    kit.ready()
    with refuses("contest/still_citizen"):
        kit.do("leave", kit.people[0])
    kit.game.act(kit.people[0], kind="leave")
    kit.do("leave", kit.people[0])
    assert kit.state.party(kit.people[0].pk) is None


@pytest.mark.plain
def test_contest_founder_has_three_open_ones_at_most() -> None:
    kit, charter = ContestKit(1), services.Charter("More", "agora", {})
    found_another = partial(services.found, user=kit.founder, charter=charter)
    found_another()
    found_another()
    with refuses("contest/too_many"):
        found_another()
    kit.do("close", kit.founder)
    found_another()
    assert models.Contest.objects.filter(founder=kit.founder).count() == 4


@pytest.mark.plain
def test_open_seated_opens_nothing_where_the_house_would_not_let_it_begin() -> None:
    people = [person() for _ in range(3)]
    people[0].is_frozen = True
    people[0].save()
    now, players = timezone.now(), [(user, "") for user in people]
    options = {"contest": True}
    with pytest.raises(NotBegun):
        open_seated("agora", [Seated(pledge("agora", now), options, players, "Never")], now)
    assert not Match.objects.exists()


def test_contest_match_has_no_rematch_and_the_loser_of_it_cannot_ask_for_one() -> None:
    kit = ContestKit(3, wanted=3)
    kit.ready()
    game = kit.game
    game.win(Side.MAFIA)
    assert game.view(game.people[0])["you"]["may"] == []
    assert game.code(game.people[0], kind="rematch") == "action/not_in_phase"
    assert game.row.successor is None


def test_contest_sweeps_are_one_look_where_nothing_is_due(django_assert_num_queries) -> None:
    ContestKit(3)
    with django_assert_num_queries(3):
        assert services.sweep() == 0


def test_contest_sweep_goes_on_behind_one_that_cannot_be_brought_on(monkeypatch) -> None:
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


@pytest.mark.parametrize("game", terms.games(), ids=lambda game: game.slug)
def test_contest_terms_fit_the_game_that_offers_them(game: TableGame) -> None:
    offered, allowed = terms.terms_of(game), terms.allowed(game)
    usual = terms.usual(game)
    require_within(allowed, usual)
    for seats in (offered.least, offered.most):
        base = plain(default_options(game.slug, {}))
        wanted = {**base, **terms.options_of(game, usual), "seats": seats}
        assert game.newest.purse_limits(clean_options(game.options, wanted)) == (0, 0)
    numbers = {name for term in offered.settings.values() for name in (term.least, term.most)}
    assert numbers - {""} <= TUNABLES.keys()
    assert offered.axes in (1, 2)


@pytest.mark.plain
def test_contest_of_a_game_that_is_away_sleeps() -> None:
    user, now = new_user(), timezone.now()
    away = Pledge.objects.create(game="chess", rules_version=1, pledged_at=now)
    row = models.Contest.objects.create(
        name="Long Ago", game="chess", founder=user, settings='{"wanted":5}', founded_at=now,
        idle_since=now, pledge=away,
    )  # fmt: skip
    models.Proposal.objects.create(
        contest=row, no=1, by=user, changes='{"wanted":4}', voters="[]",
        proposed_at=now - timedelta(days=9), effect_at=now - timedelta(days=5),
    )  # fmt: skip
    assert services.sweep(now) == 0
    shown = Client().get(f"/contests/{row.public_id}/")
    assert (shown.status_code, b"This contest sleeps." in shown.content) == (503, True)
    assert b"Long Ago" not in Client().get("/contests/").content
    with refuses("maintenance"):
        services.join(contest_id=row.pk, user=user)
    with refuses("not_found"):
        services.found(user=user, charter=services.Charter("More", "chess", {}))
    with refuses("not_found"):
        services.join(contest_id=row.pk + 1, user=user)


def test_amendment_takes_effect_once_however_often_beat_comes() -> None:
    kit = ContestKit(5, age=4 * 86_400 + 60, wanted=5)
    kit.do("propose", kit.people[0], changes={"threshold": 40, "wanted": 4})
    assert kit.state.settings["threshold"] == 60
    for _ in range(3):
        tasks.sweep()
    assert (kit.state.settings["threshold"], len(kit.lines("amended"))) == (40, 1)
    proposal = models.Proposal.objects.get()
    assert proposal.outcome == "passed"
    assert proposal.effect_at == proposal.proposed_at + timedelta(days=4)


def test_amendment_is_told_by_mail_to_those_who_may_object_and_want_mail() -> None:
    kit = ContestKit(5)
    for number, user in enumerate(kit.people):
        address = f"{user.username}@example.org"
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=number != 2)
    User.objects.filter(pk=kit.people[3].pk).update(reminders=Reminders.NEVER)
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    with refuses("contest/proposal_open"):
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


def assert_absent(kit: ContestKit, sleeper: User, other: User) -> None:
    """Sweep; the other one alone is ready still."""
    services.sweep(kit.now)
    assert kit.state.ready == (other.pk,)
    (line,) = kit.lines("became_unready")
    assert (line.user, line.data) == (sleeper, '{"reason":"absent"}')


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
    kit.now = game.now
    assert_absent(kit, sleeper, awake[0])


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
    kit.now = game.now
    assert_absent(kit, sleeper, victim)
    kit.do("make_ready", sleeper)
    assert kit.state.ready == (victim.pk, sleeper.pk)


def asked(kit: ContestKit) -> list[bool]:
    return [bool(bell_of(user.pk)) for user in kit.people]


@pytest.mark.plain
def test_amendment_is_at_the_bell_of_those_who_may_object_until_they_have_answered() -> None:
    kit = ContestKit(5)
    assert asked(kit) == [False] * 5
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    kit.do("join", newcomer := person())
    assert (asked(kit), bell_of(newcomer.pk)) == ([False, True, True, True, True], [])
    address = f"/contests/{kit.row.public_id}/"
    need = {"title": "Old Bridge", "url": address, "what": WHAT}
    assert bell_of(kit.people[1].pk) == [need]
    kit.do("object_to", kit.people[1], no=1)
    kit.do("let_pass", kit.people[2], no=1)
    User.objects.filter(pk=kit.people[3].pk).update(is_frozen=True)
    kit.do("leave", kit.people[4])
    assert asked(kit) == [False] * 5


def test_amendment_is_on_the_next_page_of_its_proposer_and_in_a_second_on_those_of_others(
    settings: Any,
) -> None:
    settings.SHARED_SECONDS = math.inf
    shared.forget()
    kit = ContestKit(5)
    proposer, other = (user.pk for user in kit.people[:2])
    assert personal.proposals_for([other], other) == []
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    assert personal.proposals_for([other], other) == []
    assert len(personal.proposals_for([other])) == 1
    shared.note_changes([proposer])
    assert personal.proposals_for([proposer], proposer) == []
    assert len(personal.proposals_for([other], other)) == 1


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
