from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import create_bot
from games import registry
from games.arena import queries
from games.goals import reaching
from games.matches.journal.entries import read_facts
from games.matches.models import DailyPlay, Entry, ReachedGoal
from games.own_data import personal_data
from games.own_data.deletion import delete_account
from games.practice import daily
from games.showdown.game import GOALS as OF_SHOWDOWN
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.arena.kit import playing
from tests.games.duel.kit import DuelKit
from tests.games.mafia.common.kit import GAMES as TOWNS
from tests.games.mafia.common.kit import town_of
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit

pytestmark = pytest.mark.django_db


def reached(user: User) -> set[str]:
    return set(ReachedGoal.objects.filter(user=user).values_list("goal", flat=True))


def duel(best_of: int = 1, ann: User | None = None) -> DuelKit:
    kit = DuelKit(ann or new_user("ann"), new_user("bob"), best_of=best_of)
    kit.start()
    return kit


@pytest.mark.plain
def test_there_are_fifteen_goals_and_two_or_more_of_each_game():
    goals = reaching.all_goals()
    assert len(goals) == 15
    for game in registry.games():
        assert len(game.goals) >= 2, game.slug
    assert max(map(len, goals)) <= ReachedGoal._meta.get_field("goal").max_length
    assert len({goal.title for goal in goals.values()}) == len(goals)


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_won_duel_reaches_goals_once_with_the_day_and_the_loser_none():
    first = duel(best_of=5)
    first.throw("rock", "scissors")
    assert not ReachedGoal.objects.exists(), "nothing before the end"
    first.win(first.ann)
    assert reached(first.ann) == {"duel/won", "duel/clean"}
    assert reached(first.bob) == set()
    rows = list(ReachedGoal.objects.values_list("goal", "match", "at"))
    again = duel(ann=first.ann)
    again.win(again.ann)
    assert list(ReachedGoal.objects.values_list("goal", "match", "at")) == rows
    assert {at for _, _, at in rows} == {first.row.ended_at}
    long = duel(best_of=9)
    long.throw("scissors", "rock")
    long.win(long.ann)
    assert reached(long.ann) == {"duel/won", "duel/long"}


def test_a_resigned_duel_is_won_but_not_to_nothing_and_a_void_one_is_no_goal():
    for how, expected in (("resigned", {"duel/won"}), ("void", set()), ("abandoned", set())):
        kit = duel(best_of=9)
        kit.end(how)
        assert not kit.row.is_live
        assert reached(kit.ann) == expected, how
    assert not ReachedGoal.objects.exclude(goal="duel/won").exists()


def test_goals_are_one_statement_of_a_batch_and_none_where_nothing_is_reached():
    for winner, statements in ((None, 0), (0, 1)):
        kit = duel(best_of=1)
        kit.act(kit.ann, kind="throw", hand="rock")
        with CaptureQueriesContext(connection) as done:
            kit.act(kit.bob, kind="throw", hand="rock" if winner is None else "scissors")
        asked = [each["sql"] for each in done.captured_queries if "reachedgoal" in each["sql"]]
        assert len(asked) == statements
        assert not kit.row.is_live


def test_bots_and_programs_reach_none():
    program, bot = new_user("ada"), create_bot(name="Zed_Bot")
    User.objects.filter(pk=program.pk).update(is_program=True)
    seats = duel(best_of=1).snapshot.seats
    seat = seats[0]
    for user in (User.objects.get(pk=program.pk), bot):
        seat.user = user
        assert reaching.people_at({0: seat}) == {}
    reaching.reach([(program.pk, "duel/won"), (bot.pk, "duel/won")], duel().now)
    assert not ReachedGoal.objects.exists()


def played_table(*people: User) -> TableKit:
    kit = TableKit(*people, seats=len(people))
    kit.start()
    kit.play_to_the_end()
    return kit


def test_showdown_goals_are_what_the_journal_tells():
    kit = played_table(*(new_user() for _ in range(4)))
    facts = [
        fact
        for entry in Entry.objects.filter(match=kit.match).order_by("no")
        for fact in read_facts(entry.facts)
    ]
    battles = [b for f in facts if f.kind == "round_resolved" for b in f.data["battles"]]
    made = {fact.data["made"] for fact in facts if fact.kind == "weapons_combined"}
    basic = {"rock", "paper", "scissors", None}
    for no, user in enumerate(kit.people):
        threw = {b["a_weapon"] for b in battles if b["a"] == no}
        threw |= {b["b_weapon"] for b in battles if b["b"] == no}
        found = reached(user)
        assert ("showdown/combination" in found) == bool(threw - basic), no
        assert ("showdown/stolen" in found) == any(b["taken_by"] == no for b in battles)
    assert made, "bots combine"
    assert ReachedGoal.objects.filter(goal="showdown/combination").exists()


def test_a_mine_counts_for_all_who_planted_one_where_it_goes_off_and_once():
    goal = next(goal for goal in OF_SHOWDOWN if goal.name == "mine")

    def plant(seat: int, target: int):
        return ("mine_planted", {"seat": seat, "target": target})

    def explode(seat: int, count: int):
        return ("mine_exploded", {"round": 1, "seat": seat, "count": count})

    assert goal.seats(None, [plant(0, 1), plant(2, 1), plant(3, 2), explode(1, 2)]) == {0, 2}
    assert goal.seats(None, [plant(0, 1), explode(2, 0)]) == set()
    assert goal.seats(None, [plant(0, 1), explode(2, 0), explode(1, 1)]) == {0}
    assert goal.seats(None, [explode(1, 1), plant(0, 1)]) == set()


@pytest.mark.parametrize("game", TOWNS)
def test_who_lives_at_the_end_of_a_town_has_survived_it_and_the_dead_have_not(game):
    kit = town_of(game, 8)
    while kit.row.is_live:
        assert not ReachedGoal.objects.exists()
        kit.act(kit.alive[0], kind="leave")
        if kit.row.is_live:
            kit.run_out()
    living = {member.no for member in kit.play.living}
    for no, user in enumerate(kit.people):
        assert (f"{game}/survived" in reached(user)) == (no in living)


@pytest.mark.parametrize("game", TOWNS)
def test_who_wins_with_a_mafia_has_a_goal_and_nobody_else(game):
    kit = town_of(game, 8)
    team = next(iter(kit.play.teams.values()))
    mafia = {no for no, name in kit.play.teams.items() if name == team}
    for no, user in enumerate(kit.people):
        if no not in mafia and kit.row.is_live and kit.play.member(no).may_act:
            kit.act(user, kind="leave")
    while kit.row.is_live:
        kit.run_out()
    won = dict(kit.row.seats.values_list("no", "result"))
    assert {no for no in mafia if won[no] == "won"} == mafia
    assert {no for no, user in enumerate(kit.people) if f"{game}/mafia" in reached(user)} == mafia


@pytest.mark.both_databases
def test_the_arena_tells_its_player_alone_and_once():
    kit = playing(4)
    ann, bob = kit.people[:2]
    kit.play("rock", "scissors", "scissors", "scissors")
    row = ReachedGoal.objects.get(user=ann)
    assert (row.goal, row.match_id) == ("arena/won", None)
    told = [queries.own_view(user)["last"].get("goal") for user in (ann, bob)]
    assert told == ["Goal reached: First round won.", None]
    kit.begin()
    kit.play("rock", "scissors", "scissors", "scissors")
    assert "goal" not in queries.own_view(ann)["last"]
    assert ReachedGoal.objects.count() == 1


def test_five_days_in_a_row_with_the_daily_table_are_a_goal():
    user, day = new_user(), daily.today()
    for streak, expected in ((3, set()), (4, {reaching.DAILY}), (5, {reaching.DAILY})):
        User.objects.filter(pk=user.pk).update(
            daily_on=day - timedelta(days=1), daily_streak=streak
        )
        daily._keep_streak(user.pk, day)
        assert reached(user) == expected
    play = daily.begin(user, daily.daily_game())
    DailyPlay.objects.filter(pk=play.pk).update(net=3, marks="W", ended_at=timezone.now())
    assert browser(user).get(reverse("daily")).context["goal"] == (
        "Goal reached: Five days in a row."
    )


def test_after_a_game_only_its_own_player_gets_the_line():
    kit = duel()
    kit.win(kit.ann)
    path = reverse("match_insight", args=[kit.match.public_id])
    lines = [browser(user).get(path).json()["goal"] for user in (kit.ann, kit.bob, new_user())]
    assert lines == ["Goal reached: First duel won.", "", ""]
    assert Client().get(path).json()["goal"] == ""


def test_a_profile_shows_all_what_was_reached_and_its_owner_what_comes_next():
    kit = duel()
    kit.win(kit.ann)
    path = reverse("profile", args=[kit.ann.username])
    own, other, guest = (each.get(path) for each in (browser(kit.ann), browser(kit.bob), Client()))
    for page in (own, other, guest):
        assert "First duel won" in page.content.decode()
        assert [title for title, _, _ in page.context["goals"]["reached"]] == ["First duel won"]
    assert [goal.title for goal in own.context["goals"]["missing"]][1] == "Not one throw lost"
    assert len(own.context["goals"]["missing"]) == len(list(registry.games())) + 1
    assert other.context["goals"]["missing"] == guest.context["goals"]["missing"] == []
    assert "Win a best of five" not in other.content.decode()


def test_goals_are_exported_and_go_with_the_account():
    kit = duel()
    kit.win(kit.ann)
    rows = list(personal_data.SECTIONS["goals"](kit.ann))
    assert [row["goal"] for row in rows] == ["duel/won"]
    kit.pass_time(3600)
    delete_account(user_id=kit.ann.pk)
    assert reached(kit.ann) == set()


def test_administrators_read_goals_and_change_none():
    kit = duel()
    kit.win(kit.ann)
    chief = browser(administrator("chief", "games.view_reachedgoal"))
    row = ReachedGoal.objects.get(user=kit.ann)
    pages = "/admin/games/reachedgoal/"
    assert kit.ann.username in chief.get(pages).content.decode()
    assert chief.get(f"{pages}add/").status_code == 403
    assert chief.post(f"{pages}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert reached(kit.ann) == {"duel/won"}


def test_stored_games_and_figures_give_the_same_goals_in_portions(monkeypatch):
    monkeypatch.setattr("games.goals.filling.PORTION", 2)
    tables = [played_table(new_user(), new_user()) for _ in range(2)]
    duels = [duel() for _ in range(3)]
    for kit in duels:
        kit.win(kit.ann)
    arena = playing(4)
    arena.play("rock", "scissors", "scissors", "scissors")
    User.objects.filter(pk=duels[0].bob.pk).update(daily_streak=7)
    of_matches = ReachedGoal.objects.filter(match__isnull=False)
    columns = ("user", "goal", "match", "at")
    before = set(of_matches.values_list(*columns))
    assert {kit.ann.pk for kit in duels} <= {user for user, *_ in before}
    ReachedGoal.objects.all().delete()
    for _ in range(2):
        call_command("fill_goals")
    assert set(of_matches.values_list(*columns)) == before
    assert reached(arena.people[0]) == {"arena/won"}
    assert reached(duels[0].bob) == {reaching.DAILY}
    assert len(tables) == 2
