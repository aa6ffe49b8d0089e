"""Database calls of sockets besides actions; each runs in a thread of the read executor."""

from django.utils.module_loading import import_string

from economy.sql import read_rows
from games.matches.models import Match
from games.matches.processing.submissions import SessionEnded
from games.matches.queries import selectors
from games.posts import chat
from games.posts.chat import Line
from games.realtime.protocol import Say
from games.realtime.sessions import Stamp, ended
from games.text.typed import SideCommand


def admitted(public_id: str, user_id: int | None) -> Match | None:
    """Return the match with this public id, if this viewer may watch it."""
    match = selectors.find_match(public_id)
    return match if match is not None and selectors.may_watch(match, user_id) else None


def said_before(match_id: int, user_id: int | None) -> tuple[list[Line], list[Line]]:
    """Return all chat so far, and the part that this viewer may read."""
    lines = chat.lines(match_id)
    if not lines:
        return [], []
    [match] = read_rows(Match, "id", [match_id])
    rooms = chat.rooms_of(match, chat.seat_of(match_id, user_id))
    heard = (line for line in lines if user_id not in line.unheard_by)
    return lines, [line for line in heard if chat.may_read(rooms, line)]


def require_session(stamp: Stamp) -> None:
    """Require a valid session; raises SessionEnded."""
    if ended([stamp]):
        raise SessionEnded("this session is over")


def run_side_command(stamp: Stamp | None, wanted: SideCommand, action_id: str) -> str:
    """Run a typed side command, and return its answer. Raises SessionEnded, or the refusal of the
    command as an IllegalAction or LedgerError.
    """
    if stamp is not None:
        require_session(stamp)
    elif not wanted.is_guests:
        raise SessionEnded("log in first")
    do = import_string(wanted.run)
    said: str = do(None if stamp is None else stamp.user_id, wanted.given, action_id)
    return said


def say(match_id: int, stamp: Stamp, frame: Say) -> Line:
    """Store a line of chat; raises ``forbidden`` or SessionEnded."""
    require_session(stamp)
    return chat.say(
        match_id=match_id,
        user_id=stamp.user_id,
        room=frame.room,
        text=frame.text,
        action_id=frame.id,
    )
