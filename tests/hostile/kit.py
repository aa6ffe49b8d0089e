"""Helpers of the cases: a running table with frames as text, and a check that nothing changed."""

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from accounts.models import User
from economy.models import Account, Transfer
from games.engine.errors import IllegalAction
from games.matches.models import Entry, Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.realtime import protocol
from tests.accounts.kit import browser
from tests.games.match_kit import MatchKit
from tests.games.table_kit import TableKit, new_user

__all__ = ["ID", "PAGES", "Door", "browser", "everything", "frame", "nothing_moves", "refusal"]

ID = "8f3e-aaaa_BBBB"
_numbers = itertools.count(1)
#: Pages of every kind, as a guest asks for them.
PAGES = [
    "/", "/tables/", "/duels/", "/arena/", "/rules/showdown/", "/leaderboard/", "/credits/",
    "/leaderboard/awards/", "/shop/", "/economy/", "/accounts/login/", "/accounts/signup/",
    "/accounts/password/reset/",
    "/no-such-page/", "/wallet/", "/daily/",
]  # fmt: skip


def frame(**changes: Any) -> dict[str, Any]:
    """Return a frame that raises by three, with an id of its own, and with changes."""
    action = {"kind": "raise_by", "amount": 3}
    number = f"hostile-{next(_numbers):06d}"
    return {"id": number, "type": "act", "phase": 7, "action": action, **changes}


@contextmanager
def nothing_moves() -> Iterator[None]:
    before = everything()
    yield
    for then, now in zip(before, everything(), strict=True):
        assert now == then, [each for each in now if each not in then]


def everything() -> tuple[list[Any], ...]:
    return (
        list(Match.objects.order_by("pk").values()),
        list(Entry.objects.order_by("pk").values()),
        list(Account.objects.order_by("pk").values_list("pk", "balance")),
        list(Transfer.objects.order_by("pk").values_list("pk", flat=True)),
    )


def refusal(kit: MatchKit, user: User, **action: Any) -> tuple[str, str, str]:
    """Return code, sentence and detail of what is answered to an action that changes nothing."""
    before = kit.row.action_count, kit.row.state
    with pytest.raises(IllegalAction) as caught:
        kit.act(user, **action)
    assert (kit.row.action_count, kit.row.state) == before
    return caught.value.code, str(caught.value), json.dumps(caught.value.detail)


class Door:
    """A table of two in the betting; what somebody sends is read and judged as on a socket."""

    def __init__(self, **options: Any) -> None:
        self.kit = TableKit(new_user(), new_user(), seats=2, **options)
        self.kit.start()
        self.user = self.kit.on_turn()

    def send(self, sent: Any, user: User | None = None) -> str:
        """Return the code of the answer: ``ack``, ``repeated``, or that of the refusal."""
        if isinstance(sent, dict) and sent.get("phase") == 7:
            sent = {**sent, "phase": self.kit.row.phase}
        text = sent if isinstance(sent, str | bytes) else json.dumps(sent)
        try:
            read = protocol.parse(text)
        except protocol.MalformedFrame as refusal:
            return refusal.code
        assert isinstance(read, protocol.Act)
        actor = (user or self.user).pk
        submission = Submission(self.kit.match.pk, read.action, read.id, actor, read.phase)
        answer = writing.apply_batch([submission], self.kit.now).answers[0]
        if answer.error is not None:
            assert isinstance(answer.error, IllegalAction) or hasattr(answer.error, "code")
            return str(answer.error.code)
        return "repeated" if answer.repeated else "ack"
