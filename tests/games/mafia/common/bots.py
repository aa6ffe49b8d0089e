"""Views as far as the bots and the words of Mafia games look at them."""

from typing import Any

from games.engine.facts import SeatNo, Viewer

NAMES = {no: f"p{no}" for no in range(40)}


def table_view(rules: Any, state: Any, seat: int | None) -> dict[str, Any]:
    """Return as much of a table's view as words and bots look at, at the end of the phase."""
    game = rules.view(state, Viewer(None if seat is None else SeatNo(seat)))
    seats = [
        {"no": member.no, "player": {"name": NAMES[member.no], "bot": True}}
        for member in state.members
    ]
    around = {"match": {"public_id": "town"}, "posts": [], "at": state.clock.ends_at - 1}
    return {"game": game, "you": {"seat": seat, "name": "Quiet_Sal"}, "seats": seats, **around}
