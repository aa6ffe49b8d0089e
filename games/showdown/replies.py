"""What typed commands are answered: questions in words, and a short sentence for what was done.

Everything comes from the view of the player who typed; nothing else is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.duel import replies
from games.grammar.typed import Query, View
from games.reading.command_tables import COMMAND_TABLES, game_of
from games.showdown.rules.weapons import Weapon, combine_weapons
from games.showdown.words import listed, name_of, points, weapon_title, with_article

Answer = Callable[[View, Mapping[str, int]], str]
Confirmation = Callable[[Mapping[str, Any], View], str]


def answer(query: Query, view: View, prices: Mapping[str, int] | None = None) -> str:
    """Answer a question in words, one line for each fact.

    ``prices`` is what the shop sells, by unit, in points.

    Raises:
        KeyError: there is no such question.
    """
    return _ANSWERS[query.kind](view, prices or {})


def confirmation(action: Mapping[str, Any], view_before: View) -> str:
    """Say in one sentence what an accepted action did.

    ``action`` is in its wire form; ``view_before`` is what the player saw when typing it.
    """
    kind = action["kind"]
    if game_of(view_before) == "duel" and kind in replies.CONFIRMATIONS:
        return replies.CONFIRMATIONS[kind].format_map(action)
    tell = _CONFIRMATIONS.get(kind)
    return tell(action, view_before) if tell else "Done."


# Answers ---------------------------------------------------------------------------------


def _names(view: View) -> dict[int, str]:
    return {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}


def _help(view: View, prices: Mapping[str, int]) -> str:
    return "\n".join(f"{entry.usage}: {entry.about}" for entry in COMMAND_TABLES[game_of(view)])


def _buy_list(view: View, prices: Mapping[str, int]) -> str:
    if not prices:
        return "The shop sells nothing at the moment."
    goods = (f"{weapon_title(unit.lower())} {price}" for unit, price in prices.items())
    balance = view["you"]["balance"]
    yours = "" if balance is None else f" You have {points(balance)}."
    return f"For sale, in points: {', '.join(goods)}.{yours}"


def _stock(view: View, prices: Mapping[str, int]) -> str:
    permanent = view["you"]["stock"]
    if permanent is None:
        return "Sit down, and your stock can be told here."
    lines = [f"Permanent stock: {_counts(permanent)}."]
    own = _own(view)
    if own:
        lines.append(f"In this game: {_counts(own['stock'])}.")
        lines += _choices(own, _names(view))
    return "\n".join(lines)


def _counts(stock: Mapping[str, int]) -> str:
    """List what there is at least one of."""
    return ", ".join(f"{n} {weapon_title(w)}" for w, n in stock.items() if n) or "nothing"


def _own(view: View) -> Mapping[str, Any] | None:
    own: Mapping[str, Any] | None = (view["game"] or {}).get("you")
    return own


def _choices(own: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    lines = []
    if own["attacks"]:
        chosen = (
            f"{weapon_title(w)} on {name_of(int(no), names)}" for no, w in _by_seat(own, "attacks")
        )
        lines.append(f"Chosen: {', '.join(chosen)}.")
    if own["mines"]:
        mines = (f"{n} under {name_of(int(no), names)}" for no, n in _by_seat(own, "mines"))
        lines.append(f"Your mines: {', '.join(mines)}.")
    return lines


def _by_seat(own: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    return sorted(own[key].items(), key=lambda pair: int(pair[0]))


def _status(view: View, prices: Mapping[str, int]) -> str:
    game = view["game"]
    if game is None:
        return _table_status(view)
    if game_of(view) == "duel":
        return replies.status(view)
    lines = [_STAGES[game["stage"]](game, view), *_seat_lines(game, _names(view))]
    own = game["you"]
    if own and game["stage"] == "round":
        lines += _choices(own, _names(view))
        lines.append("You are locked in." if own["locked"] else "You have not locked in.")
    return "\n".join(lines)


def _table_status(view: View) -> str:
    """Tell who sits and who is ready, before a game."""
    lines = [f"{view['match']['title']}: no game is running."]
    for seat in view["seats"]:
        if seat["player"]:
            ready = "ready" if seat["ready"] else "not ready"
            purse = f"purse {seat['purse']}, " if seat["purse"] else ""
            lines.append(f"{seat['player']['name']}: {purse}{ready}.")
    return "\n".join(lines)


def _betting_status(game: Mapping[str, Any], view: View) -> str:
    text = f"Betting. {points(game['pot'])} in the pot, {game['bet']['to_match']} to match"
    own = game["you"]
    if own and game["turn"] == own["seat"]:
        return f"{text}. It is your turn: {own['call_amount']} to call."
    return f"{text}. It is the turn of {name_of(game['turn'], _names(view))}."


def _round_status(game: Mapping[str, Any], view: View) -> str:
    pot = points(game["pot"])
    return f"Round {game['round']}, to {points(game['target'])}. {pot} in the pot."


def _over_status(game: Mapping[str, Any], view: View) -> str:
    winners = (game["result"] or {}).get("winners")
    if not winners:
        return "The game is void; everything went back to where it came from."
    return f"The game is over; it went to {listed(name_of(no, _names(view)) for no in winners)}."


def _seat_lines(game: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    return [
        f"{name_of(seat['no'], names)}: {points(seat['points'])}, staked {seat['stake']}"
        f"{_STATUSES[seat['status']]}{', locked in' if seat['locked'] else ''}."
        for seat in game["seats"]
    ]


_STATUSES: Final[Mapping[str, str]] = {
    "in": "",
    "all_in": ", all in",
    "folded": ", folded",
    "gave_up": ", gave up",
}

_STAGES: Final[Mapping[str, Callable[[Mapping[str, Any], View], str]]] = {
    "betting": _betting_status,
    "round": _round_status,
    "over": _over_status,
}

_ANSWERS: Final[Mapping[str, Answer]] = {
    "help": _help,
    "status": _status,
    "stock": _stock,
    "buy_list": _buy_list,
    "who": lambda view, _prices: replies.who(view),
}


# Confirmations ---------------------------------------------------------------------------


def _fixed(text: str) -> Confirmation:
    return lambda *_: text


def _call(action: Mapping[str, Any], view: View) -> str:
    own = _own(view)
    amount = (own or {}).get("call_amount") or 0
    return f"You call {amount}." if amount else "You check."


def _raise(action: Mapping[str, Any], view: View) -> str:
    return f"You raise {action['amount']}."


def _attack(action: Mapping[str, Any], view: View) -> str:
    target = name_of(action["target"], _names(view))
    return f"You attack {target} with {with_article(action['weapon'])}."


def _combine(action: Mapping[str, Any], view: View) -> str:
    made = combine_weapons(Weapon(action["first"]), Weapon(action["second"]))
    return f"You make {with_article(made.value)}."


def _add(action: Mapping[str, Any], view: View) -> str:
    return f"You bring in {with_article(action['weapon'])} from your stock."


def _mine(action: Mapping[str, Any], view: View) -> str:
    return f"You plant a landmine under {name_of(action['target'], _names(view))}."


def _sit(action: Mapping[str, Any], view: View) -> str:
    return f"You sit down with {points(action['purse'])}." if "purse" in action else "You sit down."


def _remove_bot(action: Mapping[str, Any], view: View) -> str:
    return f"You send {name_of(action['seat'], _names(view))} away."


_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    "call": _call,
    "raise_by": _raise,
    "fold": _fixed("You fold."),
    "attack": _attack,
    "reset": _fixed("You take your attacks back."),
    "combine": _combine,
    "add": _add,
    "mine": _mine,
    "lock": _fixed("You lock in."),
    "unlock": _fixed("You may choose again."),
    "leave": _fixed("You give up this game."),
    "sit": _sit,
    "stand": _fixed("You stand up."),
    "configure": _fixed("The options are changed."),
    "ready": _fixed("You are ready."),
    "unready": _fixed("You are not ready."),
    "rematch": _fixed("The next game is open."),
    "add_bot": _fixed("A bot sits down."),
    "remove_bot": _remove_bot,
}
