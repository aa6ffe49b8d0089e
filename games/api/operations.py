"""Operations of the reading API: how they are added, and how they answer requests."""

import hashlib
import math
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Annotated, Any, Final

import msgspec
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import URLPattern, path
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Router
from ninja.decorators import decorate_view
from ninja.errors import ValidationError
from ninja.renderers import BaseRenderer
from pydantic import BaseModel, BeforeValidator, Field

from accounts.adapters import network_of
from accounts.models import User
from accounts.tokens import bearer_secret, find_token
from games.api.errors import Refusal
from games.realtime.access import ACTING
from games.realtime.limits import Bucket, LruDict

#: The address of all operations; the number changes with each incompatible change.
ROOT: Final = "api/v1/"
METHODS: Final = ["GET", "HEAD"]
#: What an operation may cost at most; a caller's burst is larger.
HEAVY: Final = 5
#: Digits of the largest number in a cursor.
DIGITS: Final = 15
#: The key of the user of a request's token.
BEARER: Final = "rockandracket.bearer"
PRIVATE: Final = "private, no-cache"

View = Callable[..., HttpResponseBase]
#: Whole numbers in requests are written as in JSON.
WHOLE: Final = BeforeValidator(partial(msgspec.convert, type=int, strict=False))
#: The callers' allowances; those of sockets.  A dropped caller gets a full one again.
allowances: LruDict[Bucket] = LruDict(lambda: Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST))


class Paging(BaseModel):
    """The part of a list that is wanted."""

    cursor: Annotated[str, Field(max_length=100, description="`next` of the part before")] = ""
    limit: Annotated[int, Field(ge=1, le=100, description="the most items"), WHOLE] = 50

    @property
    def number(self) -> int:
        """The number that the cursor names, 0 without one."""
        cursor = self.cursor or "0"
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= DIGITS):
            raise Refusal("bad_cursor")
        return int(cursor)


class Renderer(BaseRenderer):
    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        return msgspec.json.encode(data)


api: Final = NinjaAPI(
    title="Rock & Racket, to read",
    version="1.0.0",
    description="What the site knows in public, and your own data.  It changes nothing.",
    openapi_url=None,
    renderer=Renderer(),
)


@api.exception_handler(ValidationError)
def _invalid(_: HttpRequest, problem: ValidationError) -> HttpResponse:
    # A part of the path that cannot be is the address of nothing.
    is_of_path = all(each["loc"][0] == "path" for each in problem.errors)
    raise Refusal("not_found" if is_of_path else "bad_query")


@api.exception_handler(Exception)
@api.exception_handler(Http404)
def _failed(_: HttpRequest, problem: Exception) -> HttpResponse:
    raise problem


def reads(
    router: Router, pattern: str, summary: str, answers: Any, cost: int = 1
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add an operation, named as its function, below ``ROOT``; ``cost`` is what one request takes
    from the allowance.
    """

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        return router.api_operation(
            METHODS,
            pattern,
            response=answers,
            operation_id=name,
            url_name=f"api_{name}",
            summary=summary,
            tags=["own" if is_own(pattern) else "public"],
            exclude_unset=True,
            openapi_extra={"x-cost": cost},
        )(decorate_view(partial(_answering, cost))(function))

    return add


def is_own(pattern: str) -> bool:
    """Whether an address is about the caller."""
    return pattern.split("/", maxsplit=1)[0] == "me"


def addresses() -> Iterator[URLPattern]:
    """Yield the addresses of all operations."""
    for each in api.urls[0]:
        if isinstance(each, URLPattern) and each.name != "api-root":
            view = _only_reading(each.callback, is_shared=not is_own(str(each.pattern)))
            yield path(f"{ROOT}{each.pattern}", view, name=each.name)


def _only_reading(answer: View, *, is_shared: bool) -> View:
    @csrf_exempt
    def view(request: HttpRequest, **place: str) -> HttpResponseBase:
        if request.method not in METHODS:
            return refused(Refusal("bad_method"), is_shared=is_shared)
        try:
            return answer(request, **place)
        except Refusal as refusal:
            return refused(refusal, is_shared=is_shared)

    return view


def refused(refusal: Refusal, *, is_shared: bool = True) -> HttpResponse:
    """Return a refusal as an answer, which pages of other sites may read if ``is_shared``."""
    response = HttpResponse(refusal.body, content_type="application/json", status=refusal.status)
    if refusal.code == "unauthenticated":
        response["WWW-Authenticate"] = "Bearer"
    if refusal.code == "bad_method":
        response["Allow"] = ", ".join(METHODS)
    if refusal.retry_after is not None:
        response["Retry-After"] = str(max(1, math.ceil(refusal.retry_after)))
    if is_shared:
        _share(response)
    return response


def caller_of(request: HttpRequest, response: HttpResponse) -> User:
    """Return the user of a token or log-in, who alone may read the answer."""
    user = user_of(request)
    if user is None:
        raise Refusal("unauthenticated")
    response["Cache-Control"] = PRIVATE
    return user


def user_of(request: HttpRequest) -> User | None:
    """Return the user of a token, else of the session, which is looked up only now."""
    user = request.META.get(BEARER) or request.user
    return user if isinstance(user, User) else None


def _answering(cost: int, run: View) -> View:
    """Look at the caller and the query before an operation runs, and mark its answer."""
    # ninja takes the parameters that it knows, and does not look at others.
    known: set[str] = set()
    for model in run.__self__.models:  # type: ignore[attr-defined]
        if model.__ninja_param_source__ == "query":
            known.update(model.__ninja_flatten_map__)

    @wraps(run)
    def view(request: HttpRequest, **place: str) -> HttpResponseBase:
        _admit(request, cost)
        query = dict(request.GET.lists())
        if query.keys() - known or any(len(values) != 1 for values in query.values()):
            raise Refusal("bad_query")
        answer = run(request, **place)
        return _marked(request, answer) if isinstance(answer, HttpResponse) else answer

    return view


def _admit(request: HttpRequest, cost: int) -> None:
    """Take the cost from the caller's allowance, and note the user of a token."""
    secret = bearer_secret(request.headers.get("Authorization"))
    token = None if secret is None else find_token(secret)
    address = network_of(get_adapter().get_client_ip(request))
    bucket = allowances.of(address if token is None else token.user_id)
    for _ in range(cost):
        if not bucket.take():
            raise Refusal("rate_limited", bucket.pause)
    if secret is not None and token is None:
        raise Refusal("unauthenticated")
    if token is not None:
        request.META |= {ACTING: token.user_id, BEARER: token.user}


def _marked(request: HttpRequest, answer: HttpResponse) -> HttpResponseBase:
    """Return an answer with its tag, for caches and, if it is public, for other sites."""
    answer["Content-Type"] = "application/json"
    tag = answer["ETag"] = f'"{hashlib.sha256(answer.content).hexdigest()[:32]}"'
    found = get_conditional_response(request, etag=tag, response=answer) or answer
    found["Cache-Control"] = answer.get("Cache-Control", "public, no-cache")
    if found["Cache-Control"] == PRIVATE:
        patch_vary_headers(found, ["Authorization", "Cookie"])
        return found
    _share(found)
    # A public answer has no secret that its length could show.
    return _compression.process_response(request, found)


def _share(response: HttpResponseBase) -> None:
    """Allow pages of all other sites to read an answer, without their visitors' cookies."""
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = "ETag, Retry-After"


_compression: Final = GZipMiddleware(lambda _: HttpResponse())
