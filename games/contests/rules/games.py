"""Games in sequence: who may start one, its players, its end; closing the contest.
Source: docs/rules/agora.md "The contest".
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

from games.contests.rules.errors import TooFewReady
from games.contests.rules.parties import lapse, make_unready, require_open
from games.contests.rules.state import (
    WANTED,
    Allowed,
    Closed,
    Contest,
    Game,
    GameBegan,
    GameEnded,
    require_party,
)
from games.engine.errors import refuse
from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace

VOID = "void"


class Picked(NamedTuple):
    """The players in order of readiness, and the users left out, each with the reason."""

    players: tuple[int, ...]
    left_out: tuple[tuple[int, str], ...]


def anybody_at(contest: Contest, allowed: Allowed) -> Instant:
    """Return from when any party may start a game."""
    return Instant(contest.idle_since + allowed.idle)


def require_may_start(contest: Contest, allowed: Allowed, user: int, at: Instant) -> None:
    """Require that the user may start a game now. Raises contest/closed, contest/game_running,
    contest/not_party, contest/not_contestmaster if it is too early for a party.
    """
    require_open(contest)
    if contest.game is not None:
        refuse("contest/game_running", "a game of this contest is running")
    if user == contest.master:
        return
    require_party(contest, user)
    since = anybody_at(contest, allowed)
    if at < since:
        starts = "the site starts the game when enough are ready"
        if contest.master is not None:
            starts = "the contestmaster starts the games"
        refuse("contest/not_contestmaster", starts, at=since)


def is_site_to_start(contest: Contest) -> bool:
    is_waiting = contest.is_open and contest.master is None and contest.game is None
    return is_waiting and len(contest.ready) >= contest.settings[WANTED]


def pick(
    ready: Sequence[int], most: int, objection: Callable[[int, Sequence[int]], str | None]
) -> Picked:
    """Pick at most ``most`` of the ready who may play together, the first ones first. ``objection``
    returns why a user may not play with those picked before, None if allowed.
    """
    players: list[int] = []
    left_out: list[tuple[int, str]] = []
    for user in ready:
        if len(players) == most:
            break
        why = objection(user, players)
        if why is None:
            players.append(user)
        else:
            left_out.append((user, why))
    return Picked(tuple(players), tuple(left_out))


def require_enough(contest: Contest, allowed: Allowed, picked: Picked, *, by_site: bool) -> None:
    """Require enough players for a game; raises TooFewReady."""
    least = max(allowed.least, contest.settings[WANTED]) if by_site else allowed.least
    found = len(picked.players)
    if found < least:
        out = f", {len(picked.left_out)} may not play with the others" if picked.left_out else ""
        raise TooFewReady(
            f"a game needs {least} who are ready: there are {found}{out}", least=least, ready=found
        )


def leave_out(contest: Contest, picked: Picked) -> Step[Contest]:
    step: Step[Contest] = Step(contest)
    for user, _ in picked.left_out:
        step = step.then(partial(make_unready, user=user, reason="left_out"))
    return step


def begin(contest: Contest, user: int | None, picked: Picked) -> Step[Contest]:
    """Begin a game with the picked players; ``user`` starts it, None: the site. Players and
    left-out users become unready.
    """
    playing = frozenset(picked.players)
    no = contest.games + 1
    out = leave_out(contest, picked)
    parties = tuple(
        replace(party, ready_no=0) if party.user in playing else party
        for party in out.state.parties
    )
    begun = replace(out.state, parties=parties, games=no, game=Game(no, picked.players))
    return Step(begun, (*out.events, Told(GameBegan(no, user, picked.players))))


def end_game(
    contest: Contest, how: str, winners: Sequence[int], absent: Collection[int], at: Instant
) -> Step[Contest]:
    """End the running game as ``how``: won, drawn or void. Ready parties become unready if
    ``absent``: without a choice in two phases running.
    """
    assert contest.game is not None
    ended = replace(contest, game=None, idle_since=at)
    step = Step(ended, (Told(GameEnded(contest.game.no, how, tuple(winners))),))
    for party in contest.parties:
        if party.ready_no and party.user in absent:
            step = step.then(partial(make_unready, user=party.user, reason="absent"))
    return step


def close(contest: Contest, user: int, living: Collection[int], at: Instant) -> Step[Contest]:
    """Close the contest; a game is called off with it if all its players are ``living``. Raises
    contest/closed, contest/not_contestmaster, contest/first_death.
    """
    require_open(contest)
    if user != contest.closer:
        refuse("contest/not_contestmaster", "only the contestmaster closes a contest", at=None)
    step: Step[Contest] = Step(contest)
    if contest.game is not None:
        if not set(contest.game.players) <= set(living):
            refuse("contest/first_death", "somebody has died: the game is played to its end first")
        step = end_game(contest, VOID, (), (), at)
    step = step.then(lambda now: lapse(now, "closed"))
    quiet = tuple(replace(party, ready_no=0) for party in step.state.parties)
    shut = replace(step.state, is_open=False, parties=quiet)
    return Step(shut, (*step.events, Told(Closed(user))))
