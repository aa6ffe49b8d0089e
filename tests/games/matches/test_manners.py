"""Bots sit down when asked, with ordinary wallets, and know when to stop."""

import pytest

from accounts.models import User
from economy.codes import TransferCode
from economy.models import Setting, Transfer
from economy.selectors import balance_of
from games.matches.models import Match, Seat
from games.matches.processing.bot_allowance import won_from_bots
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


def finished_game_with_bot(kit: TableKit, net: int) -> None:
    """Pretend that the kit's first person won this much from its bot."""
    kit.seat_everybody()
    kit.act(kit.people[0], kind="add_bot")
    seats = Seat.objects.filter(match=kit.match)
    seats.filter(user__is_bot=False).update(net=net)
    seats.filter(user__is_bot=True).update(net=-net)
    Match.objects.filter(pk=kit.match.pk).update(status="over", ended_at=kit.now, due_at=None)


def raise_limit(points: int = 5_000) -> None:
    Setting.objects.filter(name="bots.daily_win_limit").update(value=points)


@pytest.mark.plain
def test_bot_sits_down_with_an_ordinary_wallet_that_is_filled_from_the_mint_when_short() -> None:
    raise_limit()
    rich = new_user()
    kit = TableKit(rich, seats=3, largest_purse=5_000)
    kit.seat_everybody(purse=90)
    kit.act(rich, kind="add_bot")
    bot = Seat.objects.get(match=kit.match, user__is_bot=True)
    seat = kit.view()["seats"][bot.no]
    assert (seat["player"]["bot"], seat["ready"], seat["purse"]) == (True, True, 90)
    assert balance_of(bot.user_id) >= 90
    assert not bot.user.has_usable_password()
    bots = Transfer.objects.filter(code=TransferCode.BOT_FUNDING)
    kit.act(rich, kind="remove_bot", seat=bot.no)
    before = bots.count()
    kit.act(rich, kind="configure", ante=400)
    kit.act(rich, kind="add_bot")
    bot = Seat.objects.get(match=kit.match, user__is_bot=True)
    assert balance_of(bot.user_id) >= 400
    assert bots.count() == before + 1


@pytest.mark.plain
def test_bots_only_come_when_a_sitter_asks_and_a_seat_is_free() -> None:
    kit = TableKit(new_user(), seats=2)
    assert kit.code(new_user(), kind="add_bot") == "action/not_seated"
    kit.seat_everybody()
    kit.act(kit.people[0], kind="add_bot")
    assert kit.code(kit.people[0], kind="add_bot") == "action/table_full"
    kit.act(kit.people[0], kind="remove_bot", seat=1)
    assert kit.view()["seats"][1]["player"] is None


def test_bots_do_not_sit_with_somebody_who_won_enough_from_them_today() -> None:
    ann = new_user()
    raise_limit()
    for net in (30, -40, 21):
        finished_game_with_bot(TableKit(ann, seats=2), net)
    raise_limit(50)
    kit = TableKit(ann, seats=2)
    assert won_from_bots(ann.pk, kit.now) == 51
    kit.seat_everybody()
    assert kit.answer(ann, kind="add_bot").error.code == "action/no_bot_willing"


def test_bots_leave_when_such_a_player_sits_down_with_them() -> None:
    lucky, host = new_user(), new_user()
    finished_game_with_bot(TableKit(lucky, seats=2), 60)
    kit = TableKit(host, seats=3)
    kit.seat_everybody()
    kit.act(host, kind="add_bot")
    kit.act(lucky, kind="sit", seat=2, purse=20)
    kit.make_ready(host, lucky)
    kit.pass_time(5)
    view = kit.view()
    assert view["match"]["status"] == "open"
    assert [bool(seat["player"]) for seat in view["seats"]] == [True, False, True]


def ready_with_bots(user: User, bots: int) -> TableKit:
    kit = TableKit(user, seats=bots + 1, target=3)
    kit.seat_everybody(purse=20)
    for _ in range(bots):
        kit.act(user, kind="add_bot")
    kit.make_ready()
    return kit


def test_bots_play_a_whole_game_with_a_person() -> None:
    kit = ready_with_bots(new_user(), 3)
    assert kit.play_to_the_end().state.stage == "over"
    assert sum(seat.net for seat in Seat.objects.filter(match=kit.match)) <= 0


def test_win_bonus_is_not_paid_when_all_opponents_are_bots() -> None:
    for _ in range(3):
        ann = new_user()
        kit = ready_with_bots(ann, 1)
        assert kit.play_to_the_end().seat_of(ann.pk) is not None
        paid = Transfer.objects.filter(code=TransferCode.WIN_BONUS, credit__owner=f"user:{ann.pk}")
        assert not paid.exists()
