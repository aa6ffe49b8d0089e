from games.arena.rules.actions import Choose
from games.arena.rules.columns import Columns, resolve_arrays
from games.arena.rules.moves import MOVES, Move
from games.arena.rules.options import RoundOptions
from games.arena.rules.resolve import Figures
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import replace
from tests.games.arena.rules.kit import NOON, RULES, SEED, arena


def test_arena_secrets_do_not_show_in_the_text_of_what_holds_them() -> None:
    step = RULES.apply(arena(), SeatNo(0), Choose(Move.SCISSORS), NOON)
    columns = Columns(choices=b"\3", streaks=[0], scores=[0])
    resolved = resolve_arrays(columns, RoundOptions(), SEED)
    for held in (step, step.state, step.events, columns, resolved):
        assert "scissors" not in repr(held).lower()
        assert SEED not in repr(held)


def test_arena_a_grant_names_fifty_and_counts_all() -> None:
    state = arena(seats=80)
    players = tuple(
        replace(each, choice=MOVES[each.no % 3], figures=Figures(streak=5))
        for each in state.players
    )
    state = replace(state, players=players, round_options=RoundOptions())
    live = RULES.view(state, Viewer(SeatNo(0)))["you"]["live"]
    assert (sum(live["counts"].values()), sum(map(len, live["seats"].values()))) == (80, 50)
