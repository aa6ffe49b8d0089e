from random import Random
from typing import Any

import pytest

from economy.models import Setting
from games.duel.bot import DuelBot
from games.matches.models import Match, Seat
from games.matches.processing import bots
from games.matches.processing.bots import ensure_bots
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import bell_of, new_user

pytestmark = pytest.mark.django_db
BOT = DuelBot()


@pytest.fixture
def kit(db: None) -> DuelKit:
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=3, stake=5)
    kit.start()
    return kit


def test_needs_of_a_duel_follow_what_it_waits_for(kit: DuelKit) -> None:
    def told() -> list[list[str]]:
        return [[need["what"] for need in bell_of(user.pk)] for user in kit.people]

    assert told() == [["Throw"], ["Throw"]]
    kit.act(kit.ann, kind="throw", hand="paper")
    assert told() == [[], ["Throw"]]
    kit.act(kit.bob, kind="suspend")
    assert told() == [["Your opponent offers a break"], ["Throw"]]
    kit.act(kit.ann, kind="suspend")
    assert told() == [[], []]
    kit.act(kit.bob, kind="resume")
    assert told() == [["Your opponent is ready to continue"], []]


def with_bot(**options: object) -> DuelKit:
    ensure_bots()
    kit = DuelKit(new_user(), **options)
    kit.act(kit.ann, kind="sit", seat=0)
    kit.act(kit.ann, kind="add_bot")
    kit.act(kit.ann, kind="ready", configuration=1)
    assert kit.row.status == "running"
    return kit


def throw_rocks(kit: DuelKit) -> DuelKit:
    for _ in range(60):
        if kit.row.status == "over":
            return kit
        if "throw" in kit.view(kit.ann)["game"]["you"]["legal"]:
            kit.act(kit.ann, kind="throw", hand="rock")
        kit.pass_time(3.6)
    raise AssertionError("the duel does not end")


def test_bot_throws_at_a_human_pace_and_a_whole_duel_ends() -> None:
    kit = with_bot(best_of=5, no_ties=True, stake=4)
    assert 0.9 <= (kit.row.bot_at - kit.now).total_seconds() <= 3.5
    throw_rocks(kit)
    results = Seat.objects.filter(match=kit.match).values_list("result", flat=True)
    assert sorted(results) == ["lost", "won"]
    result = kit.act(kit.ann, kind="rematch")
    kit.match = Match.objects.get(public_id=result.snapshots[kit.match.pk].successor)
    kit.pass_time(5)
    assert kit.row.status == "running"
    # It agrees to no suspension and is not woken for it.
    kit.pass_time(3.6)
    assert kit.duel["seats"][1]["hand_in"]
    kit.act(kit.ann, kind="suspend")
    assert kit.row.bot_at is None
    assert bots.bot_actions(kit.row, kit.now) == []
    kit.pass_time(5)
    assert kit.duel["stage"] == "throwing"


def test_bot_goes_on_with_a_suspended_duel() -> None:
    def view(*legal: str) -> dict[str, Any]:
        game = {"stage": "throwing", "you": {"hand": None, "legal": list(legal)}}
        return {"match": {"game": "duel"}, "you": {"name": "Lefty_Malone"}, "game": game}

    assert BOT.choose(view("resume", "resign", "leave"), Random(1)) == [{"kind": "resume"}]
    assert BOT.choose(view("suspend", "resign", "leave"), Random(1)) == []


def test_bots_manners_keep_them_from_stakes_only() -> None:
    kit = throw_rocks(with_bot(stake=20))
    for no, net in ((0, 18), (1, -20)):
        Seat.objects.filter(match=kit.match, no=no).update(net=net)
    Setting.objects.filter(name="bots.daily_win_limit").update(value=5)
    refusals = []
    for stake in (1, 0):
        table = DuelKit(kit.ann, stake=stake)
        table.act(kit.ann, kind="sit", seat=0)
        refusals.append(table.answer(kit.ann, kind="add_bot").error)
    assert refusals[0].code == "action/no_bot_willing"
    assert refusals[1] is None
