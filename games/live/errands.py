"""What a socket asks of the database besides actions; each runs in a read lane's thread."""

from __future__ import annotations

from typing import Any

from economy.shop import price_list
from games.live.protocol import Say
from games.live.sessions import Stamp, ended
from games.models import Match, Seat
from games.play.submissions import SessionEnded
from games.reading import selectors
from games.reading.commands import Buy
from games.services import posts
from games.showdown import shopping


def admitted(public_id: str, user_id: int | None) -> Match | None:
    """Return the match with this public name, if this viewer may look at it."""
    match = selectors.find_match(public_id)
    return match if match is not None and selectors.may_watch(match, user_id) else None


def said_before(
    match_id: int, user_id: int | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the chat so far: all of it, and the part that this viewer may read."""
    lines = posts.lines(match_id)
    sits = Seat.objects.filter(match=match_id, user=user_id).exists()
    return lines, [line for line in lines if line["room"] == "table" or not sits]


def prices() -> dict[str, int]:
    """Return what the items on sale cost, in points."""
    return {item.unit: item.price for item in price_list() if item.is_on_sale}


def require_session(stamp: Stamp) -> None:
    """Refuse whose session is over; raises SessionEnded."""
    if ended([stamp]):
        raise SessionEnded("this session is over")


def buy(stamp: Stamp, wanted: Buy, action_id: str) -> str:
    """Buy weapons and say so; raises what the shop or the ledger refuses, or SessionEnded."""
    require_session(stamp)
    bought = shopping.buy_weapon(
        user_id=stamp.user_id, unit=wanted.unit, quantity=wanted.quantity, action_id=action_id
    )
    return shopping.purchase_sentence(bought)


def say(match_id: int, stamp: Stamp, frame: Say) -> dict[str, Any]:
    """Store a line of chat; raises RoomForbidden or SessionEnded."""
    require_session(stamp)
    return posts.say(
        match_id=match_id,
        user_id=stamp.user_id,
        room=frame.room,
        text=frame.text,
        action_id=frame.id,
    )
