"""The refusals of the reading API: a status and a stable code."""

from typing import Final

import msgspec
from pydantic import BaseModel


class Problem(BaseModel, extra="forbid"):
    """The reason of a refusal: a stable code, and a sentence for people that may change."""

    code: str
    message: str


class Refused(BaseModel, extra="forbid"):
    """The body of every answer that is not a success."""

    error: Problem


#: All refusals, as the document and the documents list them: code -> status and message.
PROBLEMS: Final[dict[str, tuple[int, str]]] = {
    "bad_query": (400, "A parameter is unknown, repeated, missing or not as the document says."),
    "bad_cursor": (400, "This cursor is not from this list; begin again without one."),
    "unauthenticated": (401, "Send a valid token as Authorization: Bearer, or log in."),
    "reauthenticate": (403, "Confirm your password on the site."),
    "not_by_token": (403, "Log in on the site for this; a token is not enough."),
    "not_found": (404, "There is no such thing, or not for you."),
    "bad_method": (405, "The API only reads: send GET or HEAD."),
    "rate_limited": (429, "Too fast; try again in a moment."),
    "asleep": (503, "This game cannot be played here now."),
    "internal": (500, "Something went wrong on our side."),
    "busy": (503, "The site is busy; try again in a moment."),
}


class Refusal(Exception):
    """A request that is not answered; ``retry_after``: seconds after which it can succeed."""

    def __init__(self, code: str, retry_after: float | None = None) -> None:
        super().__init__(code)
        self.code, self.retry_after = code, retry_after
        self.status, self.message = PROBLEMS[code]
        self.body = msgspec.json.encode({"error": {"code": code, "message": self.message}})
