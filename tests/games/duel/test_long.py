"""Long duels: two lengths in one press, and a pool of ratings of their own."""

from collections import Counter
from functools import partial
from itertools import combinations

import pytest
from django.urls import reverse

from accounts.models import User
from games.duel import pairing
from games.duel.rules.engine import Duel
from games.duel.rules.state import LONG, QUICK
from games.engine.errors import NotInPhase
from games.matches.journal.replay import replay_match
from games.matches.models import Match, Rating, RatingChange, Seat
from games.matches.processing import outage, repair, writing
from games.matches.queries import ratings, selectors
from games.matches.queries.own import read_own
from games.people.profiles import profile_of
from games.standings import boards, rating
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.games.api.kit import read
from tests.games.duel.kit import DuelKit
from tests.games.duel.test_pairing import (
    act,
    begun,
    later,
    pass_countdown,
    people,
    readiness,
    sitters,
    status,
)
from tests.games.match_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BOTH = ("quick", "long")


@pytest.fixture(autouse=True)
def _heartbeat(db: None) -> None:
    outage.open_process()


def press(user: User, *lengths: str, **more: object) -> Match:
    return pairing.pair_quick(user=user, lengths=lengths, **more)


def terms(match: Match) -> tuple[int, int]:
    options = selectors.snapshot_of(match).state.options
    return options.best_of, options.clock_seconds


def won_long(winner: User, loser: User) -> Match:
    press(winner, "long")
    match = press(loser, "long")
    assert pass_countdown(match) == "running"
    act(loser, match, kind="resign")
    assert status(match) == "over"
    return match


@pytest.mark.plain
def test_two_who_tick_different_lengths_do_not_meet_and_who_ticks_both_meets_the_longest_wait():
    ann, bob, cat, dan = people(4)
    first, second = press(ann, "long"), press(bob, "quick")
    assert first.pk != second.pk
    assert (terms(first), terms(second)) == ((21, 8), (5, 30))
    assert press(cat, *BOTH).pk == first.pk
    assert press(dan, *BOTH).pk == second.pk
    for match in (first, second):
        assert readiness(match) == [True, True]
        assert pass_countdown(match) == "running"
        assert replay_match(match).is_same
    assert first.mark == "long"


@pytest.mark.plain
@pytest.mark.parametrize(("length", "found"), [("quick", (5, 30)), ("long", (21, 8))])
def test_who_waits_for_both_lengths_plays_that_of_who_comes_without_another_press(length, found):
    ann, bob = people(2)
    match = press(ann, *BOTH)
    assert (match.mark, terms(match)) == ("quick+long", (5, 30))
    before = selectors.snapshot_of(match).state.lapses_at
    assert press(bob, length).pk == match.pk
    assert (terms(match), readiness(match)) == (found, [True, True])
    state = selectors.snapshot_of(match).state
    assert state.seats[0].ready_until == before, "the press is not renewed"
    act(bob, match, kind="stand")
    other = {"quick": "long", "long": "quick"}[length]
    assert press(new_user(), other).pk == match.pk, "who waits on waits for both"
    assert pass_countdown(match) == "running"
    assert replay_match(match).is_same


def test_pressing_again_with_other_lengths_changes_what_one_waits_for() -> None:
    ann, bob, cat = people(3)
    match = press(ann, "quick")
    assert press(ann, "long").pk == match.pk
    match.refresh_from_db()
    assert (match.mark, terms(match), readiness(match)) == ("long", (21, 8), [True, False])
    assert press(bob, "quick").pk != match.pk
    assert press(cat, "long").pk == match.pk
    assert press(ann, "quick").pk == match.pk, "an opponent is there"
    assert terms(match) == (21, 8)
    assert press(new_user(), "no such length").mark == "quick"


def test_a_table_of_older_rules_which_know_no_long_duel_is_left_to_its_player() -> None:
    ann, bob = people(2)
    old = press(ann, "quick")
    Match.objects.filter(pk=old.pk).update(rules_version=Duel.version - 1)
    assert press(bob, *BOTH).pk != old.pk
    assert press(ann, *BOTH).rules_version == Duel.version
    old.refresh_from_db()
    assert old.mark == "quick"


def test_long_duel_two_minutes_after_the_press_one_is_asked_again() -> None:
    ann = new_user()
    match = press(ann, "long")
    assert repair.fire_due([match.pk], later(match, 121, 0)).snapshots
    assert (readiness(match), sitters(match)) == ([False, False], [ann.pk])


def test_long_duel_a_missed_first_throw_calls_it_off_once_in_a_row_of_both_lengths() -> None:
    ann, bob = people(2)
    match = begun(ann, bob)
    act(bob, match, kind="throw", hand="rock")
    assert pass_countdown(match) == "over"
    press(ann, "long")
    match = press(bob, "long")
    assert pass_countdown(match) == "running"
    act(bob, match, kind="throw", hand="rock")
    assert pass_countdown(match) == "running", "ann was warned"
    assert selectors.snapshot_of(match).state.play.seats[1].wins == 1


def test_terms_of_a_table_are_set_by_the_site_alone_and_not_during_a_countdown() -> None:
    ann, bob = people(2)
    match = press(ann, *BOTH)
    change = {"kind": "terms", "mark": "long", "options": LONG}
    assert act(ann, match, **change) is not None
    press(bob, "quick")
    setting = writing.house(match.pk, "terms", "terms-late", mark="long", options=dict(LONG))
    with pytest.raises(NotInPhase):
        writing.submit(setting)
    assert terms(match) == (5, 30)
    table = DuelKit(new_user(), **QUICK).match
    setting = writing.house(table.pk, "terms", "terms-other", mark="long", options=dict(LONG))
    with pytest.raises(NotInPhase):
        writing.submit(setting)


@pytest.mark.plain
def test_long_duel_and_its_rematch_move_a_rating_of_their_own() -> None:
    ann, bob = people(2)
    match = won_long(ann, bob)
    assert not Rating.objects.filter(game="duel").exists()
    assert ratings.rating_of(ann, "duel-long").rating == 1605
    act(ann, match, kind="rematch")
    match.refresh_from_db()
    following = match.successor
    assert (terms(following), following.mark) == ((21, 8), "")
    act(bob, following, kind="ready", configuration=1)
    assert pass_countdown(following) == "running"
    assert press(ann, "quick").pk != following.pk, "a rematch is no quick duel"
    act(ann, following, kind="resign")
    assert (status(following), following.mark) == ("over", "long")
    assert {row.game: row.games for row in Rating.objects.filter(user=ann)} == {"duel-long": 2}
    act(bob, begun(ann, bob), kind="resign")
    shown = {row.game: row.games for row in Rating.objects.filter(user=ann)}
    assert shown == {"duel-long": 2, "duel": 1}


def test_a_seat_shows_the_rating_of_the_length_that_is_played() -> None:
    ann, bob, cat = people(3)
    won_long(ann, bob)
    match = press(ann, *BOTH)
    assert match.seats.get().rating == 1500
    press(cat, "long")
    assert {seat.user_id: seat.rating for seat in match.seats.all()} == {ann.pk: 1605, cat.pk: 1500}


@pytest.mark.plain
def test_profile_boards_and_api_show_the_rating_of_long_duels_beside_the_other() -> None:
    ann, bob = people(2)
    act(ann, begun(ann, bob), kind="resign")
    won_long(ann, bob)
    assert boards.main_rating(read_own(ann.pk)) == ("Duel", 1395)
    profile = profile_of(ann, None, {"game": "duel"})
    figures = {figure.label: figure.value for figure in profile["figures"]}
    assert (figures["Rating"], figures["Long duel rating"]) == ("1395", "1605")
    plots = {plot.title: plot.values for plot in profile["plots"]}
    assert plots == {"Rating": [1500, 1395], "Long duel rating": [1500, 1605]}
    (told,) = read(f"players/{ann.username}").json()["games"]
    assert told["rating"] == 1395
    found = read(f"matches?player={ann.username}").json()["items"]
    assert [row["pool"] for row in found] == ["duel-long", "duel"]
    assert press(ann, "long").listed
    assert [row["pool"] for row in selectors.lobby()["duel"]] == ["duel-long"]
    assert told["pools"] == [{"name": "duel-long", "rating": 1605, "is_provisional": True}]
    Rating.objects.filter(game="duel-long").update(games=20, sigma=2)
    assert read("leaderboards/ratings/duel").json() == []
    named = [row["name"] for row in read("leaderboards/ratings/duel-long").json()]
    assert named == [ann.username, bob.username]
    address = f"{reverse('leaderboard')}?rating=duel-long"
    assert ann.username in browser().get(address).content.decode()
    assert "Long duel rating <b" in browser(ann).get(reverse("duels")).content.decode()


@pytest.mark.plain
def test_each_pool_is_rated_again_from_its_own_matches() -> None:
    ann, bob = people(2)
    act(ann, begun(ann, bob), kind="resign")
    match = won_long(ann, bob)
    before = {(row.user_id, row.game): row.mu for row in Rating.objects.all()}
    for pool in ("duel", "duel-long"):
        assert list(rating.rate_again(pool)) == []
    after = {(row.user_id, row.game): row.mu for row in Rating.objects.all()}
    assert after == pytest.approx(before)
    assert len(after) == 4
    assert ratings.Scales().is_old(match)
    assert RatingChange.objects.count() == 4


@pytest.mark.plain
def test_button_waits_for_the_lengths_that_are_ticked() -> None:
    for given, mark in (({}, "quick"), ({"length": "long"}, "long"), ({"length": BOTH}, None)):
        user = new_user()
        answer = browser(user).post(reverse("duel_quick"), given)
        seat = Seat.objects.get(user=user)
        assert answer.url.endswith(f"/{seat.match.public_id}/")
        assert seat.match.mark == mark or seat.match.seats.count() == 2


@pytest.mark.django_db(transaction=True)
def test_lengths_pressed_at_once_seat_nobody_twice_and_leave_nobody_who_could_be_paired() -> None:
    ticked = [("quick",), ("long",), BOTH, BOTH, ("long",), ("quick",)]
    for _ in range(4):
        asked = dict(zip(people(6), ticked, strict=True))
        pressing = [partial(press, user, *lengths) for user, lengths in asked.items()]
        assert all(isinstance(found, Match) for found in all_at_once(pressing))
        seats = Seat.objects.filter(user__in=asked).select_related("match")
        assert Counter(seat.user for seat in seats) == dict.fromkeys(asked, 1)
        alone = []
        for match in {seat.match for seat in seats}:
            length = "long" if terms(match)[0] == LONG["best_of"] else "quick"
            here = [seat.user for seat in seats if seat.match == match]
            assert all(length in asked[user] for user in here)
            if len(here) == 1:
                alone += here
                act(here[0], match, kind="stand")
        for one, other in combinations(alone, 2):
            assert set(asked[one]).isdisjoint(asked[other])
