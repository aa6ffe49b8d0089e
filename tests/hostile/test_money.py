"""Cases 8, 26, 30, 31 and 70: points that are spent, won or lost wrongly."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse

from economy.errors import LimitReached
from economy.ledger import mint, post, wallet
from economy.models import Account
from economy.selectors import balance_of
from economy.units import MOST_BALANCE, Unit
from games.matches.processing import writing
from tests.economy.kit import NOON, give, held, move
from tests.games.journal_kit import kinds_of
from tests.games.table_kit import TableKit, new_user
from tests.hostile.kit import browser, nothing_moves

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def order(**changed: object) -> dict[str, object]:
    """Return what a card of the shop sends."""
    form = {"unit": "ROCK", "quantity": 3, "expected_price": 5, "key": "a-key-of-the-page"}
    return {**form, **changed}


def test_hostile_08_buying_needs_a_log_in_a_post_and_a_token() -> None:
    ann = new_user()
    guest = browser().post(reverse("shop_buy"), order())
    assert guest.url.startswith(reverse("account_login"))
    assert browser(ann).get(reverse("shop_buy")).status_code == 405
    assert browser().get(reverse("shop_buy")).status_code == 405
    strict = browser(ann, enforce_csrf_checks=True)
    assert strict.post(reverse("shop_buy"), order()).status_code == 403
    foreign = order(csrfmiddlewaretoken="x" * 64)
    assert strict.post(reverse("shop_buy"), foreign).status_code == 403
    assert balance_of(ann.pk) == 100


def test_hostile_31_a_choice_after_the_clock_is_too_late() -> None:
    """An action that comes after the clock, before any sweep, is judged after the clock."""
    kit = TableKit(new_user(), new_user())
    kit.start()
    user = kit.on_turn()
    submission = kit.submission(user, kind="call")
    kit.now += timedelta(seconds=21)
    kit.beat()
    answer = writing.apply_batch([submission], kit.now).answers[0]
    assert answer.error.code == "stale"
    assert kit.row.status == "over"
    assert "folded" in kinds_of(kit.match)


def test_hostile_30_nobody_attacks_themselves_who_is_out_or_not_there() -> None:
    """The own seat, one who has folded, one who gave up, an empty chair, a chair there is not."""
    people = [new_user() for _ in range(4)]
    kit = TableKit(*people, seats=4, target=3)
    kit.start()
    folded = kit.on_turn()
    kit.act(folded, kind="fold")
    kit.call_all()
    left = [user for user in people if user != folded]
    kit.act(left[2], kind="leave")
    kit.pass_time(31)  # One has left when the round is over.
    ann, spectator = left[0], new_user()
    seat_of = {user.pk: seat for seat, user in enumerate(people)}
    with nothing_moves():
        for target in (ann, folded, left[2]):
            for action in ({"kind": "attack", "weapon": "rock"}, {"kind": "mine"}):
                error = kit.answer(ann, **action, target=seat_of[target.pk]).error
                assert error.code == "action/bad_target"
        for target in (4, 39, -1, "bob", None):
            error = kit.answer(ann, kind="attack", weapon="rock", target=target).error
            assert error.code in ("action/bad_target", "bad_field")
        # Who has no seat here, and a table that is none.
        assert kit.answer(spectator, kind="attack", weapon="rock", target=0).error.code == (
            "action/not_seated"
        )
        stranger = kit.submission(ann, kind="attack", weapon="rock", target=1)
        nowhere = replace(stranger, match_id=2**31 - 1)
        assert writing.apply_batch([nowhere], kit.now).answers[0].error.code == "not_found"


def test_hostile_70_a_wallet_never_holds_more_than_can_be_counted() -> None:
    ann = new_user()
    give(wallet(ann.pk), 10)
    Account.objects.filter(owner=f"user:{ann.pk}", unit=Unit.POINT).update(balance=MOST_BALANCE - 1)
    with pytest.raises(LimitReached) as refusal:
        post([move(mint(Unit.POINT), wallet(ann.pk), 2)], NOON)
    assert (refusal.value.code, MOST_BALANCE) == ("limit", 10**12)
    assert held(wallet(ann.pk)) == MOST_BALANCE - 1
    Account.objects.filter(owner=f"user:{ann.pk}", unit=Unit.POINT).update(balance=110)
