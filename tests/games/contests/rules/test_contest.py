"""A contest against a model of the rule book.  Source: docs/rules/agora.md "The contest"."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contests.rules import errors, games, parties, state
from games.contests.rules.state import Allowed, Contest, Limits
from games.engine.errors import IllegalAction, refuse
from games.engine.facts import Fact, Instant, Step
from games.engine.structs import kind_of, replace
from tests.refusals import refuses

HOUR, DAY = 3_600_000, 86_400_000
PEOPLE = range(8)
LEAST, MOST = 3, 5
ALLOWED = Allowed(
    settings={"wanted": Limits(LEAST, MOST), "threshold": Limits(1, 60), "early_end": None},
    amendable=frozenset({"wanted", "threshold", "early_end"}),
    least=LEAST,
    most=MOST,
    effect=4 * DAY,
    between=7 * DAY,
    idle=7 * DAY,
)
NARROW = replace(ALLOWED, settings={**ALLOWED.settings, "threshold": Limits(1, 30)})
USUAL = {"wanted": 4, "threshold": 60, "early_end": True}
#: Pairs who may not play together.
APART = frozenset({frozenset({0, 1}), frozenset({2, 5})})


class Book:
    """The contest as the rule book tells it, with lists and dictionaries and nothing else."""

    def __init__(self, founder: int, *, is_master: bool) -> None:
        self.founder, self.master = founder, founder if is_master else None
        self.parties = [founder]
        self.queue: list[int] = []
        self.playing: list[int] | None = None
        self.alive: list[int] = []
        self.chosen: dict[str, Any] = dict(USUAL)
        self.open: dict[str, Any] | None = None
        self.spoke: dict[int, int] = {}
        self.undo: dict[str, Any] | None = None
        self.undoers: list[int] = []
        self.idle_from = 0
        self.shut = False
        self.played = 0

    def join(self, who: int, now: int) -> bool:
        if self.shut or who in self.parties:
            return False
        self.parties.append(who)
        return True

    def leave(self, who: int, now: int) -> bool:
        if self.shut or who not in self.parties or who in self.alive:
            return False
        self.unready(who, now)
        self.parties.remove(who)
        self.master = None if who == self.master else self.master
        return True

    def vanish(self, who: int, now: int) -> bool:
        """The contestmaster, not ``who``, has not been here for long."""
        if self.shut or self.master is None:
            return False
        self.master = None
        return True

    def ready(self, who: int, now: int) -> bool:
        if self.shut or who not in self.parties:
            return False
        self.queue += [] if who in self.queue else [who]
        return True

    def unready(self, who: int, now: int) -> bool:
        if self.shut or who not in self.parties:
            return False
        self.queue = [each for each in self.queue if each != who]
        return True

    def team(self) -> tuple[list[int], list[int]]:
        team: list[int] = []
        out: list[int] = []
        for who in self.queue:
            if len(team) < MOST:
                bad = any({who, other} in APART for other in team)
                (out if bad else team).append(who)
        return team, out

    def start(self, who: int | None, now: int) -> bool:
        if self.shut or self.playing is not None:
            return False
        if who is None:
            is_allowed = self.master is None and len(self.queue) >= self.chosen["wanted"]
        elif who == self.master:
            is_allowed = True
        else:
            late = now - self.idle_from >= 7 * DAY
            is_allowed = late and who in self.parties
        team, out = self.team()
        if not is_allowed or len(team) < (self.chosen["wanted"] if who is None else LEAST):
            return False
        self.queue = [each for each in self.queue if each not in team + out]
        self.playing, self.alive, self.played = team, list(team), self.played + 1
        return True

    def die(self, who: int, now: int) -> bool:
        if self.playing is None or who not in self.alive:
            return False
        self.alive.remove(who)
        return True

    def end(self, who: int, now: int) -> bool:
        """``who`` has slept through two phases."""
        if self.playing is None:
            return False
        self.playing, self.alive, self.idle_from = None, [], now
        self.queue = [each for each in self.queue if each != who]
        return True

    def propose(self, who: int, now: int, wanted: dict[str, Any]) -> bool:
        other = {name: new for name, new in wanted.items() if self.chosen[name] != new}
        lately = who in self.spoke and now - self.spoke[who] < 7 * DAY
        fits = 1 <= wanted.get("threshold", 1) <= 60 and 3 <= wanted.get("wanted", 3) <= MOST
        if self.shut or who not in self.parties or self.open or not fits or not other:
            return False
        undoes = self.undo is not None and who not in self.undoers
        undoes = undoes and all(
            self.undo is not None and name in self.undo and self.undo[name] == new
            for name, new in other.items()
        )
        if lately and not undoes:
            return False
        voters = [each for each in self.parties if each != who]
        self.open = {"by": who, "to": other, "at": now + 4 * DAY, "voters": voters, "against": []}
        if undoes:
            self.undoers.append(who)
        else:
            self.spoke[who] = now
        return True

    def withdraw(self, who: int, now: int) -> bool:
        if self.open is None or now >= self.open["at"] or who != self.open["by"]:
            return False
        self.open = None
        return True

    def object(self, who: int, now: int) -> bool:
        case = self.open
        if case is None or now >= case["at"] or who not in case["voters"]:
            return False
        if who in case["against"]:
            return False
        case["against"].append(who)
        if len(case["against"]) == 3 or set(case["against"]) == set(case["voters"]):
            self.open = None
        return True

    def pass_by(self, now: int, most: int) -> None:
        if self.open is not None and now >= self.open["at"]:
            if self.open["to"].get("threshold", 1) <= most:
                self.undo = {name: self.chosen[name] for name in self.open["to"]}
                self.undoers = []
                self.chosen.update(self.open["to"])
            self.open = None

    def close(self, who: int, now: int) -> bool:
        boss = self.founder if self.master is None else self.master
        blood = self.playing is not None and len(self.alive) < len(self.playing)
        if self.shut or who != boss or blood:
            return False
        self.shut, self.playing, self.alive, self.open, self.queue = True, None, [], None, []
        return True


class Two:
    def __init__(self, *, is_master: bool) -> None:
        found = parties.found(ALLOWED, 0, dict(USUAL), Instant(0), is_master=is_master)
        self.state, self.book = found.state, Book(0, is_master=is_master)
        self.now = 0
        self.facts: list[str] = [event.kind for event in found.events]

    def rule(self, make: Callable[[Contest, Instant], Step[Contest]]) -> bool:
        try:
            step = make(self.state, Instant(self.now))
        except IllegalAction:
            return False
        self.state = step.state
        self.facts += [event.kind for event in step.events]
        return True

    def do(self, deed: str, who: int, more: Any) -> None:
        book, alive, no = self.book, frozenset(self.book.alive), self.state.proposals
        rules: dict[str, Callable[[Contest, Instant], Step[Contest]]] = {
            "propose": lambda c, at: parties.propose(c, ALLOWED, who, more, at),
            "object": lambda c, at: parties.object_to(c, who, no, at),
            "withdraw": lambda c, at: parties.withdraw(c, who, no, at),
            "start": lambda c, at: begin(c, who, at),
            "site_start": lambda c, at: begin(c, None, at),
            "end": lambda c, at: games.end_game(c, "won", (), {who}, at),
            "close": lambda c, at: games.close(c, who, alive, at),
            "leave": lambda c, at: parties.leave(c, who, alive),
            "join": lambda c, at: parties.join(c, who),
            "ready": lambda c, at: parties.make_ready(c, who),
            "unready": lambda c, at: parties.make_unready(c, who),
            "vanish": lambda c, at: vanish(c),
        }
        if deed == "wait":
            self.now += who * 12 * HOUR
            limits = NARROW if more == {"threshold": 40} else ALLOWED
            self.rule(lambda c, at: parties.take_effect(c, limits, at))
            book.pass_by(self.now, 30 if limits is NARROW else 60)
        elif deed == "die":
            book.die(who, self.now)
        elif deed != "end" or self.state.game is not None:
            did, name = self.rule(rules[deed]), deed.removeprefix("site_")
            given = (more,) if deed == "propose" else ()
            who_did = None if deed == "site_start" else who
            assert did == getattr(book, name)(who_did, self.now, *given)
        else:
            assert not book.end(who, self.now)

    def compare(self) -> None:
        state, book = self.state, self.book
        assert [party.user for party in state.parties] == book.parties
        assert (list(state.ready), state.master) == (book.queue, book.master)
        assert (None if state.last_change is None else state.last_change.before) == book.undo
        assert state.settings == book.chosen
        assert (None if state.game is None else list(state.game.players)) == book.playing
        assert (state.games, state.is_open) == (book.played, not book.shut)
        assert (state.proposal is None) == (book.open is None)
        if state.proposal is not None and book.open is not None:
            assert list(state.proposal.objected) == book.open["against"]
            assert state.proposal.effect_at == book.open["at"]


def begin(contest: Contest, who: int | None, at: Instant) -> Step[Contest]:
    """Start as the service does: check permission, players and their number."""
    if who is None:
        if not games.is_site_to_start(contest):
            refuse("contest/not_contestmaster", "not now", at=None)
    else:
        games.require_may_start(contest, ALLOWED, who, at)
    picked = games.pick(
        contest.ready,
        ALLOWED.most,
        lambda who, others: "apart" if any({who, other} in APART for other in others) else None,
    )
    games.require_enough(contest, ALLOWED, picked, by_site=who is None)
    return games.begin(contest, who, picked)


def vanish(contest: Contest) -> Step[Contest]:
    """Replace the contestmaster as the service does: where a user is it, and it is open."""
    if contest.master is None:
        refuse("contest/not_contestmaster", "the site is contestmaster", at=None)
    return parties.replace_master(contest)


CHANGES: list[dict[str, Any]] = [
    {"threshold": 40},
    {"threshold": 60},
    {"threshold": 61},
    {"wanted": 3},
    {"wanted": 2},
    {"early_end": False, "wanted": 5},
    {},
]
KINDS = [
    *("join", "join", "ready", "ready", "ready", "unready", "leave", "start", "site_start"),
    *("die", "end", "propose", "object", "object", "withdraw", "wait", "vanish", "close"),
]
ACTIONS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(PEOPLE), st.sampled_from(CHANGES)),
    max_size=60,
)


def walk(
    is_master: bool, early: Iterable[int], actions: Iterable[tuple[str, int, Any]]
) -> set[str]:
    """Run these actions by the rules and by the model; return the kinds of the facts."""
    two = Two(is_master=is_master)
    for who in sorted(early):
        two.do("join", who, {})
    for deed in actions:
        if deed[0] == "close" and len(two.facts) < 30:
            continue
        two.do(*deed)
        two.compare()
    return set(two.facts)


@settings(max_examples=200, deadline=None)
@given(st.booleans(), st.sets(st.sampled_from(PEOPLE)), ACTIONS)
def test_contest_is_as_the_rule_book_tells_it(is_master, early, actions) -> None:
    walk(is_master, early, actions)


@pytest.mark.plain
def test_contest_is_as_the_rule_book_tells_it_in_long_walks_that_meet_every_fact() -> None:
    chance, met = random.Random(17), set[str]()
    for _ in range(60):
        actions = [
            (chance.choice(KINDS), chance.choice(PEOPLE), chance.choice(CHANGES))
            for _ in range(150)
        ]
        met |= walk(chance.random() < 0.5, PEOPLE, actions)
    assert met == {
        kind_of(kind) for kind in Fact.__subclasses__() if kind.__module__ == state.__name__
    }


def founded(count: int, *, is_master: bool = False) -> Contest:
    state = parties.found(ALLOWED, 0, dict(USUAL), Instant(0), is_master=is_master).state
    for who in range(1, count):
        state = parties.join(state, who).state
    return state


def test_amendment_objection_stays_when_its_maker_leaves_and_newcomers_have_none() -> None:
    state = parties.propose(founded(5), ALLOWED, 0, {"threshold": 40}, Instant(0)).state
    state = parties.object_to(state, 1, 1, Instant(1)).state
    state = parties.leave(state, 1, ()).state
    state = parties.join(state, 7).state
    for who in (0, 7, 1):
        with refuses("contest/may_not_object"):
            parties.object_to(state, who, 1, Instant(2))
    state = parties.leave(state, 2, ()).state
    for who in (2, 3):
        state = parties.object_to(state, who, 1, Instant(3)).state
    assert state.proposal is None


@pytest.mark.plain
@pytest.mark.parametrize(
    "change",
    [
        *({"threshold": value} for value in (0, 61, True, "5", 1.0, None, 10**30)),
        *({"early_end": 1}, {"quiet_limit": 3}, {"contest": False}),
    ],
    ids=str,
)
def test_amendment_of_a_wrong_value_or_of_what_is_no_setting_is_refused(change) -> None:
    with pytest.raises(errors.OutOfLimits):
        parties.propose(founded(3), ALLOWED, 1, change, Instant(0))


def changed(count: int, threshold: int = 40) -> Contest:
    state = parties.propose(founded(count), ALLOWED, 0, {"threshold": threshold}, Instant(0))
    return parties.take_effect(state.state, ALLOWED, Instant(4 * DAY)).state


@pytest.mark.parametrize(("count", "needed"), [(2, 1), (3, 2), (4, 3), (5, 3)])
def test_amendment_fails_by_the_objection_of_all_where_fewer_than_three_may(count, needed) -> None:
    state = parties.propose(founded(count), ALLOWED, 0, {"threshold": 40}, Instant(0)).state
    assert state.proposal is not None
    assert state.proposal.needed == needed
    for who in range(1, needed + 1):
        assert state.proposal is not None
        state = parties.object_to(state, who, 1, Instant(1)).state
    assert state.proposal is None


def test_amendment_is_withdrawn_by_its_proposer_alone_while_it_is_open() -> None:
    state = parties.propose(founded(3), ALLOWED, 0, {"threshold": 40}, Instant(0)).state
    with refuses("contest/not_proposer"):
        parties.withdraw(state, 1, 1, Instant(1))
    for no, at in ((2, 1), (1, 4 * DAY)):
        with refuses("contest/no_proposal"):
            parties.withdraw(state, 0, no, Instant(at))
    gone = parties.leave(state, 0, ()).state
    for step in (parties.withdraw(each, 0, 1, Instant(1)) for each in (state, gone)):
        assert [event.data for event in step.events] == [{"no": 1, "reason": "withdrawn"}]
        assert step.state.proposal is None
    again = parties.withdraw(state, 0, 1, Instant(1)).state
    with refuses("contest/proposed_lately"):
        parties.propose(again, ALLOWED, 0, {"threshold": 50}, Instant(2))


@pytest.mark.plain
def test_amendment_that_took_effect_may_be_proposed_back_at_once_and_once() -> None:
    assert changed(1).settings["threshold"] == 40, "of the only party"
    state, now = changed(4), Instant(4 * DAY)
    for other in ({"threshold": 50}, {"threshold": 60, "wanted": 3}):
        with refuses("contest/proposed_lately"):
            parties.propose(state, ALLOWED, 0, other, now)
    back = parties.propose(state, ALLOWED, 0, {"threshold": 60}, now).state
    assert back.proposal.is_back
    gone = parties.withdraw(back, 0, 2, now).state
    with refuses("contest/proposed_lately"):
        parties.propose(gone, ALLOWED, 0, {"threshold": 60}, now)
    other = parties.propose(gone, ALLOWED, 1, {"threshold": 60}, now).state
    assert other.proposal.is_back
    # It does not count for the week.
    gone = parties.withdraw(other, 1, 3, now).state
    assert parties.propose(gone, ALLOWED, 1, {"threshold": 50}, now).events


@pytest.mark.parametrize("is_master", [False, True])
def test_contest_without_a_game_for_seven_days_is_started_by_any_party(is_master: bool) -> None:
    state = founded(4, is_master=is_master)
    for who in (1, 2, 3):
        state = parties.make_ready(state, who).state
    with refuses("contest/not_contestmaster") as refusal:
        begin(state, 1, Instant(7 * DAY - 1))
    assert refusal.value.detail == {"at": 7 * DAY}
    with refuses("contest/not_party"):
        begin(state, 7, Instant(7 * DAY))
    game = begin(state, 1, Instant(7 * DAY)).state.game
    assert game is not None
    assert game.players == (1, 2, 3)
