"""What who does nothing is told, and nobody else: that the seat will be offered, or is.

Source: docs/rules/agora.md "Substitutes".
"""

from __future__ import annotations

from games.mafia.common.rules.roster import MOST_IDLE, Member


def warning(member: Member) -> str:
    """Return what goes on behind what a game asks of a seat; nothing for who acted lately."""
    if member.idle_phases >= MOST_IDLE:
        return ": your seat is open to others"
    return ", or your seat is offered to others" if member.idle_phases == MOST_IDLE - 1 else ""
