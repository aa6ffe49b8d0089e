"""Games that begin at once, in threads that commit for real, hold a day's limits all the same."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from accounts.models import User
from economy.ledger import wallet
from economy.models import Setting
from games.matches.processing import writing
from tests.at_once import all_at_once
from tests.economy.kit import give
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import MatchKit
from tests.games.table_kit import TableKit, new_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def begun_at_once(kits: Sequence[MatchKit], last: User) -> list[str | None]:
    """Make a user ready at all tables at once; return the codes of the answers, sorted."""
    now = max(kit.now for kit in kits) + timedelta(seconds=6)
    for kit in kits:
        kit.now = now
        kit.beat()
    ready = [kit.submission(last, kind="ready", configuration=1) for kit in kits]
    answers = all_at_once(
        lambda one=one: writing.apply_batch([one], now).answers[0] for one in ready
    )
    assert sum(kit.row.status == "running" for kit in kits) == 1
    codes = [answer.error and answer.error.code for answer in answers]
    return sorted(codes, key=str)


@pytest.mark.parametrize("_round", range(4))
def test_hostile_58_duels_begun_at_once_count_for_each_other(_round: int) -> None:
    """Each of three may begin alone, and by one the day's most is at stake."""
    Setting.objects.filter(name="duel.largest_stake").update(value=1_000)
    ann, bob = new_user(), new_user()
    for user in (ann, bob):
        give(wallet(user.pk), 900)
    kits = [DuelKit(ann, bob, stake=300) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody()
        kit.act(ann, kind="ready", configuration=1)
    assert begun_at_once(kits, bob) == [None, "limit", "limit"]


@pytest.mark.parametrize("_round", range(4))
def test_games_with_bots_begun_at_once_hold_the_limit(_round: int) -> None:
    ann = new_user()
    give(wallet(ann.pk), 900)
    kits = [TableKit(ann, seats=2) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody(50)
        kit.act(ann, kind="add_bot")
    assert begun_at_once(kits, ann) == [None, "action/bot_limit", "action/bot_limit"]
