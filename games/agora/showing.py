"""What the pages of Agoran Mafia show besides the board: who was what, finished games, the roles.

Source: docs/rules/agora.md "Roles".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from economy.units import complex_points
from games.agora import SLUG
from games.agora.rules.options import QUICK
from games.agora.rules.roles import MOST_CITIZENS, TABLE, Role, Side, roles_for, side_of
from games.agora.words import ENDINGS, role_word
from games.models import Match

#: What a game in one sitting is opened with.
QUICK_OPTIONS: Final = QUICK
#: So many finished games stand in the lobby.
FINISHED: Final = 10
#: What became of a citizen, before the number of the round.
FATES: Final = {
    "killed": "killed in night {round}",
    "lynched": "lynched on day {round}",
    "left": "left town in round {round}",
}
WINNERS: Final = {Side.TOWN: "The town wins", Side.MAFIA: "The mafia wins"}


def finished() -> list[dict[str, Any]]:
    """Return the listed games that ended last: title, public name, when, and who played."""
    over = Match.objects.filter(game=SLUG, listed=True, spectators=True, status=Match.Status.OVER)
    return [
        {
            "title": match.title,
            "public_id": match.public_id,
            "ended_at": match.ended_at,
            "names": [seat.user.username for seat in match.seats.all()],
        }
        for match in over.order_by("-ended_at").prefetch_related("seats__user")[:FINISHED]
    ]


def citizens(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return of a view after the end who was what and what became of them, in seat order.

    ``earned`` is what the rules award, ``paid`` what the house paid of it, both as x + yi.
    """
    earned = dict((view["game"]["result"] or {}).get("awards", []))
    paid = {seat["no"]: tuple(seat["award"]) for seat in view["seats"]}
    names = {seat["no"]: (seat["player"] or {}).get("name", "") for seat in view["seats"]}
    replaced = {seat["no"]: seat["replaced"] for seat in view["seats"]}
    return [
        {
            "name": names[citizen["no"]],
            "replaced": replaced[citizen["no"]],
            "role_word": role_word(citizen["role"]),
            "side": side_of(Role(citizen["role"])).value,
            "fate": FATES.get(citizen["cause"], "lived").format(round=citizen["died_round"]),
            "earned": complex_points(*(earned.get(citizen["no"], 0),) * 2),
            "paid": complex_points(*paid[citizen["no"]]),
            "has_won": citizen["no"] in earned,
        }
        for citizen in view["game"]["seats"]
    ]


def ending(view: Mapping[str, Any]) -> tuple[str, str]:
    """Return of a view after the end who won, and why it ended."""
    result = view["game"]["result"]
    if result is None or result["reason"] not in ENDINGS:
        return "Called off", view["match"]["void_reason"] or "The game ended as if it had not been."
    winner = result["winner"]
    headline = "A draw" if winner is None else WINNERS[Side(winner)]
    return headline, ENDINGS[result["reason"]]


def role_table() -> dict[str, Any]:
    """Return how many of each role play: ``heads``, and ``rows`` from the fewest citizens up."""
    least = sorted(number for number, _, _ in TABLE)
    most = [*(number - 1 for number in least[1:]), MOST_CITIZENS]
    special = [role for role in Role if role != Role.CITIZEN]
    rows = [
        {
            "citizens": str(low) if low == high else f"{low} to {high}",
            "counts": [roles_for(low).count(role) for role in special],
        }
        for low, high in zip(least, most, strict=True)
    ]
    return {"heads": [role_word(role) for role in special], "rows": rows}
