"""Operations of the reading API, and how a request is answered by one."""

import hashlib
import math
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.urls import URLPattern, path
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from msgspec import Meta

from accounts.adapters import network_of
from accounts.models import User
from accounts.tokens import bearer_secret, find_token
from games.api.errors import BadCursor, BadMethod, BadQuery, NoCaller, NotFound, Refusal, TooFast
from games.engine.structs import Record
from games.realtime.access import ACTING
from games.realtime.limits import Bucket, LruDict

#: The address of all operations; the number changes with each incompatible change.
ROOT: Final = "api/v1/"
#: The document's version; the first number is that of ``ROOT``.
VERSION: Final = "1.0.0"
#: What an operation may cost at most; a caller's burst is larger.
HEAVY: Final = 5
#: Digits of the largest number in a cursor.
DIGITS: Final = 15

Row = TypeVar("Row")


class Page(Record, Generic[Row], frozen=True):
    """A part of a list; ``next`` is the cursor of the part that follows, null after the last."""

    items: list[Row]
    next: str | None


class Nothing(Record, frozen=True):
    """No parameters; the base of all parameters."""


class Paging(Nothing, frozen=True, kw_only=True):
    """The part of a list that is wanted."""

    cursor: Annotated[str, Meta(max_length=100, description="`next` of the part before")] = ""
    limit: Annotated[int, Meta(ge=1, le=100, description="the most items")] = 50


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an operation; ``is_public``: whether everybody may read it."""

    body: Any
    is_public: bool = True


class Call:
    """A request, its parameters, and who asks; a session is looked up only when needed."""

    def __init__(self, request: HttpRequest, token_user: User | None, given: Any) -> None:
        self.request, self.given = request, given
        self.has_token = token_user is not None
        self._user = token_user

    @property
    def user(self) -> User | None:
        if self._user is None and isinstance(self.request.user, User):
            self._user = self.request.user
        return self._user

    @property
    def user_id(self) -> int | None:
        return None if self.user is None else self.user.pk

    @property
    def caller(self) -> User:
        """The user of an own operation; raises NoCaller."""
        if self.user is None:
            raise NoCaller
        return self.user

    @property
    def number(self) -> int:
        """The number that the cursor names, 0 without one; raises BadCursor."""
        cursor = self.given.cursor or "0"
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= DIGITS):
            raise BadCursor
        return int(cursor)


@dataclass(frozen=True, slots=True)
class Operation:
    """One address of the API: ``pattern`` is below ``ROOT``, with ``{name}`` for a parameter;
    ``takes`` is the struct of the parameters, ``answers`` the type of the body, ``cost`` what one
    request takes from the allowance.
    """

    name: str
    pattern: str
    summary: str
    answers: Any
    run: Callable[[Call], Answer]
    takes: type[Nothing] = Nothing
    cost: int = 1

    @property
    def is_own(self) -> bool:
        """Whether it is about the caller."""
        return self.pattern.split("/")[0] == "me"

    @property
    def parameters(self) -> Iterator[tuple[msgspec.structs.FieldInfo, bool]]:
        """The parameters, each with whether it is in the path."""
        for field in msgspec.structs.fields(self.takes):
            yield field, f"{{{field.encode_name}}}" in self.pattern


#: All operations, by name, in the order of the document.
OPERATIONS: Final[dict[str, Operation]] = {}
#: The callers' allowances; those of sockets.  A dropped caller gets a full one again.
allowances: LruDict[Bucket] = LruDict(lambda: Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST))


def routes(*operations: Operation) -> list[URLPattern]:
    """Add operations to the API; return their addresses."""
    OPERATIONS.update({each.name: each for each in operations})
    return [
        path(
            ROOT + each.pattern.replace("{", "<str:").replace("}", ">"),
            view_of(each),
            name=f"api_{each.name}",
        )
        for each in operations
    ]


def view_of(operation: Operation) -> Callable[..., HttpResponseBase]:
    @csrf_exempt
    def view(request: HttpRequest, **place: str) -> HttpResponseBase:
        try:
            return _answered(request, operation, place)
        except Refusal as refusal:
            return refused(refusal, is_shared=not operation.is_own)

    return view


def refused(refusal: Refusal, *, is_shared: bool = True) -> HttpResponse:
    """Return a refusal as an answer, which pages of other sites may read if ``is_shared``."""
    response = HttpResponse(refusal.body, content_type="application/json", status=refusal.status)
    if isinstance(refusal, NoCaller):
        response["WWW-Authenticate"] = "Bearer"
    if isinstance(refusal, BadMethod):
        response["Allow"] = "GET, HEAD"
    if refusal.retry_after is not None:
        response["Retry-After"] = str(max(1, math.ceil(refusal.retry_after)))
    if is_shared:
        _share(response)
    return response


def _answered(
    request: HttpRequest, operation: Operation, place: dict[str, str]
) -> HttpResponseBase:
    if request.method not in ("GET", "HEAD"):
        raise BadMethod
    user = _admitted(request, operation.cost)
    answer = operation.run(Call(request, user, _given(request, operation, place)))
    if isinstance(answer.body, AsyncIterator):
        streamed = StreamingHttpResponse(answer.body, content_type="application/json")
        streamed["Cache-Control"] = "no-store, private"
        return streamed
    text = answer.body if isinstance(answer.body, bytes) else msgspec.json.encode(answer.body)
    tag = f'"{hashlib.sha256(text).hexdigest()[:32]}"'
    response = HttpResponse(text, content_type="application/json", headers={"ETag": tag})
    found = get_conditional_response(request, etag=tag, response=response) or response
    found["Cache-Control"] = "public, no-cache" if answer.is_public else "private, no-cache"
    if not answer.is_public:
        patch_vary_headers(found, ["Authorization", "Cookie"])
        return found
    _share(found)
    # What everybody may read has no secret that its length could show.
    return _compression.process_response(request, found)


def _admitted(request: HttpRequest, cost: int) -> User | None:
    """Return the user of the request's token after taking the cost from the caller's allowance."""
    secret = bearer_secret(request.headers.get("Authorization"))
    token = None if secret is None else find_token(secret)
    address = network_of(get_adapter().get_client_ip(request))
    bucket = allowances.of(address if token is None else token.user_id)
    for _ in range(cost):
        if not bucket.take():
            raise TooFast(bucket.pause)
    if secret is not None and token is None:
        raise NoCaller
    if token is None:
        return None
    request.META[ACTING] = token.user_id
    return token.user


def _given(request: HttpRequest, operation: Operation, place: dict[str, str]) -> Any:
    query = dict(request.GET.lists())
    if any(len(values) != 1 for values in query.values()) or place.keys() & query:
        raise BadQuery
    given = {name: values[0] for name, values in query.items()} | place
    try:
        return msgspec.convert(given, operation.takes, strict=False)
    except (msgspec.ValidationError, ValueError) as problem:
        # A part of the path that cannot be is the address of nothing.
        is_of_path = any(f"`$.{name}`" in str(problem) for name in place)
        raise (NotFound if is_of_path else BadQuery) from None


def _share(response: HttpResponseBase) -> None:
    """Allow pages of all other sites to read an answer, without their visitors' cookies."""
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = "ETag, Retry-After"


_compression: Final = GZipMiddleware(lambda _: HttpResponse())
