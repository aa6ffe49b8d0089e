"""The refusals of the reading API: a status and a stable code."""

from typing import Final

import msgspec

from games.engine.structs import Record


class Problem(Record, frozen=True):
    """The reason of a refusal: a stable code, and a sentence for people that may change."""

    code: str
    message: str


class Refused(Record, frozen=True):
    """The body of every answer that is not a success."""

    error: Problem


class Refusal(Exception):
    """A request that is not answered."""

    code = ""
    status = 400
    message = ""

    def __init__(self, retry_after: float | None = None) -> None:
        """Refuse a request; ``retry_after``: seconds after which the same one can succeed."""
        super().__init__()
        self.retry_after = retry_after

    @property
    def body(self) -> bytes:
        return msgspec.json.encode(Refused(Problem(self.code, self.message)))


class BadQuery(Refusal):
    """A parameter is unknown, repeated, missing or not as the document says."""

    code = "bad_query"
    message = "A parameter is unknown, repeated, missing or not as the document says."


class BadCursor(Refusal):
    """The cursor is not one that this list gave."""

    code = "bad_cursor"
    message = "This cursor is not from this list; begin again without one."


class NoCaller(Refusal):
    """The token is not valid, or an own address was asked for without token and log-in."""

    code = "unauthenticated"
    status = 401
    message = "Send a valid token as Authorization: Bearer, or log in."


class OldLogIn(Refusal):
    """The log-in is too long ago for an export."""

    code = "reauthenticate"
    status = 403
    message = "Confirm your password on the site."


class NotByToken(Refusal):
    """A token does not read an export, which takes a log-in and its password."""

    code = "not_by_token"
    status = 403
    message = "Log in on the site for this; a token is not enough."


class NotFound(Refusal):
    """There is no such thing, or not for this caller; both look alike."""

    code = "not_found"
    status = 404
    message = "There is no such thing, or not for you."


class BadMethod(Refusal):
    """The API only reads: GET and HEAD."""

    code = "bad_method"
    status = 405
    message = "The API only reads: send GET or HEAD."


class TooFast(Refusal):
    """The caller's allowance is used up."""

    code = "rate_limited"
    status = 429
    message = "Too fast; try again in a moment."


class Asleep(Refusal):
    """The match's game, or that version of it, is not installed here now."""

    code = "asleep"
    status = 503
    message = "This game cannot be played here now."


class Failed(Refusal):
    """The request failed on the site's side."""

    code = "internal"
    status = 500
    message = "Something went wrong on our side."


class Away(Refusal):
    """The database is away for the moment."""

    code = "busy"
    status = 503
    message = "The site is busy; try again in a moment."


#: All refusals, as the document and the documents list them.
REFUSALS: Final[tuple[type[Refusal], ...]] = (
    BadQuery, BadCursor, NoCaller, OldLogIn, NotByToken, NotFound, BadMethod, TooFast, Asleep,
    Failed, Away,
)  # fmt: skip
