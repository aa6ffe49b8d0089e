import random
from typing import Any

from games.engine.choices import clean_options
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, SeatSetup
from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, Vote, Withdraw
from games.mafia.dynamite.rules.state import DynamiteState, Options
from tests.forms import form
from tests.games.mafia.dynamite.rules.kit import NOON, RULES
from tests.games.mafia.dynamite.rules.oracle import Oracle, Refused

GAMES = form(60, in_all=120, in_long=400)
AIMED: dict[str, type[Vote | Confront]] = {"vote": Vote, "confront": Confront}
OTHERS = {"done": Done, "undone": Undone, "withdraw": Withdraw, "leave": Leave}
KINDS = ("vote",) * 8 + ("confront",) * 8 + ("done",) * 6 + ("undone", "withdraw", "leave")


def seen(state: DynamiteState) -> dict[str, Any]:
    is_over = state.stage == Stage.OVER
    return {
        "stage": state.stage.value,
        "alive": [player.no for player in state.living],
        "causes": {p.no: sorted(cause.value for cause in p.causes) for p in state.players},
        "points": {purse.team.value: purse.points for purse in state.points},
        "danger": {p.no: p.danger for p in state.living if not p.is_mafia},
        "votes": {p.no: p.vote for p in state.players if p.vote is not None},
        "targets": {p.no: p.target for p in state.players if p.target is not None},
        "due": RULES.deadline(state),
        "quiet": state.quiet_phases,
        "results": {no: one.result.value for no, one in RULES.outcome(state).items() if is_over},
        "teams": sorted(team.value for team in (state.result.teams if state.result else ())),
    }


def play(chance: random.Random) -> tuple[int, set[str]]:
    seats = chance.choice((4, 5, 6, 7, 8, 11, 13, 20))
    raw = {"seats": seats, "phase_seconds": chance.choice((60, 100, 86_400)), "quiet_limit": 6}
    options = clean_options(Options, raw)
    setups = [SeatSetup(SeatNo(no)) for no in range(seats)]
    state = RULES.setup(options, setups, str(chance.random()), NOON).state
    teams = {player.no: player.team.value for player in state.players}
    oracle = Oracle(teams, options.phase_seconds, options.quiet_limit, NOON)
    at, diligence = int(NOON), chance.choice((0.95, 0.99, 1.0))
    while state.stage != Stage.OVER:
        for _ in range(chance.randrange(4 * seats)):
            if state.stage == Stage.OVER or at + 1 >= (RULES.deadline(state) or 0):
                break
            at += 1
            kind = chance.choice(KINDS)
            if kind == "leave" and chance.random() < 0.8:
                kind = "done"
            state = both(state, oracle, chance.randrange(seats), kind, chance.randrange(seats), at)
        for player in state.living if state.stage == Stage.DAY else ():
            if player.may_act and player.vote is None and chance.random() < diligence:
                others = [each.no for each in state.living if each.no != player.no]
                target = chance.choice(others) if others else player.no
                state = both(state, oracle, player.no, "vote", target, at)
        if (due_at := RULES.deadline(state)) is not None:
            at = max(at, due_at)
            state = RULES.on_deadline(state, Instant(at)).state
            oracle.run_out(at)
            assert seen(state) == oracle.what_it_says()
    return state.round, {cause.value for player in state.players for cause in player.causes}


def both(
    state: DynamiteState, oracle: Oracle, seat: int, kind: str, target: int, at: int
) -> DynamiteState:
    """Ask the engine and the oracle for the same; both refuse it or come to the same."""
    asked = AIMED[kind](target) if kind in AIMED else OTHERS[kind]()
    refused = []
    try:
        state = RULES.apply(state, SeatNo(seat), asked, Instant(at)).state
    except IllegalAction:
        refused.append("by the engine")
    try:
        oracle.act(seat, kind, at, target)
    except Refused:
        refused.append("by the book")
    assert len(refused) != 1, (refused, kind, seat, target, seen(state))
    assert seen(state) == oracle.what_it_says()
    return state


def test_dynamite_the_engine_and_a_second_reading_of_the_book_agree() -> None:
    chance = random.Random("the book")
    played = [play(chance) for _ in range(GAMES)]
    assert max(rounds for rounds, _ in played) >= 3
    killed = set.union(*(causes for _, causes in played))
    assert killed == {"stapler", "explosion", "confronted", "townie", "left"}
