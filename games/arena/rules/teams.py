"""Two teams, as equal as possible, drawn from the round's seed in O(N).
Source: docs/rules/arena.md, "A round".
"""

from games.engine.draws import draw_below, draw_many_below


def draw_teams(seed: str, players: int) -> bytes:
    """Return the team of each player, 0 or 1; every split into halves is as likely as any other.

    Toss a coin for each player (the stream ``team``), then move surplus players of the larger team
    to the other one, drawn one by one (``team/change/1``, …).  A random set from which random
    members are removed is a random set of the remaining size.  For an odd number a coin
    (``team/odd``) decides which team is larger by one.
    """
    teams = bytearray(draw_many_below(seed, "team", 2, players))
    first = players // 2
    if players % 2:
        first += draw_below(seed, "team/odd", 2)
    excess = teams.count(0) - first
    larger = 0 if excess > 0 else 1
    members = [index for index, team in enumerate(teams) if team == larger] if excess else []
    for number in range(1, abs(excess) + 1):
        picked = draw_below(seed, f"team/change/{number}", len(members))
        members[picked], members[-1] = members[-1], members[picked]
        teams[members.pop()] = 1 - larger
    return bytes(teams)
