"""Ratings by play.  Source: docs/explanation/ratings.md; docs/rules/showdown.md "Ratings"."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from economy.models import Setting
from games.matches.models import Rating, RatingChange
from games.matches.processing import writing
from games.matches.processing.bots import ensure_bots
from games.matches.processing.submissions import Submission
from games.matches.queries import ratings
from tests.at_once import all_at_once
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db

#: What the seats throw in a round: seat -> target -> weapon.
Throws = dict[int, dict[int, str]]
FIRST_WINS: Throws = {0: {1: "rock", 2: "rock"}, 1: {0: "scissors"}, 2: {0: "scissors"}}
SECOND_WINS: Throws = {1: {0: "rock", 2: "rock"}, 0: {1: "scissors"}, 2: {1: "scissors"}}


def at_noon(*people: User, days: int = 1, **options: object) -> TableKit:
    """Return a table opened at noon some days ago: no game of a test runs over midnight."""
    noon = timezone.now().replace(hour=12) - timedelta(days=days)
    age = (timezone.now() - noon).total_seconds()
    return TableKit(*people, seats=len(people), target=3, age=age, **options)


def begin(kit: TableKit, *purses: int) -> TableKit:
    for seat, (user, purse) in enumerate(zip(kit.people, purses, strict=True)):
        kit.act(user, kind="sit", seat=seat, purse=purse)
    for user in kit.people:
        kit.act(user, kind="ready", configuration=kit.row_revision)
    kit.pass_time(5.0)
    return kit


def folded(people: tuple[User, ...], *folders: User, days: int = 1, purse: int = 5) -> TableKit:
    """Play a table of three that the first one wins, without those who fold."""
    kit = bet(begin(at_noon(*people, days=days), purse, purse, purse), *folders)
    return fight(kit, FIRST_WINS, FIRST_WINS)


def bet(kit: TableKit, *folders: User) -> TableKit:
    while kit.row.status == "running" and kit.view()["game"]["stage"] == "betting":
        user = kit.on_turn()
        kit.act(user, kind="fold" if user in folders else "call")
    return kit


def fight(kit: TableKit, *rounds: Throws) -> TableKit:
    for throws in rounds:
        for seat, weapons in throws.items():
            for target, weapon in weapons.items():
                kit.answer(kit.people[seat], kind="attack", weapon=weapon, target=target)
        for user in kit.people:
            kit.answer(user, kind="lock")
    assert kit.row.status == "over"
    return kit


def duel(ann: User, bob: User, days: int = 1) -> TableKit:
    kit = bet(begin(at_noon(ann, bob, days=days), 5, 5))
    return fight(kit, *[{0: {1: "rock"}, 1: {0: "scissors"}}] * 2)


def changes(kit: TableKit) -> list[int | None]:
    """Return the change of rating on each seat, as the table shows it."""
    shown = [seat["rating_change"] for seat in kit.view()["seats"]]
    rows = {
        row.user_id: row.after - row.before for row in RatingChange.objects.filter(match=kit.match)
    }
    assert shown == [rows.get(user.pk) for user in kit.people]
    return shown


def three() -> tuple[User, User, User]:
    return new_user("ann"), new_user("bob"), new_user("cat")


@pytest.mark.plain
def test_rating_follows_victory_points_whatever_was_paid_in() -> None:
    """P4, game 1: the last one with the smallest purse gained, the second one lost the most."""
    kit = begin(at_noon(*three(), ante=5), 40, 40, 15)
    while (game := kit.view()["game"])["stage"] == "betting":
        is_first = game["bet"]["raises_left"] == 4 and kit.on_turn() != kit.people[2]
        raised = {"kind": "raise_by", "amount": 20}
        kit.act(kit.on_turn(), **(raised if is_first else {"kind": "call"}))
    fight(kit, SECOND_WINS, FIRST_WINS, FIRST_WINS)
    nets = dict(kit.row.seats.values_list("no", "net"))
    assert nets[0] > 0 > nets[2] > nets[1], "the second one has paid the most"
    first, second, third = changes(kit)
    assert first > second > third < 0
    assert kit.row.seats.get(no=0).rating == 1500 + first


def test_who_folds_at_once_gains_nothing_and_is_not_rated_but_the_third_one_is_a_last_place():
    """P4, game 2."""
    *_, cat = people = three()
    kit = folded(people, cat, days=3, purse=50)
    first, second, third = changes(kit)
    assert first > 0 > second
    assert third is None
    assert ratings.rating_of(cat, "showdown").games == 0
    assert kit.row.seats.get(user=cat).result == "lost"
    assert changes(folded(people, cat, days=2))[2] is None
    assert changes(folded(people, cat))[2] < 0


@pytest.mark.parametrize("how", ["fold", "clock", "leave", "void"])
def test_a_game_without_a_fought_round_is_rated_for_nobody(how: str) -> None:
    """P4: 71 points for a fold, or a clock that ran out, before any round."""
    kit = begin(at_noon(new_user(), new_user()), 50, 50)
    if how == "leave":
        bet(kit)
    if how == "clock":
        kit.pass_time(200)
    elif how == "void":
        kit.void("late")
    else:
        kit.act(kit.on_turn() if how == "fold" else kit.people[0], kind=how)
    assert kit.row.status == ("void" if how == "void" else "over")
    assert changes(kit) == [None, None]
    assert not Rating.objects.exists()


def test_rating_of_a_table_needs_people_alone() -> None:
    ann = new_user()
    kit = TableKit(ann, seats=2)
    ensure_bots()
    kit.act(ann, kind="sit", seat=0, purse=5)
    kit.act(ann, kind="add_bot")
    kit.act(ann, kind="ready", configuration=kit.row_revision)
    kit.act(ann, kind="leave")
    assert kit.row.status == "over"
    assert not RatingChange.objects.exists()


def test_two_who_pump_each_other_are_rated_five_times_a_day() -> None:
    """P4: two accounts could move points of rating all night."""
    ann, bob = new_user(), new_user()
    moved = [changes(duel(ann, bob)) for _ in range(6)]
    assert all(first > 0 > second for first, second in moved[:5])
    assert (moved[5], ratings.rating_of(ann, "showdown").games) == ([None, None], 5)
    first, second = changes(duel(bob, ann, days=0))
    assert first > 0 > second


@pytest.mark.usefixtures("many_tables")
def test_a_pair_in_one_batch_is_rated_five_times() -> None:
    ann, bob = new_user(), new_user()
    kits, ends = last_rounds([(ann, bob)] * 7)
    assert {answer.error for answer in writing.apply_batch(ends, kits[0].now).answers} == {None}
    assert [changes(kit)[0] is not None for kit in kits] == [True] * 5 + [False] * 2


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("many_tables")
def test_games_of_a_pair_that_end_at_once_are_rated_five_times() -> None:
    ann, bob = new_user(), new_user()
    kits, ends = last_rounds([(ann, bob)] * 8)
    all_at_once(partial(writing.submit, end, kits[0].now) for end in ends)
    assert {kit.row.status for kit in kits} == {"over"}
    assert RatingChange.objects.filter(user=ann).count() == 5
    rows = RatingChange.objects.filter(user=bob).order_by("pk")
    assert [row.before for row in rows][1:] == [row.after for row in rows][:-1]


@pytest.fixture
def many_tables() -> None:
    Setting.objects.filter(pk="tables.live_seats").update(value=20)


def last_rounds(pairs: list[tuple[User, User]]) -> tuple[list[TableKit], list[Submission]]:
    """Return tables of two, each of which ends by the second one's lock, and these actions."""
    kits = [bet(begin(at_noon(*pair), 5, 5)) for pair in pairs]
    for kit, (ann, bob) in zip(kits, pairs, strict=True):
        for locks in ((ann, bob), (ann,)):
            kit.act(ann, kind="attack", weapon="rock", target=1)
            for user in locks:
                kit.act(user, kind="lock")
    return kits, [kit.submission(kit.people[1], kind="lock") for kit in kits]
