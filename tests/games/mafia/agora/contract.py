"""Data of Agoran Mafia for the contract suite."""

from games.engine.facts import SeatNo
from games.engine.structs import Kinded
from games.mafia.agora.bot import AgoraBot
from games.mafia.agora.rules.actions import Choose, Vote
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState
from games.mafia.common.rules.actions import Done, Post, Undone, WriteWill
from games.text.typed import View
from tests.games.contract.kit import Contract, table_view
from tests.games.mafia.agora.kit import town
from tests.games.mafia.agora.rules.kit import Town
from tests.games.mafia.common.bots import told_games
from tests.games.mafia.common.rules.kit import blind, done_at_night, is_in_town
from tools.referee.agora import CARD, TRIAL, unknown_to

#: A vote for somebody is not among them: a lynching shows who won.
ASKED: tuple[Kinded, ...] = (
    *(Done(), Undone(), Vote(None), Choose(1), Choose("none"), WriteWill("d"), WriteWill("")),
    *(Post(room, "a") for room in ("town", "mafia", "dead")),
)


def mates(state: AgoraState, seat: SeatNo) -> set[SeatNo]:
    """Return who may learn what somebody does: of the mafia all others of it."""
    mafia = {citizen.no for citizen in state.mafia}
    return {seat} | (mafia if seat in mafia else set())


def largest() -> tuple[AgoraState, int]:
    town = Town(17, quiet_limit=30)
    for _ in range(20):
        town.night(sheriff=1, mafioso="none", doctor=2, agent=3)
        for seat in range(10):
            town.post(seat, "town", "x" * 4_000)
        for seat in town.alive:
            town.vote((seat * 3) % 17 if seat % 2 else "none", seat)
        if town.view()["stage"] == "day":
            town.late()
    return town.state, 8_000


def views() -> dict[str, View]:
    """Return views of a town's doctor by night and by day, of its sheriff, and of spectators."""
    town, names = Town(), [f"p{no}" for no in range(7)]
    doctor, sheriff, bad = map(town.one, (Role.DOCTOR, Role.SHERIFF, Role.MAFIOSO))

    def of(seat: int | None) -> View:
        return table_view("agora", seat, names, town.view(seat))

    found = {"night": of(doctor), "night, watched": of(None)}
    town.night(sheriff=bad)
    found |= {"day": of(doctor), "day, watched": of(None)}
    town.vote(bad, sheriff, 0 if sheriff else 1)
    found |= {"voted": of(sheriff), "voted, watched": of(None)}
    town.late()
    found |= {"after": of(None)}
    for chair in found["after"]["seats"]:
        chair["player"]["bot"] = chair["no"] == 4
        chair |= {"present": None, "seen_on": ("2026-11-22", None)[chair["no"] % 2]}
    return found


CONTRACT = Contract(
    options=({"seats": 5, "phase_seconds": 60}, {"seats": 7, "phase_seconds": 600}),
    begin=lambda age=0: town(7, age=age),
    every=7,
    reasons=frozenset({"mafia_dead", "mafia_equal", "quiet"}),
    worlds=TRIAL.other_worlds,
    blind=lambda state, viewer: blind(
        state, viewer, CARD, lambda own: unknown_to(state, own), ASKED
    ),
    unheard=lambda state, seat: done_at_night(Agora(), state, seat, "mafia"),
    mates=mates,
    is_open=is_in_town,
    unlisted=lambda state, seat, action: isinstance(action, Done | Undone),
    largest=largest,
    # The table asks for the end of a game among bots, which the referee does not.
    unrecorded=frozenset({"played_out"}),
    ordered=frozenset({"choose", "leave"}),
    taken_over=frozenset({"idle_phases"}),
    opens=True,
    views=views,
    untyped=frozenset({"post", "write_will"}),
    bots=lambda: told_games(Agora(), AgoraBot(), (5, 7, 9, 8)),
)
