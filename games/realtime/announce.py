"""Notify the live pages of changes made outside a socket: by a page, or by a program."""

from games.matches.models import Match
from games.realtime import runtime
from games.realtime.bus import Hint


def tell_match(match: Match) -> None:
    """Reload the match, its users' feeds and the lobby lists on all sockets; from any thread.
    Without this call they notice the change within two seconds.
    """
    here = runtime.current()
    if here is None:
        return
    fresh = Match.objects.get(pk=match.pk)
    users = set(fresh.seats.values_list("user_id", flat=True))
    if fresh.invited_id is not None:
        users.add(fresh.invited_id)
    hints: list[Hint] = [("m", fresh.pk, fresh.action_count), ("l", 0, 1)]
    hints += [("u", user_id, 1) for user_id in sorted(users)]

    def look() -> None:
        here.hub.look_again([fresh.pk])
        here.lobby.look_again()
        here.user_feed.look_again(users)
        here.tell(hints)

    here.loop.call_soon_threadsafe(look)
