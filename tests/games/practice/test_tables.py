import json
import re
from random import Random

import pytest

from economy.ledger import wallet
from games.engine.errors import NotInPhase, StaleAction
from games.engine.facts import Instant, Viewer
from games.engine.table import RUNNING
from games.matches.processing.submissions import Answer
from games.practice.memory import CHIPS, PERSON_ID, in_chips
from games.practice.tables import PERSON, PracticeTable
from games.practice.views import demo_of
from tests.games.practice.kit import NOON, SLUGS, THOUGHT, legal, open_table, play
from tests.refusals import codes

pytestmark = pytest.mark.skipif(not SLUGS, reason="no game of the registry can be practised")


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("seed", range(20))
def test_practice_games_come_to_an_end_without_a_database(slug: str, seed: int) -> None:
    # No mark of the database: any query would fail.
    table = open_table(slug)
    play(table, Random(seed))
    outcome = table.table.rules.outcome(table.state.play)[PERSON]
    assert table.chips == CHIPS + outcome.net


def wait_for_the_person(table: PracticeTable) -> None:
    while not table.is_waiting:
        assert table.wake_at is not None
        table.tick(table.wake_at)


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_practice_time_stands_still_while_the_person_decides(slug: str) -> None:
    table = open_table(slug)
    view = table.view()
    assert view["due_at"] is view["game"]["due_at"] is view["match"]["seed"] is None
    assert (view["you"]["may"], view["match"]["rated"]) == ([], False)
    wait_for_the_person(table)
    day = Instant(NOON + 86_400_000)
    table.tick(day)  # The bots that were thinking have thought.
    state = table.state
    table.tick(Instant(2 * day))
    assert (table.state, table.state.stage) == (state, RUNNING)
    assert table.is_waiting
    table.act(legal(table)[0], "a-late-action", table.match.phase, Instant(2 * day + 1))


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_practice_views_are_those_of_the_persons_seat_alone(slug: str) -> None:
    """Of a bot's secret choice the person sees only that it was made."""
    table = open_table(slug)
    rules = table.table.rules
    for turn in range(40):
        now = Instant(NOON + turn * THOUGHT)
        table.tick(now)
        if table.state.is_finished:
            break
        view = table.view()
        own = rules.view(table.state.play, Viewer(PERSON))
        shown = {**view["game"], "due_at": None}
        assert (shown, view["you"]["seat"]) == ({**own, "due_at": None}, PERSON)
        assert table.match.seed not in json.dumps(view)
        if table.is_waiting and (actions := legal(table)):
            table.act(actions[0], f"turn-{turn:06d}", table.match.phase, now)


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_practice_does_a_repeated_action_once_and_refuses_what_is_late_or_arranged(slug) -> None:
    table = open_table(slug)
    late = table.act({"kind": "leave"}, "an-old-action", table.match.phase + 7, NOON)
    assert isinstance(late.error, StaleAction)
    for kind, more in (
        ("stand", {}),
        ("add_bot", {}),
        ("unready", {}),
        ("configure", {"listed": False}),
    ):
        arranged = table.act({"kind": kind, **more}, f"arranged-{kind}", table.match.phase, NOON)
        assert isinstance(arranged.error, NotInPhase)
    wait_for_the_person(table)
    first, *others = legal(table)
    phase = table.match.phase
    assert table.act(first, "the-same-id", phase, NOON) == Answer()
    state = table.state
    assert table.act(first, "the-same-id", phase, NOON) == Answer(repeated=True)
    assert table.state == state
    if others:
        answer = table.act(others[0], "the-same-id", phase, NOON)
        assert codes([answer.error]) == ["conflict"]


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_practice_goes_on_with_the_chips_that_are_left_or_with_new_ones(slug: str) -> None:
    table = open_table(slug)
    now = play(table, Random(5))
    left = table.chips
    following = table.next(now)
    assert following.match.public_id != table.match.public_id
    following.start(now)
    assert following.state.stage == RUNNING
    assert following.chips + following.state.seats[PERSON].purse == left
    assert PracticeTable(table.plan, "Guest", now, {wallet(PERSON_ID): 0}).chips == CHIPS


@pytest.mark.skipif("showdown" not in SLUGS, reason="no game with weapons can be practised")
def test_practice_weapons_run_out_and_come_to_no_harm() -> None:
    table = open_table("showdown")
    for turn in range(40):
        now = Instant(NOON + turn * THOUGHT)
        table.tick(now)
        if table.view()["game"]["stage"] == "round":
            break
        if table.is_waiting:
            table.act({"kind": "call"}, f"turn-{turn:06d}", table.match.phase, now)
    mine = {"kind": "mine", "target": 1}
    assert table.view()["you"]["stock"]["landmine"] == 1
    table.act(mine, "the-only-mine", table.match.phase, now)
    assert table.view()["you"]["stock"]["landmine"] == 0
    before = table.state
    refused = table.act(mine, "one-mine-more", table.match.phase, now)
    assert codes([refused.error]) == ["ledger/insufficient_stock"]
    assert table.state == before


@pytest.mark.parametrize("slug", SLUGS)
def test_practice_lines_speak_of_chips_and_leave_victory_points(slug: str) -> None:
    table = open_table(slug)
    told = " ".join(line["text"] for line in table.view()["log"])
    assert "Guest" in told
    assert " points" not in told.replace("victory points", "")
    said = "Ann bets 3 points, 1 point is left; she has 2 victory points."
    assert in_chips(said) == "Ann bets 3 chips, 1 chip is left; she has 2 victory points."


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_practice_recorded_game_is_the_same_each_time(slug: str) -> None:
    recorded = []
    for _ in range(2):
        demo_of.cache_clear()
        moments = demo_of(slug, open_table(slug).plan.options)
        recorded.append(re.sub(r"practice-[\w-]{12}", "ID", moments))
    assert recorded[0] == recorded[1]
