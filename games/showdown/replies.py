"""Answers to typed commands and confirmations, by the view of the player who typed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.showdown.commands import COMMANDS
from games.showdown.rules.weapons import Weapon, combine_weapons
from games.showdown.words import (
    FREE_TURN,
    POTS,
    SECRETS,
    STATUSES,
    counts,
    owned_sentence,
    weapon_title,
    with_article,
)
from games.text.answers import (
    TABLE_CONFIRMATIONS,
    Answer,
    Confirmation,
    confirmed,
    filled,
    fixed,
    help_text,
    names_of,
    table_status,
)
from games.text.telling import listed, name_of, points
from games.text.typed import Query, View


def answer(query: Query, view: View) -> str:
    """Answer a question in words, one line for each fact."""
    return _ANSWERS[query.kind](view)


def confirm(action: Mapping[str, Any], view: View) -> str:
    """Return a sentence about an accepted action; ``view`` is the player's from before it."""
    return confirmed(action, view, _CONFIRMATIONS)


# Answers ---------------------------------------------------------------------------------


def _stock(view: View) -> str:
    own = _own(view)
    lines = [owned_sentence(view["you"]["stock"], view["you"]["balance"])]
    if own:
        lines.append(f"In this game: {counts(own['stock'])}.")
        lines += _choices(own, names_of(view))
    return "\n".join(lines)


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


def _status(view: View) -> str:
    game = view["game"]
    if game is None:
        return table_status(view)
    names = names_of(view)
    lines = [
        _STAGES[game["stage"]](game, view),
        *_pot_lines(game, names),
        *_seat_lines(game, names),
    ]
    own = game["you"]
    if own and game["stage"] != "over":
        lines.append(_armed(own))
    if own and game["stage"] == "round":
        lines += _choices(own, names_of(view))
        lines.append("You are locked in." if own["locked"] else "You have not locked in.")
    return "\n".join(lines)


def _armed(own: Mapping[str, Any]) -> str:
    """Tell the number of weapons; chosen ones count until the round ends."""
    count = sum(own["stock"].values()) + len(own["attacks"])
    return f"You have {count} {'weapon' if count == 1 else 'weapons'}: {counts(own['stock'])}."


def _betting_status(game: Mapping[str, Any], view: View) -> str:
    text = f"Betting. {points(game['pot'])} in the pot, the bet is {game['bet']['to_match']}"
    own = game["you"]
    if own and game["turn"] == own["seat"]:
        price = own["call_amount"]
        return f"{text}. It is your turn: {f'{price} to call' if price else FREE_TURN}."
    return f"{text}. It is {name_of(game['turn'], names_of(view))}'s turn."


def _round_status(game: Mapping[str, Any], view: View) -> str:
    pot = points(game["pot"])
    return f"Round {game['round']}, first to {game['target']} victory points. {pot} in the pot."


def _over_status(game: Mapping[str, Any], view: View) -> str:
    winners = (game["result"] or {}).get("winners")
    if not winners:
        return "The game was called off; everything went back to its owner."
    return f"The game is over; it went to {listed(name_of(no, names_of(view)) for no in winners)}."


def _pot_lines(game: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    """Tell the winners of each pot, if there was more than one."""
    pots = (game["result"] or {}).get("pots", ())
    if len(pots) < 2:
        return []
    titles = [POTS[1], *(POTS[2].format(number=number) for number in range(1, len(pots)))]
    return [
        f"{title.capitalize()} of {pot['amount']}: "
        + listed(f"{name_of(int(no), names)} {share}" for no, share in pot["shares"].items())
        + "."
        for title, pot in zip(titles, pots, strict=True)
    ]


def _seat_lines(game: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    return [
        f"{name_of(seat['no'], names)}: {seat['points']} victory"
        f" {'point' if seat['points'] == 1 else 'points'}, {seat['stake']} in the pot"
        f"{_status_of(seat)}."
        for seat in game["seats"]
    ]


def _status_of(seat: Mapping[str, Any]) -> str:
    statuses = (seat["status"], "locked" if seat["locked"] else "")
    return "".join(f", {STATUSES[status]}" for status in statuses if status in STATUSES)


_STAGES: Final[Mapping[str, Callable[[Mapping[str, Any], View], str]]] = {
    "betting": _betting_status,
    "round": _round_status,
    "over": _over_status,
}

# Confirmations ---------------------------------------------------------------------------


def _call(action: Mapping[str, Any], view: View) -> str:
    own = _own(view)
    amount = (own or {}).get("call_amount") or 0
    return f"You call {amount}." if amount else "You check."


def _ready(action: Mapping[str, Any], view: View) -> str:
    seat = view["you"]["seat"]
    return "You are ready." if seat is None else f"You bring {view['seats'][seat]['purse']}. Ready."


def _attack(action: Mapping[str, Any], view: View) -> str:
    target = name_of(action["target"], names_of(view))
    return f"You attack {target} with {with_article(action['weapon'])}."


def _combine(action: Mapping[str, Any], view: View) -> str:
    made = combine_weapons(Weapon(action["first"]), Weapon(action["second"]))
    return f"You make {with_article(made.value)}."


def _add(action: Mapping[str, Any], view: View) -> str:
    return SECRETS["add"].format(weapon=with_article(action["weapon"]))


def _mine(action: Mapping[str, Any], view: View) -> str:
    return SECRETS["mine"].format(target=name_of(action["target"], names_of(view)))


_ANSWERS: Final[Mapping[str, Answer]] = {
    "help": lambda view: help_text(COMMANDS, view),
    "status": _status,
    "stock": _stock,
}

_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    **TABLE_CONFIRMATIONS,
    "ready": _ready,
    "call": _call,
    "raise_by": filled("You raise {amount}."),
    "fold": fixed("You fold."),
    "attack": _attack,
    "reset": fixed("You take your attacks back."),
    "combine": _combine,
    "add": _add,
    "mine": _mine,
    "lock": fixed("You lock in."),
    "unlock": fixed("You may choose again."),
}
