"""The reference page of the reading API."""

from typing import Any

API = """# Reading API

`/api/` shows all operations and tries them; `/api/v1/openapi.json` is the OpenAPI 3.1 document,
with the type of each answer. `./run docs` writes this page.

- It only reads: GET and HEAD. It gives what guests see; addresses below `me/` give your own data.
- **Who asks**: nobody, a token (`Authorization: Bearer rrt_…`, as for
  [JSON-RPC](json-rpc.md#tokens)), or the session cookie. An unlisted match is in no list, and its
  players alone read it. `me/export` takes a log-in whose password was asked for lately, no token.
- **Lists** have `items` and `next`. Send `next` back as `cursor`, until it is null. New rows come
  in front, so a list has no row twice and lacks none that was there at the beginning.
- **Caching**: each answer has an `ETag`; send it back as `If-None-Match` for a 304.
- **Other sites** may read what everybody may read (`Access-Control-Allow-Origin: *`, no cookies).
- **Allowance**: {rate} a second and {burst} at once for each user of a token, else for each network
  of guests; an operation takes its cost from it. `Retry-After` says when to ask again.
- **Never in an answer**: ids of users, private posts of running games, hidden or reported posts,
  notes, reports. Names are those that users have now. Of the arena's rounds older than
  `arena.days_kept` seed and counts remain.
- Version 1 keeps its addresses, codes and fields; fields may be added.

| address below `/api/v1/` | parameters | gives | cost |
|---|---|---|---|
"""

ERRORS = """
## Errors
An error is `{"error": {"code", "message"}}`; the code is stable, the message is for people.

| status | code | meaning |
|---|---|---|
"""

CODE = """
## In the code
An operation is a function of a router of django-ninja, in `games/api/` or in a game's edge
(`games/arena/api.py`). ninja reads the parameters and makes answer and document by their types;
`games/api/operations.py` does the rest: caller, allowance, unknown parameters, ETag, CORS. The
queries are those of the pages. `tests/games/api/test_document.py` walks all operations and reads
each answer by the document, which forbids unknown fields.
"""


def page() -> str:
    """Return the page of the reading API."""
    from django.conf import settings

    from games.api.errors import PROBLEMS
    from games.api.views import document

    text = API.replace("{rate}", str(settings.SOCKET_RATE)).replace(
        "{burst}", str(settings.SOCKET_BURST)
    )
    for path, each in document("")["paths"].items():
        told = each["get"]
        parameters = ", ".join(
            _parameter(one) for one in told["parameters"] if one["in"] == "query"
        )
        text += f"| `{path.lstrip('/')}` | {parameters} | {told['summary']} | {told['x-cost']} |\n"
    text += ERRORS
    for code, (status, message) in PROBLEMS.items():
        text += f"| {status} | `{code}` | {message.rstrip('.')} |\n"
    return text + CODE


def _parameter(told: Any) -> str:
    schema = told["schema"]
    values = "/".join(value for value in schema.get("enum", ()) if value)
    return f"`{told['name']}`" + (f" ({values})" if values else "")
