import itertools
import json

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from games.api.errors import PROBLEMS
from games.api.views import document
from tests.accounts.kit import PASSWORD, browser, confirm_password
from tests.games.api.kit import ORIGIN, Site, bearer, problems, read

pytestmark = pytest.mark.django_db


def addresses(path: str, site: Site) -> list[str]:
    names = [name for name in site.values if f"{{{name}}}" in path]
    choices = itertools.product(*(site.values[name] for name in names))
    return [path.lstrip("/").format(**dict(zip(names, each, strict=True))) for each in choices]


def test_api_every_operation_answers_as_its_document_says() -> None:
    site, walked, filled, guest = Site(), set(), set(), {}
    site.people[0].set_password(PASSWORD)
    site.people[0].save()
    owner = browser(site.people[0])
    confirm_password(owner)
    headers = [guest, *(bearer(user) for user in site.people)]
    for path, each in document(ORIGIN)["paths"].items():
        operation = each["get"]
        is_own = operation["tags"] == ["own"]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        for address, sent in itertools.product(addresses(path, site), headers):
            # An export takes a log-in, other own data a token too.
            is_export = address == "me/export" and sent is not guest
            answer = read(address, owner if is_export else None, headers={} if is_export else sent)
            body = json.loads(b"".join(answer))
            if answer.status_code != 200:
                assert (answer.status_code, is_own and sent is guest) in [(401, True), (404, False)]
                assert problems(body, {"$ref": "#/components/schemas/Refused"}) == []
                continue
            assert problems(body, schema) == [], address
            walked.add(operation["operationId"])
            if body and (isinstance(body, list) or body.get("items") != []):
                filled.add(operation["operationId"])
    assert walked == {each["get"]["operationId"] for each in document(ORIGIN)["paths"].values()}
    # Nobody has played enough for a rating or an award.
    assert walked - filled == {"rating_board", "award_board"}


def test_api_document_is_whole() -> None:
    told = json.loads(json.dumps(document(ORIGIN)))
    OpenAPIV31SpecValidator(told).validate()
    schemas = told["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    text = json.dumps(told)
    refs = {part.split('"')[0] for part in text.split('"$ref": "#/components/schemas/')[1:]}
    assert refs <= set(schemas)
    assert schemas["Problem"]["properties"]["code"]["enum"] == [*PROBLEMS]
    # A field that no struct has would be refused by the walk.
    ours = ("ListedMatch", "ListedSeat", "Event", "HistoryEntry", "Player", "Me", "StatementLine")
    assert all(schemas[name]["additionalProperties"] is False for name in ours)
    fields = {name for schema in schemas.values() for name in schema.get("properties", ())}
    assert {"user", "user_id", "owner", "asked", "action_id", "email"}.isdisjoint(fields)
    for path, each in told["paths"].items():
        named = {one["name"] for one in each["get"]["parameters"] if one["in"] == "path"}
        assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}
