"""Warnings to an idle seat, shown to it alone: its seat will be, or is, open to substitutes.

Source: docs/rules/agora.md "Substitutes".
"""

from games.mafia.common.rules.roster import MOST_IDLE, Member


def warning(member: Member) -> str:
    """Return the warning after a seat's request for action; empty if the seat was active lately."""
    if member.idle_phases >= MOST_IDLE:
        return ": your seat is open to others"
    return ", or your seat is offered to others" if member.idle_phases == MOST_IDLE - 1 else ""
