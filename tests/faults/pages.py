"""A browser's pages for the fault tests: cookies kept, forms sent with their token."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from typing import Any

from tests.boot import PATIENCE

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class _Stay(urllib.request.HTTPRedirectHandler):
    """Shows a redirect as the answer that it is."""

    def redirect_request(self, *given: Any) -> None:
        """Follow nothing."""


class Pages:
    def __init__(self, address: str, cookie: str | None = None) -> None:
        self.address, self.cookie = address, cookie
        self.forget()

    def forget(self) -> None:
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(jar, _Stay)

    def get(self, path: str, limit: float = PATIENCE) -> tuple[int, str]:
        return self._ask(urllib.request.Request(self._url(path)), limit)

    def token(self, path: str, limit: float = PATIENCE) -> str:
        status, body = self.get(path, limit)
        found = _TOKEN.search(body)
        assert found, f"{path}: {status}, and no form"
        return found[1]

    def post(self, path: str, form: dict[str, str], token: str, limit: float = PATIENCE) -> int:
        body = urllib.parse.urlencode({**form, "csrfmiddlewaretoken": token}).encode()
        request = urllib.request.Request(self._url(path), body)
        request.add_header("Origin", f"http://{self.address}")
        return self._ask(request, limit)[0]

    def moments(self, public_id: str, eyes: str) -> list[dict[str, Any]]:
        """Return the views of a whole replay through the eyes of a seat or of all."""
        first, found = 0, []
        while first is not None:
            status, body = self.get(f"/matches/{public_id}/replay.json?from={first}&as={eyes}")
            assert status == 200
            found += [moment["view"] for moment in json.loads(body)["views"]]
            first = json.loads(body)["next"]
        return found

    def _url(self, path: str) -> str:
        return f"http://{self.address}{path}"

    def _ask(self, request: urllib.request.Request, limit: float) -> tuple[int, str]:
        if self.cookie:
            request.add_header("Cookie", self.cookie)
        answer: HTTPResponse | urllib.error.HTTPError
        try:
            answer = self._opener.open(request, timeout=limit)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            return int(answer.status or 0), answer.read().decode()
