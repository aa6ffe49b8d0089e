"""Data of Rock, Paper, Scissors, Dynamite for the contract suite."""

from collections.abc import Iterator
from typing import Any

from games.engine.facts import SeatNo, Viewer
from games.engine.structs import Kinded
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.rules.actions import Confront, Vote, Withdraw
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import DynamiteState
from games.mafia.dynamite.rules.teams import VULNERABLE_TO, Team
from games.text.typed import View
from tests.games.contract.kit import Contract, table_view
from tests.games.mafia.common.bots import told_games
from tests.games.mafia.common.rules.kit import blind, done_at_night, is_in_town
from tests.games.mafia.dynamite.kit import band
from tests.games.mafia.dynamite.rules.kit import Band
from tools.referee.dynamite import CARD, TRIAL, is_known

ASKED: tuple[Kinded, ...] = (
    *(Undone(), Withdraw(), Vote(0), Vote(1), Confront(0), Confront(1), Confront(2)),
    *(Post(room, "a") for room in (*Team, "town", "dead")),
    *(WriteWill("b"), WriteWill("")),
)


def blind_in(state: DynamiteState, viewer: Viewer) -> Iterator[tuple[SeatNo, Kinded, Any]]:
    # Whether the last of a day is done shows everybody; by night it shows nobody.
    asked = (*ASKED, *((Done(), Leave()) if state.stage == Stage.NIGHT else ()))
    return blind(
        state, viewer, CARD, lambda own: [p for p in state.living if not is_known(p, own)], asked
    )


def unheard(state: DynamiteState, seat: SeatNo) -> list[Kinded]:
    player = state.member(seat)
    return (player and done_at_night(Dynamite(), state, seat, player.team, leaves=True)) or []


def mates(state: DynamiteState, seat: SeatNo) -> set[SeatNo]:
    """Return who may learn what somebody does: of a mafia all others of it."""
    player = state.member(seat)
    team = state.team(player.team) if player is not None and player.is_mafia else ()
    return {seat, *(mate.no for mate in team)}


def largest() -> tuple[DynamiteState, int]:
    """Return a town of forty late in a long game, in which confrontations did nothing."""
    band = Band(40, quiet_limit=60)
    for _ in range(12):
        for seat in band.alive[:10]:
            band.post(seat, "town", "x" * 4_000)
        band.quiet_day()
        for team in (Team.ROCK, Team.PAPER, Team.SCISSORS):
            # A mafia cannot harm the one to which it is vulnerable.
            target = band.are(VULNERABLE_TO[team])[0]
            for mate in band.are(team):
                band.give(team, 40)
                band.act(mate, Confront(target))
        band.late()
    for seat in band.alive:
        band.act(seat, Vote((seat + 1) % 40))
    assert len(band.alive) == 40
    return band.state, 32_000


def views() -> dict[str, View]:
    """Return views of a town's day and night: of a team, of others, and of spectators."""
    band, names = Band(), [f"p{no}" for no in range(8)]
    (rock, mate), paper, townie = (
        band.are(Team.ROCK), band.are(Team.PAPER)[0], band.are(Team.DYNAMITE)[0],
    )  # fmt: skip

    def of(seat: int | None) -> View:
        return table_view("dynamite", seat, names, band.view(seat))

    found = {"day": of(0), "watched": of(None)}
    band.act(0, Vote(1))
    found |= {"voted": of(None)}
    band.day()
    band.give(Team.ROCK, 4)
    band.act(rock, Confront(paper))
    found |= {"mate": of(mate), "townie": of(townie), "night, watched": of(None)}
    band.give(Team.SCISSORS, 2)
    band.act(band.are(Team.SCISSORS)[0], Confront(paper))
    band.late()
    return {**found, "after": of(None), "mate, after": of(mate)}


CONTRACT = Contract(
    options=({"seats": 4, "phase_seconds": 60}, {"seats": 8, "phase_seconds": 600}),
    begin=lambda age=0: band(8, age=age),
    every=7,
    reasons=frozenset({"eliminated", "quiet"}),
    worlds=TRIAL.other_worlds,
    blind=blind_in,
    unheard=unheard,
    mates=mates,
    is_open=is_in_town,
    unlisted=lambda state, seat, action: True,
    largest=largest,
    unrecorded=frozenset({"played_out"}),
    taken_over=frozenset({"idle_phases", "is_leaving"}),
    views=views,
    untyped=frozenset({"post", "write_will"}),
    bots=lambda: told_games(Dynamite(), DynamiteBot(), (5, 8, 6, 9)),
)
