"""A match of each game, played to its end by people like bots, for tests of what follows."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import town
from tests.games.mafia.dynamite.kit import band
from tests.games.match_kit import MatchKit, new_user
from tests.games.table_kit import TableKit

#: What a player posts in a town, phase by phase.
POST: Final = "I was at **home** in phase {phase}."
#: Times that all act in a phase, which then ends by its clock: for these bots it is always the last
#: moment of a day, at which some follow each other's votes without end.
MOST_TIMES: Final = 20


def _duel() -> MatchKit:
    kit = DuelKit(new_user("una"), new_user("ben"), best_of=3, stake=10)
    kit.start()
    return kit


def _showdown() -> MatchKit:
    kit = TableKit(*map(new_user, ("una", "ben", "cy")), seats=3)
    kit.start()
    return kit


#: Game -> a function that starts a match of it.
GAMES: Final[Mapping[str, Callable[[], MatchKit]]] = {
    "duel": _duel,
    "showdown": _showdown,
    "agora": lambda: town(5),
    "dynamite": lambda: band(6),
}


def play(kit: MatchKit, look: Callable[[], None] = lambda: None) -> MatchKit:
    """Play to the end, with a post a phase where there are posts; ``look`` follows each change."""
    posted = 0
    times: Counter[int] = Counter()
    for _ in range(500):
        look()
        snapshot = kit.snapshot
        if snapshot.state.is_finished:
            return kit
        if snapshot.game.hides_presence and posted < snapshot.match.phase:
            posted = snapshot.match.phase
            for user in kit.people:
                text = POST.format(phase=posted)
                kit.answer(user, kind="post", room="town", text=text)
                look()
        kit.play_like_bots(snapshot)
        times[snapshot.match.phase] += 1
        due_at = kit.row.due_at
        has_acted = kit.row.action_count > snapshot.no
        is_idle = due_at is not None and not (has_acted and times[kit.row.phase] < MOST_TIMES)
        # A game that waits for nobody's action goes on when its phase ends.
        kit.pass_time(max(1.0, (due_at - kit.now).total_seconds()) if is_idle else 1.0)
    raise AssertionError("the game does not end")


def finished(slug: str) -> MatchKit:
    kit = GAMES[slug]()
    act = kit.act
    # A bot's later actions may be refused because of the first one.
    kit.act = kit.answer  # type: ignore[assignment, method-assign]
    play(kit)
    kit.act = act  # type: ignore[method-assign]
    return kit
