"""Stored matches are rated again.  Source: docs/explanation/ratings.md "Another scale"."""

from contextlib import suppress
from functools import partial
from io import StringIO
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.db.models import F
from django.test import Client

from accounts.models import User
from games.api.matches import listed_matches, part_of
from games.archives import archiving
from games.matches.journal.loading import standing
from games.matches.models import Match, Rating, RatingChange, RatingRun
from games.matches.processing import writing
from games.matches.queries import ratings, selectors
from games.own_data import personal_data
from games.people import profiles
from games.replays import queries as replays
from games.replays.recording import recordings
from games.standings import rating
from tests.at_once import all_at_once
from tests.games.match_kit import new_user
from tests.games.showdown.test_ratings import duel, folded, last_rounds, three

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def rate_again() -> str:
    out = StringIO()
    call_command("rate_again", "showdown", stdout=out)
    return out.getvalue()


def old_scales() -> list[bool]:
    listed, _ = part_of(listed_matches("showdown"), "", 50)
    return [row["old_scale"] for row in listed]


def numbers() -> dict[int, tuple[float, float, int, str | None]]:
    rows = Rating.objects.filter(game="showdown")
    return {row.user_id: (row.mu, row.sigma, row.games, row.lately) for row in rows}


def by_nets() -> None:
    """Leave ratings and changes as version 1.1 did, which knew no places and no limits."""
    first = Rating.objects.filter(game="showdown")
    first.update(mu=F("mu") - 3, lately=None, games=F("games") + 1)


@pytest.fixture
def played() -> tuple[User, ...]:
    """Some games of three people, the ratings of which are of the old scale."""
    ann, bob, cat = people = three()
    folded(people, days=4)
    folded(people, cat, days=3)
    for _ in range(6):
        duel(bob, ann, days=2)
    archiving.archive(Match.objects.earliest("pk").pk)
    return people


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating, "PORTION", 2)


@pytest.mark.usefixtures("small_portions")
def test_a_run_gives_the_ratings_that_the_rules_of_today_had_given(played) -> None:
    wanted, stored = numbers(), list(RatingChange.objects.order_by("pk").values())
    by_nets()
    assert numbers() != wanted
    rate_again()
    assert numbers() == wanted
    assert list(RatingChange.objects.order_by("pk").values()) == stored, "earlier changes stay"
    assert set(Rating.objects.values_list("game", flat=True)) == {"showdown"}


@pytest.mark.usefixtures("small_portions")
def test_a_run_that_was_stopped_goes_on_and_counts_no_match_twice(played, monkeypatch) -> None:
    wanted = numbers()
    by_nets()
    old = numbers()
    for _ in range(3):
        steps = rating.rate_again("showdown")
        assert next(steps) == 2
        steps.close()
        assert numbers() == old, "nobody sees the second pool"
        assert ratings.rating_of(played[0], "showdown").games == old[played[0].pk][2]
    rate_game = mock.Mock(side_effect=rating.rate_game)
    monkeypatch.setattr(rating, "rate_game", rate_game)
    rate_again()
    rated = Match.objects.filter(ratings__isnull=False).distinct()
    assert (rate_game.call_count, numbers()) == (rated.count() - 6, wanted)


@pytest.mark.usefixtures("small_portions")
def test_games_that_end_during_a_run_are_rated_in_both_pools(played: tuple[User, ...]) -> None:
    _, bob, cat = played
    steps = rating.rate_again("showdown")
    next(steps)
    for _ in range(3):
        duel(cat, bob)
    expected = numbers()
    by_nets()
    assert list(steps)
    assert numbers() == expected
    # And the limit of the day goes on.
    for _ in range(3):
        duel(cat, bob)
    assert ratings.rating_of(cat, "showdown").games == expected[cat.pk][2] + 2


def test_a_run_that_is_over_changes_nothing_more(played: tuple[User, ...]) -> None:
    assert rate_again() == rate_again()
    before = numbers()
    run = RatingRun.objects.get()
    duel(played[2], played[1])
    after = numbers()
    assert after != before
    rate_again()
    assert (numbers(), RatingRun.objects.get()) == (after, run)


def test_a_run_drops_the_rating_of_who_has_no_rated_game_any_more(played, monkeypatch) -> None:
    stranger, row = new_user(), {"game": "showdown", "mu": 31, "sigma": 5, "games": 4}
    Rating.objects.create(user=stranger, updated="2026-01-01T00:00Z", **row)
    # It leaves out a match that cannot be read.
    broken = Match.objects.latest("pk").pk
    readable = lambda ids: standing([pk for pk in ids if pk != broken])  # noqa: E731
    monkeypatch.setattr(rating, "standing", readable)
    rate_again()
    assert RatingRun.objects.get().swapped_at is not None
    assert ratings.rating_of(stranger, "showdown").games == 0


def test_a_run_over_no_matches_is_over_at_once() -> None:
    assert "new scale" in rate_again()
    assert not Rating.objects.exists()


def test_changes_before_the_swap_are_shown_as_of_an_old_scale(played: tuple[User, ...]) -> None:
    _, bob, cat = played
    first = Match.objects.earliest("pk")
    before = replay_of(first)
    assert set(old_scales()) == {False}
    assert "old scale" not in page_of(bob)
    rate_again()
    after = replay_of(first)
    assert (before[0], after[0]) == (False, True)
    assert before[1] != after[1], "no cache keeps the page of before"
    kit = duel(cat, bob, days=0)
    assert old_scales() == [False, False] + [True] * 7
    old = selectors.match_view(selectors.snapshot_of(first), None)
    assert (old["match"]["old_scale"], kit.view()["match"]["old_scale"]) == (True, False)
    # In all of his games but the last, and but the one in which the limit let nothing change.
    assert page_of(bob).count("old scale") == 7
    (plot,) = profiles.profile_of(bob, None, {"game": "showdown"})["plots"]
    assert len(plot.values) == 2, "the plot begins at the swap"
    rows = [row for row in personal_data.SECTIONS["ratings"](bob) if "old_scale" in row]
    assert [row["old_scale"] for row in rows] == [True] * 7 + [False]


def replay_of(match: Match) -> tuple[bool, str]:
    """Return what the last view of a replay says of the scale, and the digest of its pages."""
    recording = recordings.of(match)
    people = replays.people_of(recording)
    view = replays.last_view(recording, people)
    return view["match"]["old_scale"], replays.digest_of(recording, people)


def page_of(player: User) -> str:
    return Client().get(f"/@{player.username}/", {"game": "showdown"}).content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_portions")
def test_games_that_end_at_the_swap_are_in_both_pools() -> None:
    pairs = [(new_user("ann"), new_user("bob")) for _ in range(4)]
    for pair in pairs:
        duel(*pair, days=2)
    kits, ends = last_rounds(pairs)
    submits = [partial(writing.submit, end, kit.now) for end, kit in zip(ends, kits, strict=True)]
    all_at_once([run_to_the_end, run_to_the_end, *submits])
    assert RatingRun.objects.get().swapped_at is not None
    assert {kit.row.status for kit in kits} == {"over"}
    rated = {user: row[2] for user, row in numbers().items()}
    assert rated == {user.pk: 2 for pair in pairs for user in pair}
    assert set(Rating.objects.values_list("game", flat=True)) == {"showdown"}


def run_to_the_end() -> None:
    while True:
        with suppress(OperationalError):
            list(rating.rate_again("showdown"))
            return
