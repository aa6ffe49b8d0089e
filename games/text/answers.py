"""Answers to typed questions and confirmations of the table's actions, common to all games, from
the view of the player who typed.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.text.telling import name_of, points
from games.text.typed import CommandEntry, View

Answer = Callable[[View], str]
Confirmation = Callable[[Mapping[str, Any], View], str]


def names_of(view: View) -> dict[int, str]:
    """Return the players' names by seat."""
    return {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}


def help_text(commands: Iterable[CommandEntry], view: View | None = None) -> str:
    """List commands, a line each, in groups: those that are possible now, by the asker's ``view``,
    come first.
    """
    may = set() if view is None else _may(view)
    groups: dict[str, list[str]] = {"You can now": []} if may else {}
    for entry in commands:
        is_now = bool(entry.kind) and entry.kind in may
        name = "You can now" if is_now else entry.group
        groups.setdefault(name, []).append(f"{entry.usage}: {entry.about}")
    return "\n".join(
        line for name, lines in groups.items() if lines for line in (f"{name}:", *lines)
    )


def _may(view: View) -> set[str]:
    own = (view["game"] or {}).get("you") or {}
    return {*view["you"]["may"], *own.get("may", ()), *own.get("legal", ())}


def table_status(view: View) -> str:
    """List the seated players and their readiness, before a game."""
    lines = [f"{view['match']['title']}: no game is running."]
    for seat in view["seats"]:
        if seat["player"]:
            ready = "ready" if seat["ready"] else "not ready"
            purse = f"purse {seat['purse']}, " if seat["purse"] else ""
            lines.append(f"{seat['player']['name']}: {purse}{ready}.")
    return "\n".join(lines)


def who(view: View) -> str:
    """List the seated players, their presence, and the number of spectators."""
    lines = []
    for seat in view["seats"]:
        player = seat["player"]
        if player:
            where = "a bot" if player["bot"] else _whereabouts(seat)
            lines.append(f"Seat {seat['no'] + 1}: {player['name']}, {where}.")
        else:
            lines.append(f"Seat {seat['no'] + 1}: free.")
    count = view["match"]["watching"]
    lines.append("1 spectator." if count == 1 else f"{count or 'No'} spectators.")
    return "\n".join(lines)


def _whereabouts(seat: Mapping[str, Any]) -> str:
    """Tell a player's presence; by the day alone if live presence could reveal a role."""
    if seat["present"] is not None:
        return "here" if seat["present"] else "away"
    return f"last here on {seat['seen_on']}" if seat["seen_on"] else "not seen yet"


def confirmed(
    action: Mapping[str, Any], view: View, confirmations: Mapping[str, Confirmation]
) -> str:
    """Return one sentence on the result of an accepted action; ``view`` is from before it."""
    tell = confirmations.get(action["kind"])
    return tell(action, view) if tell else "Done."


def fixed(text: str) -> Confirmation:
    """Return a confirmation with a fixed text."""
    return lambda *_: text


def filled(pattern: str) -> Confirmation:
    """Return a confirmation that fills the action's fields into a pattern."""
    return lambda action, _view: pattern.format_map(action)


def _sit(action: Mapping[str, Any], view: View) -> str:
    return f"You sit down with {points(action['purse'])}." if "purse" in action else "You sit down."


def _take_over(action: Mapping[str, Any], view: View) -> str:
    return f"From now on you play for {name_of(action['seat'], names_of(view))}."


def _remove_bot(action: Mapping[str, Any], view: View) -> str:
    return f"You send {name_of(action['seat'], names_of(view))} away."


#: Kind of the table's action -> the confirmation that its sender gets.
TABLE_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    "sit": _sit,
    "take_over": _take_over,
    "bring": filled("Your purse is {purse} now. Press ready for it."),
    "stand": fixed("You stand up."),
    "leave": fixed("You give up this game."),
    "configure": fixed("The options are changed."),
    "ready": fixed("You are ready."),
    "unready": fixed("You are not ready."),
    "rematch": fixed("The next game is open."),
    "play_out": fixed("The rest is played in seconds."),
    "add_bot": fixed("A bot sits down."),
    "remove_bot": _remove_bot,
}
