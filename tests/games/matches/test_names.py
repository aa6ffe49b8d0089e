"""The names of matches and contests in addresses, and in commands."""

import secrets
from typing import Any

from games.contests.models import Contest
from games.matches.models import Match, new_public_id


def test_public_id_never_begins_like_an_option(monkeypatch: Any) -> None:
    drawn = iter(["-abc", "_abc", "--", "a-b_", "7-b_"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn))
    assert [new_public_id(), new_public_id()] == ["a-b_", "7-b_"]


def test_public_id_is_as_long_as_ever_and_made_in_one_place() -> None:
    ids = {new_public_id() for _ in range(300)}
    assert len(ids) == 300
    assert {len(name) for name in ids} == {22}
    assert all(name[0].isalnum() for name in ids)
    for model in (Match, Contest):
        assert model._meta.get_field("public_id").default is new_public_id
