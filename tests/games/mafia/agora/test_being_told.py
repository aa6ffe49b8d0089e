"""Mail and bell of a town are the same for all roles: durability.md S1, agora.md "Being told"."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.db import transaction

from accounts.models import Reminders
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import replace
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState
from games.mafia.agora.testing import CARD, other_worlds
from games.mafia.common.testing import exchanged
from games.matches.models import Match
from games.matches.queries.attention import needs_of
from games.matches.services.reminders import send_reminders
from games.realtime import user_feed
from tests.forms import form
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.mafia.agora.reminder_kit import DAY, choose, slow_town
from tests.games.socket_kit import Browser, log_in, running_site

pytestmark = pytest.mark.django_db

HALF = timedelta(seconds=DAY / 2)
#: What somebody is told: mails with their headers, and the lines of the bell.
Said = tuple[list[tuple[Any, ...]], list[dict[str, str]]]


def said_in(kit: TownKit, play: AgoraState) -> list[Said]:
    """Return what everybody is told in a world, at the start and at half-time, by seat."""
    before = len(mail.outbox)
    with transaction.atomic():
        snapshot = kit.snapshot
        _, state = snapshot.table.encode(replace(snapshot.state, play=play))
        Match.objects.filter(pk=kit.match.pk).update(state=state, state_no=kit.row.action_count)
        send_reminders(kit.now)
        kit.now += HALF
        send_reminders(kit.now)
        bells = [needs_of(user.pk) for user in kit.people]
        transaction.set_rollback(True)
    kit.now -= HALF
    mails: list[list[tuple[Any, ...]]] = [[] for _ in bells]
    for each in mail.outbox[before:]:
        (address,) = each.to
        headers = {k: v for k, v in each.extra_headers.items() if k != "Message-ID"}
        to = [user.username for user in kit.people].index(address.removesuffix("@example.org"))
        text = (each.subject, each.body, each.from_email, tuple(sorted(headers.items())))
        mails[to].append(text)
    return list(zip(mails, bells, strict=True))


def stages() -> Iterator[TownKit]:
    """Yield a town in its first night and by its first day, where some have acted."""
    kit = slow_town(9)
    choose(kit.people[0], Reminders.START)
    sheriff, doctor = kit.user_of(Role.SHERIFF), kit.user_of(Role.DOCTOR)
    kit.act(sheriff, kind="choose", target=kit.people.index(doctor))
    for user in (doctor, kit.user_of(Role.MAFIOSO), kit.user_of(Role.CITIZEN)):
        kit.act(user, kind="done")
    yield kit
    kit.run_out()
    kit.act(kit.alive[1], kind="vote", choice="none")
    yield kit


def test_agora_one_is_told_the_same_whoever_is_what_and_whatever_others_have_done() -> None:
    """Also the two themselves who are each what the other was."""
    for kit in stages():
        play = kit.play
        told = said_in(kit, play)
        assert 3 <= sum(len(mails) for mails, _ in told) < 9
        pairs = [pair for pair in combinations(play.citizens, 2) if pair[0].role != pair[1].role]
        for one, other in pairs[:: form(4, in_all=1)]:
            assert said_in(kit, exchanged(play, one, other, CARD)) == told
        for no in range(9):
            first = next(iter(other_worlds(play, Viewer(SeatNo(no)))))
            assert said_in(kit, first)[no] == told[no]
        # A mail names neither role nor phase nor anybody else.
        for user, (mails, _) in zip(kit.people, told, strict=True):
            others = [each.username for each in kit.people if each != user]
            for subject, body, *_ in mails:
                assert subject == "[Rock & Racket] Your game needs you"
                assert not [word for word in ("night", *Role) if word in body.lower()]
                assert not [name for name in others if name in body]
                assert f"/{kit.match.public_id}/" in body
                assert "/accounts/mail/stop/" in body


@pytest.mark.django_db(transaction=True)
async def test_agora_the_line_of_ones_own_affairs_says_the_same_to_every_role(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(user_feed, "COMPARE", 0.1)

    def begin() -> tuple[TownKit, list[str]]:
        kit = town(7, phase_seconds=600)
        return kit, [log_in(user) for user in kit.people]

    kit, cookies = await sync_to_async(begin)()
    async with running_site():
        lines = [Browser("/ws/me/", cookie) for cookie in cookies]
        for line in lines:
            assert await line.open()
            await line.until(lambda frame: frame["type"] == "me")

        async def hear_of(what: list[str]) -> list[dict[str, Any]]:
            frames = [
                await line.until(
                    lambda frame: (
                        frame["type"] == "me"
                        and [need["what"] for need in frame["needs_you"]] == what
                    )
                )
                for line in lines
            ]
            return [{**frame, "now": None} for frame in frames]

        for user in kit.people:
            await sync_to_async(kit.act)(user, kind="done")
        quiet = await hear_of([])
        assert quiet == quiet[:1] * 7
        await sync_to_async(kit.run_out)()
        asked = await hear_of(["Vote"])
        assert asked == asked[:1] * 7
        for line in lines:
            await line.leave()
