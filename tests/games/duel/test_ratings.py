"""Ratings: once, in the transaction of the end.  Source: docs/explanation/ratings.md."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openskill.models import PlackettLuce

from accounts.models import User
from games.matches.journal.replay import replay_match
from games.matches.models import Rating, RatingChange
from games.matches.processing import writing
from games.matches.queries import ratings
from games.matches.queries.own import read_own
from games.people.profiles import profile_of
from games.people.records import Listing
from games.people.standing import Record
from games.standings import boards
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def rated(ann: User | None = None, bob: User | None = None, **options: object) -> DuelKit:
    kit = DuelKit(ann or new_user("ann"), bob or new_user("bob"), rated=True, **options)
    kit.start()
    return kit


def shown(*users: User) -> list[int]:
    return [ratings.rating_of(user, "duel").rating for user in users]


def at_table(kit: DuelKit) -> list[int | None]:
    seats = kit.view()["seats"]
    return [seat["player"] and seat["player"]["rating"] for seat in seats]


def test_rating_of_a_winner_rises_by_what_the_loser_loses_at_first() -> None:
    kit = rated()
    assert shown(kit.ann, kit.bob) == at_table(kit) == [1500, 1500]
    assert [seat["rating_change"] for seat in kit.view()["seats"]] == [None, None]
    kit.win(kit.ann)
    model = PlackettLuce()
    ((won,), (lost,)) = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    rows = {row.user_id: row for row in Rating.objects.all()}
    assert rows[kit.ann.pk].mu == pytest.approx(won.mu)
    assert rows[kit.bob.pk].sigma == pytest.approx(lost.sigma)
    assert shown(kit.ann, kit.bob) == at_table(kit) == [1605, 1395]
    assert [seat["rating_change"] for seat in kit.view()["seats"]] == [105, -105]
    assert [rows[user.pk].games for user in kit.people] == [1, 1]
    # At another table the rating is that of who sits there now.
    cat = new_user()
    other = DuelKit(cat)
    for user, kind in ((cat, "sit"), (cat, "stand"), (kit.ann, "sit")):
        other.act(user, **({"kind": kind, "seat": 0} if kind == "sit" else {"kind": kind}))
    assert at_table(other)[0] == 1605


def test_lobby_greets_with_the_rating_of_the_game_rated_most() -> None:
    kit = rated()
    client = Client()
    client.force_login(kit.ann)
    assert "Rating at" not in client.get("/").content.decode()
    kit.win(kit.ann)
    Rating.objects.create(user=kit.ann, game="showdown", mu=25, sigma=8, games=0, updated=kit.now)
    assert boards.main_rating(read_own(kit.ann.pk)) == (
        "Duel",
        ratings.rating_of(kit.ann, "duel").rating,
    )
    page = client.get("/").content.decode()
    assert f'Rating at </span>Duel <b class="num">{shown(kit.ann)[0]}</b>' in page
    Rating.objects.filter(game="showdown").update(games=2)
    assert boards.main_rating(read_own(kit.ann.pk)) == ("Showdown", 1500)


#: How a duel ends, and the ratings afterwards; None: there is none.
ENDS = {
    **dict.fromkeys(("wins", "resigned", "suspension"), (1605, 1395)),
    "draw": (1500, 1500),
    **dict.fromkeys(("abandoned", "suspended for good", "void")),
}


@pytest.mark.parametrize("end", ENDS)
def test_rating_counts_every_end_with_a_result(end: str) -> None:
    kit = rated()
    if end == "wins":
        kit.win(kit.ann)
    else:
        kit.end(end)
    assert kit.row.status in ("over", "void")
    if wanted := ENDS[end]:
        assert kit.duel["result"]["reason"] == end
        assert tuple(shown(kit.ann, kit.bob)) == wanted
    assert Rating.objects.count() == RatingChange.objects.count() == (2 if wanted else 0)


def test_rating_of_two_matches_that_end_in_one_batch_follows_from_one_to_the_other() -> None:
    ann, bob, cat = new_user(), new_user(), new_user()
    kits = [rated(ann, bob), rated(ann, cat)]
    ends = [kit.submission(kit.bob, kind="resign") for kit in kits]
    answers = writing.apply_batch(ends, kits[0].now).answers
    assert [answer.error for answer in answers] == [None, None]
    first, second = RatingChange.objects.filter(user=ann).order_by("match")
    assert (first.before, second.before) == (1500, first.after)
    assert second.after > second.before
    row = Rating.objects.get(user=ann)
    assert (row.games, row.mu) == (2, second.mu)


@pytest.mark.plain
def test_rating_is_changed_once_whatever_comes_after_the_end() -> None:
    kit = rated()
    resign = kit.submission(kit.bob, kind="resign")
    for _ in range(3):
        writing.apply_batch([resign, resign], kit.now)
    void = writing.house(kit.match.pk, "void", "void-late", reason="too late")
    assert writing.apply_batch([void], kit.now).answers[0].error is not None
    kit.act(kit.ann, kind="rematch")
    assert replay_match(kit.row).is_same
    assert (RatingChange.objects.count(), Rating.objects.get(user=kit.ann).games) == (2, 1)
    again = RatingChange.objects.get(user=kit.ann)
    again.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()


def test_rating_asks_nothing_of_the_database_before_a_rated_match_ends() -> None:
    kit = rated(best_of=9)
    throw = kit.submission(kit.ann, kind="throw", hand="rock")
    with CaptureQueriesContext(connection) as asked:
        writing.apply_batch([throw], kit.now)
    assert not [query for query in asked.captured_queries if "games_rating" in query["sql"]]


def test_rating_is_provisional_until_ten_games_and_a_small_sigma() -> None:
    ann, bob = new_user(), new_user()
    for number in range(12):
        is_provisional = ratings.rating_of(ann, "duel").is_provisional
        assert is_provisional or number >= 10
        assert bool(boards.leaders("duel")) != is_provisional
        rated(ann, bob).win(ann if number % 2 else bob)
    assert not ratings.rating_of(ann, "duel").is_provisional
    first, second = boards.leaders("duel")
    assert first.rating >= second.rating
    assert [first.place, second.place, first.games] == [1, 2, 12]


def test_rating_plot_and_finished_duels_tell_the_same_story() -> None:
    ann, bob = new_user(), new_user()
    rated(ann, bob, best_of=3).win(ann)
    kit = DuelKit(ann, bob, stake=20)
    kit.start()
    kit.win(bob)
    rated(bob, ann).act(ann, kind="resign")
    (plot,) = profile_of(ann, None, {"game": "duel"})["plots"]
    last, staked, first = finished_of(ann).matches
    assert {match.others for match in (last, staked, first)} == {((bob.username, False),)}
    assert (first.score, first.result, first.change) == ("2 : 0", "won", 105)
    assert (staked.score, staked.result, staked.change, staked.net) == ("0 : 1", "lost", None, -20)
    assert (last.result, last.change) == ("lost", plot.values[2] - plot.values[1])
    assert plot.values[:2] == [1500, 1605]


def test_finished_duels_are_searched_and_filtered_and_counted() -> None:
    ann, bob, cat = new_user("ann"), new_user("bob"), new_user("cat")
    rated(ann, bob).win(ann)
    for stake, hands in ((0, ("rock", "rock")), (10, ("rock", "paper"))):
        kit = DuelKit(ann, cat, stake=stake)
        kit.start()
        kit.throw(*hands)
    abandoned = DuelKit(ann, bob)
    abandoned.start()
    abandoned.end("abandoned")
    assert finished_of(ann).record == Record(won=1, drawn=1, lost=1)
    assert len(finished_of(ann).matches) == 4
    assert finished_of(ann, kind="rated").record == Record(won=1)
    assert finished_of(ann, kind="unrated").record == Record(drawn=1, lost=1)
    assert finished_of(ann, kind="points").record == Record(lost=1)
    assert finished_of(ann, search=cat.username.upper()).record == Record(drawn=1, lost=1)
    assert len(finished_of(ann, search=abandoned.row.title).matches) == 1
    assert finished_of(ann, search=ann.username).matches == []
    assert finished_of(ann, result="drawn", search="cat").record == Record(drawn=1)
    assert len(finished_of(ann, result="'", kind="?", page="²").matches) == 4
    assert finished_of(ann, page="2").matches == []
    assert len(finished_of(ann, page="0").matches) == 4


def finished_of(player: User, **query: str) -> Listing:
    found: Listing = profile_of(player, None, {"game": "duel", **query})["listing"]
    return found
