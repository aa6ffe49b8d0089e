"""The transition between rounds: begin a selection, end it, resolve it, update the players.
Source: docs/rules/arena.md, "A round".
"""

from collections.abc import Iterator
from functools import lru_cache

from games.arena.rules.columns import Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, Battles, letters, number_of
from games.arena.rules.options import (
    PLAIN,
    carried_after,
    draw_chooser,
    draw_options,
    is_new,
    undecided_after,
)
from games.arena.rules.resolve import (
    HOWS,
    TEAMS,
    LastRound,
    figures_after,
    idle_rounds_after,
    team_counts,
    totals,
)
from games.arena.rules.scores import (
    FULL_HEALTH,
    VERDICTS,
    is_refill_due,
    survivor_round_of,
    turns_on,
)
from games.engine.draws import draw_many_below, hash_of_seed
from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace
from tools.referee.arena import facts
from tools.referee.arena.state import (
    SECOND,
    ArenaState,
    Fought,
    PlayerState,
    with_players,
    with_reset,
)


@lru_cache(maxsize=8)
def seed_of(seed: str, number: int) -> str:
    """Return a round's seed, derived from the arena's, which stays secret when it is revealed. The
    newest are cached: every public view shows the commitment to one.
    """
    return draw_many_below(seed, f"round/{number}", 256, 32).hex()


def begin(state: ArenaState, at: Instant, *, shows_result: bool) -> Step[ArenaState]:
    """Begin the next selection; rest if no player is in. ``shows_result``: whether the result of a
    round that has just ended is shown first.
    """
    those_in = state.those_in
    if not those_in:
        rested = replace(state, due_at=None, drawn=None, shows_result_until=None)
        return Step(rested, (Told(facts.ArenaRested()),))
    number = state.round + 1
    seed = seed_of(state.seed, number)
    drawn = _drawn(state, seed)
    wishes = None if drawn is None else drawn.preferences
    options = PLAIN
    if wishes is not None:
        options = draw_options(state.round_options, wishes, seed, state.carried)
    carried = carried_after(state.carried, wishes, options)
    look = state.options.result_seconds * SECOND if shows_result else 0
    limits = state.options
    selection = limits.blitz_seconds if options.blitz else limits.selection_seconds
    due_at = Instant(at + look + selection * SECOND)
    is_full = turns_on(state.round_options, options)
    begun = replace(
        state,
        round=number,
        round_options=options,
        drawn=None if drawn is None else drawn.no,
        carried_team=carried["team"],
        carried_survivor=carried["survivor"],
        undecided=undecided_after(state.round_options, wishes, state.undecided),
        survivor_round=survivor_round_of(state.round_options, options, state.survivor_round),
        due_at=due_at,
        shows_result_until=Instant(at + look) if look else None,
    )
    started = facts.RoundStarted(number, options, begun.drawn, hash_of_seed(seed), due_at)
    told = (Told(started), *((Told(facts.HealthRefilled()),) if is_full else ()))
    # Full health for those in as Survivor turns on; none without it.
    whom = those_in if is_full else () if options.survivor else state.players
    health = FULL_HEALTH if is_full else 0
    changed = {player.no: replace(player, health=health) for player in whom}
    return Step(with_players(begun, changed), told)


def _drawn(state: ArenaState, seed: str) -> PlayerState | None:
    """Draw the player whose preferences are used; None if all who are in are new."""
    limit = state.options.plain_rounds
    among = [
        player
        for player in state.those_in
        if not is_new(player.preferences, player.rounds_before + player.figures.rounds, limit)
    ]
    return among[draw_chooser(seed, len(among))] if among else None


def fight(state: ArenaState, at: Instant) -> Step[ArenaState]:
    """End the selection, resolve the round, apply resets and departures, and begin the next one."""
    those_in = state.those_in
    seed = seed_of(state.seed, state.round)
    found = resolve_arrays(
        Columns(
            choices=bytes([number_of(player.choice) for player in those_in]),
            streaks=[player.figures.streak for player in those_in],
            scores=[player.figures.score for player in those_in],
            healths=[player.health for player in those_in],
        ),
        state.current,
        seed,
        state.survivor_round,
    )
    parts = {player.no: part for player, part in zip(those_in, _parts(found), strict=True)}
    table = letters(found.table)
    last = LastRound(
        state.round,
        state.current,
        found.counts,
        table,
        totals(found),
        seed,
        hash_of_seed(seed),
        team_counts(found) if state.current.team else None,
    )
    changed = {
        player.no: _after(player, parts[player.no], health)
        for player, health in zip(those_in, found.healths, strict=True)
    }
    after = replace(with_players(state, changed), last=last)
    ended = facts.RoundEnded(state.round, found.counts, table, seed)
    told = [Told(ended), *(Told(facts.RoundFought(no, parts[no]), {no}) for no in parts)]
    step = Step(after, tuple(told)).then(_let_go).then(_refill)
    return step.then(lambda new: begin(new, at, shows_result=True))


def _parts(found: Resolved) -> Iterator[Fought]:
    """Yield each player's part of the round."""
    for index, battles in enumerate(zip(*found.battles(), strict=True)):
        yield Fought(
            CHOICES[found.moves[index]],
            HOWS[found.how[index]],
            TEAMS[found.teams[index]],
            *battles,
            VERDICTS[found.verdicts[index]],
            found.score_deltas[index],
        )


def _after(player: PlayerState, part: Fought, health: int) -> PlayerState:
    fought = Battles(part.wins, part.losses, part.ties)
    verdict = VERDICTS.index(part.result)
    return replace(
        player,
        choice=None,
        figures=figures_after(player.figures, fought, verdict, part.score_delta),
        health=health,
        idle_rounds=idle_rounds_after(player.idle_rounds, part.how),
        last=part,
    )


def _let_go(state: ArenaState) -> Step[ArenaState]:
    """Reset players who asked for it; remove those who asked for it or were idle for too long."""
    changed, told = {}, list[Told]()
    for player in state.those_in:
        is_idle = player.idle_rounds >= state.options.idle_rounds
        if player.resets_after:
            told.append(Told(facts.FiguresReset(player.no), {player.no}))
        if player.leaves_after or is_idle:
            left = facts.PlayerLeft(player.no, is_idle=is_idle and not player.leaves_after)
            told.append(Told(left))
        changed[player.no] = replace(
            with_reset(player) if player.resets_after else player,
            is_in=not (player.leaves_after or is_idle),
            idle_rounds=0 if is_idle else player.idle_rounds,
            leaves_after=False,
            resets_after=False,
        )
    return Step(with_players(state, changed), tuple(told))


def _refill(state: ArenaState) -> Step[ArenaState]:
    """Give full health to those who stay, when at most one of them has any."""
    with_health = sum(player.health > 0 for player in state.those_in)
    if not (state.current.survivor and is_refill_due(with_health)):
        return Step(state)
    full = {player.no: replace(player, health=FULL_HEALTH) for player in state.those_in}
    refilled = replace(with_players(state, full), survivor_round=0)
    return Step(refilled, (Told(facts.HealthRefilled()),))
