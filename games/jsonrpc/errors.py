"""The errors of JSON-RPC calls: the five standard codes, and from 1000 on the kinds of refusals."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.matches.processing.submissions import RETRY_MS

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

#: The codes of the site's own refusals; the range is 1000 to 1099.
RULES, STALE, CONFLICT, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND = range(1000, 1006)
LEDGER, BUSY, RATE_LIMITED, LIMIT, MAINTENANCE = range(1006, 1011)

#: Code -> its meaning, and its tokens (a final slash: all tokens with this prefix). The first five
#: have the standard's codes and messages.
ERRORS: Final[Mapping[int, tuple[str, tuple[str, ...]]]] = {
    PARSE_ERROR: ("Parse error", ("bad_json",)),
    INVALID_REQUEST: ("Invalid Request", ("bad_envelope",)),
    METHOD_NOT_FOUND: ("Method not found", ("bad_type",)),
    INVALID_PARAMS: ("Invalid params", ("bad_field",)),
    INTERNAL_ERROR: ("Internal error", ("internal",)),
    RULES: ("The rules refuse it", ("action/",)),
    STALE: ("It came too late: the match has moved on", ("stale",)),
    CONFLICT: ("This action_id was used for something else", ("conflict",)),
    UNAUTHENTICATED: ("Log in first, or with a valid token", ("unauthenticated",)),
    FORBIDDEN: ("You may not do this", ("forbidden",)),
    NOT_FOUND: ("There is no such match, or not for you", ("not_found",)),
    LEDGER: ("The points do not cover it", ("ledger/",)),
    BUSY: ("The site is busy; try again in a moment", ("busy",)),
    RATE_LIMITED: ("Too fast; try again in a moment", ("rate_limited", "muted")),
    LIMIT: ("More would pass a limit", ("limit",)),
    MAINTENANCE: ("The site is being worked on", ("maintenance",)),
}
#: The codes of the site's own refusals, in the order of the table.
APPLICATION: Final = tuple(code for code in ERRORS if code >= RULES)

#: Tokens whose errors carry ``retry_ms``, with its value in milliseconds.
_WAIT: Final[Mapping[str, int]] = MappingProxyType({"busy": RETRY_MS, "rate_limited": 1000})


class Problem(Exception):
    """The error object of a call's answer."""

    def __init__(
        self, code: int, message: str, token: str, detail: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.token = code, message, token
        self.detail = dict(detail or {})
        self.retry_ms = _WAIT.get(token)

    @property
    def data(self) -> dict[str, Any]:
        """The error's ``data``: the token, its detail, and ``retry_ms`` if set."""
        wait = {} if self.retry_ms is None else {"retry_ms": self.retry_ms}
        return {"token": self.token, "detail": self.detail, **wait}


def standard(code: int, why: str | None = None, **detail: Any) -> Problem:
    """Return one of the standard's errors; ``why`` is for people.
    >>> standard(METHOD_NOT_FOUND).message
    'Method not found'
    """
    message, (token,) = ERRORS[code]
    return Problem(code, message, token, {**detail, **({"why": why} if why else {})})


def refused(refusal: IllegalAction | LedgerError) -> Problem:
    """Return a refusal of the site as the error of an answer; a field that the rules do not accept
    is the standard's "Invalid params", a server error its "Internal error".
    """
    if refusal.code == "bad_field":
        return standard(INVALID_PARAMS, str(refusal), **refusal.detail)
    if refusal.code == "internal":
        return standard(INTERNAL_ERROR)
    problem = Problem(application_code(refusal.code), str(refusal), refusal.code, refusal.detail)
    problem.retry_ms = getattr(refusal, "retry_ms", problem.retry_ms)
    return problem


def own(token: str, message: str | None = None) -> Problem:
    """Return an application error for a token that has no error class."""
    code = application_code(token)
    return Problem(code, message or ERRORS[code][0], token)


def application_code(token: str) -> int:
    """Return the code of a token; ``RULES`` for an unknown one."""
    for code in APPLICATION:
        _, tokens = ERRORS[code]
        if any(token == t or (t.endswith("/") and token.startswith(t)) for t in tokens):
            return code
    return RULES
