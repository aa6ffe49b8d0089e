"""The analysis of a finished duel: its figures and sentences, and who gets them."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from accounts.models import User
from games.duel import reading
from games.duel.analysis import AnalysisView, analysis_of
from games.duel.rules.state import BEATS, LETTERS, Hand
from games.matches.models import Match
from games.matches.queries.addresses import replay_url
from games.replays.histories import history_of, written
from tests.accounts.kit import browser
from tests.forms import form
from tests.games.duel.kit import DuelKit
from tests.games.finished import finished
from tests.games.match_kit import new_user

Facts = list[tuple[str, dict[str, Any]]]
NAMES = {0: "Ann", 1: "Bob"}
#: What a pair of letters says of a seat without a hand.
NOTHING = "-"


def facts_of(throws: str) -> Facts:
    """Return the facts of throws that are written as pairs of letters: ``rp s- --``."""
    facts: Facts = [("hand_chosen", {"seat": 0, "hand": "rock"})]
    for number, pair in enumerate(throws.split(), start=1):
        hands = [LETTERS.get(letter) for letter in pair]
        if hands == [None, None]:
            facts.append(("throw_voided", {"throw": number}))
            continue
        winners = [no for no in (0, 1) if _beats(hands[no], hands[1 - no])]
        facts.append(("hands_revealed", {"throw": number, "hands": hands, "winners": winners}))
    return facts


def _beats(own: Hand | None, theirs: Hand | None) -> bool:
    return own is not None and (theirs is None or BEATS[own] == theirs)


def analysed(throws: str) -> AnalysisView:
    found = analysis_of(facts_of(throws), NAMES)
    assert found is not None
    return found


@pytest.mark.plain
def test_analysis_of_three_throws_by_hand() -> None:
    """Of six opinions of equal weight three have seen one rock: (1 + ½) / (1 + 1½) = 0.6 each."""
    found = analysed("rp rp rp")
    ann, bob = found["sides"]
    assert found["version"] == reading.VERSION
    third = (3 * 0.6 + 3 / 3) / 6
    other = round((1 - third) / 2, 3)
    assert [set(cell["expected"].values()) for cell in ann["cells"][:2]] == [{0.333}, {0.333}]
    expected = {"rock": round(third, 3), "paper": other, "scissors": other}
    assert ann["cells"][2]["expected"] == expected
    assert [cell["reply"] for cell in ann["cells"]] == [None, None, "paper"]
    assert [cell["read"] for cell in ann["cells"]] == [0, 0, 1]
    assert (ann["thrown"], ann["read"], ann["dearest"]) == (3, 1, 3)
    cost = "Throw 3 cost {} most: rock was expected with 47 %."
    assert ann["lines"] == ["Ann was read on 1 of 3 throws; chance is 1.", cost.format("Ann")]
    assert ann["own_lines"] == ["You were read on 1 of 3 throws; chance is 1.", cost.format("you")]
    assert bob["lines"] == ["Bob was read on 1 of 3 throws; chance is 1."], "it lost nothing"
    assert found["lines"][:3] == [*ann["lines"], *bob["lines"]]
    assert found["lines"][-1] == (
        "Throw 3: Ann: rock, expected rock 47 %, paper 27 %, scissors 27 %: read;"
        " Bob: paper, expected rock 27 %, paper 47 %, scissors 27 %: read."
    )


#: Throws -> what is said of both.
SHORT = [
    ("rp", ["Ann was read on 0 of 1 throw; chance is 0 or 1."],
     ["Bob was read on 0 of 1 throw; chance is 0 or 1."]),
    ("rr rr", ["Ann was read on 0 of 2 throws; chance is 0 or 1."],
     ["Bob was read on 0 of 2 throws; chance is 0 or 1."]),
    ("-r -- -r", ["Ann threw nothing in time."],
     ["Bob was read on 0 of 2 throws; chance is 0 or 1."]),
]  # fmt: skip


@pytest.mark.parametrize(("throws", "ann", "bob"), SHORT)
def test_analysis_of_one_throw_of_ties_and_of_missed_hands(throws, ann, bob) -> None:
    found = analysed(throws)
    assert [side["lines"] for side in found["sides"]] == [ann, bob]
    numbers = [cell["throw"] for cell in found["sides"][0]["cells"]]
    assert numbers == list(range(1, len(throws.split()) + 1))
    assert len(found["lines"]) == 2 + len(numbers)


def test_analysis_of_no_shown_hand_is_none_even_if_one_was_chosen() -> None:
    assert analysis_of(facts_of(""), NAMES) is analysis_of(facts_of("-- --"), NAMES) is None


def test_analysis_says_a_tie_of_both_is_no_cost_and_a_missed_hand_neither() -> None:
    rocks = "rr rr rr"
    assert analysed(rocks)["sides"][0]["dearest"] is None
    assert analysed(f"{rocks} -r")["sides"][0]["dearest"] is None
    assert analysed(f"{rocks} rp")["sides"][0]["dearest"] == 4


def foreseen(wanted: str) -> str:
    """Return rocks of Bob and throws of Ann that are read (``+``) or misread (``-``) in turn."""
    observer, throws = reading.Observer(), ["rr", "rr"]
    for _ in throws:
        observer.learn(Hand.ROCK, Hand.ROCK)
    for place in range(reading.LEAST - len(throws)):
        reply = reading.best_reply(observer.expected()) or Hand.PAPER
        own = BEATS[reply]
        if wanted[place % len(wanted)] == "-":
            own = next(hand for hand in Hand if BEATS[hand] == reply)
        throws.append(own.value[0] + "r")
        observer.learn(own, Hand.ROCK)
    return " ".join(throws)


EDGE = "A reader wins 93 more than it loses in 100 throws against {}; chance is 0, give or take 9."


def test_analysis_has_an_edge_from_30_throws_on() -> None:
    """Read on 28 of 30: a variance of (28 · 0.0667² + 2 · 0.9333²) / 29 = 0.0644."""
    ann = analysed("rs " * 30)["sides"][0]
    assert ann["edge"] == {"value": 93.3, "give_or_take": 9.1}
    assert ann["lines"][:2] == [
        "Ann was read on 28 of 30 throws; chance is 10.",
        EDGE.format("Ann"),
    ]
    assert ann["own_lines"][1] == EDGE.format("you")
    assert len(analysed("rs " * 29)["sides"][0]["lines"]) == 1


@pytest.mark.parametrize(
    ("wanted", "edge", "bits"),
    [
        ("+", "wins 93 more than it loses", "more"),
        ("-", "loses 90 more than it wins", "less"),
        ("+-", "wins as many as it loses", ""),
    ],
)
def test_analysis_says_who_won_more(wanted: str, edge: str, bits: str) -> None:
    lines = analysed(foreseen(wanted))["sides"][0]["lines"]
    assert f"A reader {edge} in 100 throws against Ann; chance is 0, give or take" in "".join(lines)
    assert lines[-1].startswith("The reader knew ")
    assert lines[-1].endswith(f" bits a throw {bits} about Ann than chance.") or not bits


def played(**options: Any) -> DuelKit:
    kit = DuelKit(new_user("ann"), new_user("bob"), **options)
    kit.start()
    return kit


def path_of(kit: DuelKit, name: str = "analysis.json") -> str:
    return f"/matches/{kit.match.public_id}/{name}"


def told(kit: DuelKit, user: User | None = None) -> Any:
    answer = browser(user).get(path_of(kit))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    return answer.json()


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(form(1, in_all=3, in_long=30)))
def test_analysis_of_a_journal_is_what_the_observer_reads(number: int) -> None:
    kit = played(best_of=9 + 20 * number, no_ties=bool(number % 2))
    kit.chance.seed(number)
    while kit.row.status == Match.Status.RUNNING:
        kit.play_like_bots(kit.snapshot)
    entries = history_of(kit.row)["entries"]
    facts = [fact for entry in entries for fact in entry["facts"]]
    hands = [fact["data"]["hands"] for fact in facts if fact["kind"] == "hands_revealed"]
    for side in told(kit)["sides"]:
        no = side["seat"]
        cells = reading.read([(Hand(each[no]), Hand(each[1 - no])) for each in hands])
        assert [cell["hand"] for cell in side["cells"]] == [each[no] for each in hands]
        assert [cell["read"] for cell in side["cells"]] == [cell.won for cell in cells]
        for shown, cell in zip(side["cells"], cells, strict=True):
            expected = [shown["expected"][hand] for hand in Hand]
            assert expected == pytest.approx(cell.expected, abs=0.0006)
        edge = reading.edge_of(cells)
        assert (side["edge"] is None) == (edge is None) == (len(hands) < reading.LEAST)


@pytest.mark.django_db
@pytest.mark.both_databases
def test_analysis_stands_in_history_and_export_with_names() -> None:
    kit = played(best_of=3)
    kit.win(kit.ann)
    name = kit.ann.username
    lines = told(kit)["lines"]
    assert lines[0] == f"{name} was read on 0 of 2 throws; chance is 0 or 1."
    history = history_of(kit.row)
    assert (
        history["analysis"]
        == told(kit)
        == browser().get(path_of(kit, "export.json")).json()["analysis"]
    )
    text = written(history)
    assert [f"analysis: {json.dumps(line)}" for line in lines] == [
        line for line in text.split("\n") if line.startswith("analysis: ")
    ]
    api = browser().get(f"/api/v1/matches/{kit.match.public_id}/history").json()
    assert api["analysis"] == told(kit)


@pytest.mark.django_db
@pytest.mark.plain
def test_analysis_is_for_those_who_may_see_the_replay_and_not_before_the_end() -> None:
    kit = played(best_of=3, spectators=False)
    eve = new_user("eve")

    def statuses() -> list[list[int]]:
        people: Sequence[User | None] = (None, eve, kit.ann)
        paths = (path_of(kit), path_of(kit, "replay.json"), replay_url(kit.row))
        return [[browser(user).get(path).status_code for path in paths] for user in people]

    kit.throw("rock", "scissors")
    assert statuses() == [[404] * 3] * 3
    kit.suspend()
    assert statuses() == [[404] * 3] * 3, "a suspended duel goes on"
    kit.resume()
    kit.win(kit.ann)
    assert statuses() == [[404] * 3, [404] * 3, [200] * 3]


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["resigned", "abandoned", "suspension", "void"])
def test_analysis_of_a_duel_that_ended_otherwise_has_what_was_shown(how: str) -> None:
    kit = played(best_of=5)
    kit.throw("rock", "scissors")
    if how != "abandoned":
        kit.throw("paper", None)
    kit.end(how)
    assert not kit.row.is_live
    found = told(kit)
    shown = 4 if how == "abandoned" else 1
    assert [cell["hand"] for cell in found["sides"][0]["cells"]] == ["rock", *[None] * (shown - 1)]
    assert [side["thrown"] for side in found["sides"]] == [1, 1], "a hand in secret stays secret"


@pytest.mark.django_db
def test_analysis_of_a_duel_without_a_throw_and_of_another_game_is_null() -> None:
    kit = played(best_of=3)
    kit.end("void")
    assert told(kit) is None
    other = finished("showdown")
    assert browser().get(f"/matches/{other.match.public_id}/analysis.json").json() is None
