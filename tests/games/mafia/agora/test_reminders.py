from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.test import Client
from post_office.models import Email

from accounts.models import Reminders, User
from accounts.tasks import send_mail
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import replace
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState
from games.matches.models import Match, Reminder, ReminderDue
from games.matches.processing import repair
from games.notices.reminders import send_reminders
from games.realtime import feeds
from tests.at_once import all_at_once
from tests.forms import form
from tests.games.mafia.agora.kit import DAY, TownKit, addresses, choose, slow_town, town
from tests.games.match_kit import bell_of
from tests.games.socket_kit import Browser, log_in, running_site
from tools.referee.agora import CARD, TRIAL
from tools.referee.mafia import exchanged

pytestmark = pytest.mark.django_db

#: To a tenth of a second before half of a phase of a day, and over it.
NEARLY_HALF, A_BIT = DAY / 2 - 0.1, 0.2


@pytest.fixture
def kit() -> TownKit:
    return slow_town()


def told(kit: TownKit, seconds: float = 0) -> list[str]:
    """Return the names of those who are written to once so much time has passed."""
    kit.pass_time(seconds)
    before = len(mail.outbox)
    send_reminders(kit.now)
    return addresses(mail.outbox[before:])


def names(users: list[Any]) -> list[str]:
    return sorted(user.username for user in users)


def refuse(*_: Any) -> None:
    raise OSError("the server hangs up")


def crash(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.plain
def test_reminder_at_half_time_goes_to_who_is_idle(kit, django_assert_num_queries) -> None:
    done, *others = kit.people
    kit.act(done, kind="done")
    assert told(kit) == []
    with django_assert_num_queries(1):
        assert send_reminders(kit.now) == 0, "while nothing is due"
    assert (told(kit, NEARLY_HALF), told(kit, A_BIT)) == ([], names(others))
    assert told(kit, 60) == told(kit, 3600) == []
    kit.run_out()
    # What nobody sent of an earlier phase is not sent later.
    kit.pass_time(NEARLY_HALF + A_BIT)
    kit.run_out()
    assert (told(kit), told(kit, NEARLY_HALF + A_BIT)) == ([], names(kit.people))


@pytest.mark.plain
def test_reminder_at_the_start_for_who_wants_that_or_never(kit: TownKit) -> None:
    early, never, *others = kit.people
    choose(early, Reminders.START)
    choose(never, Reminders.NEVER)
    assert (told(kit), told(kit, NEARLY_HALF + A_BIT)) == ([early.username], names(others))
    kit.run_out()
    assert (kit.row.phase, told(kit)) == (2, [early.username])
    kit.act(others[0], kind="vote", choice="none")
    assert told(kit, NEARLY_HALF + A_BIT) == names(others[1:])


@pytest.mark.plain
def test_reminder_says_to_mail_programs_how_to_end_it(client: Client, kit: TownKit) -> None:
    told(kit, NEARLY_HALF + A_BIT)
    message = mail.outbox[-1]
    headers = message.extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    (user,) = (user for user in kit.people if user.username in message.to[0])
    client.post(link.removeprefix(settings.PUBLIC_URL), {"List-Unsubscribe": "One-Click"})
    assert User.objects.get(pk=user.pk).reminders == Reminders.NEVER
    kit.run_out()
    assert user.username not in told(kit, NEARLY_HALF + A_BIT)


def test_reminder_says_that_posts_keep_no_seat_where_substitutes_may_come() -> None:
    for has_substitutes in (True, False):
        kit = slow_town(substitutes=has_substitutes)
        kit.run_out()
        writer = kit.people[0]
        kit.act(writer, kind="post", room="town", text="I am here.")
        assert writer.username in told(kit, NEARLY_HALF + A_BIT)
        for message in mail.outbox[-len(kit.people) :]:
            assert ("A post does not keep it." in message.body) == has_substitutes


def test_reminder_goes_to_confirmed_addresses_of_living_people_alone() -> None:
    kit = slow_town(7)
    unconfirmed, banned, gone, *others = sorted(
        kit.people, key=lambda user: kit.play.citizens[kit.people.index(user)].role != Role.CITIZEN
    )
    EmailAddress.objects.filter(user=unconfirmed).update(verified=False)
    User.objects.filter(pk=banned.pk).update(is_active=False)
    kit.act(gone, kind="leave")
    assert told(kit, NEARLY_HALF + A_BIT) == names(others)


def test_reminder_is_for_slow_clocks_and_running_games_alone() -> None:
    fast = town(5, phase_seconds=300)
    assert not ReminderDue.objects.exists()
    assert told(fast, 200) == []
    slow = slow_town()
    choose(slow.people[0], Reminders.START)
    assert told(slow) == [slow.people[0].username]
    slow.pass_time(NEARLY_HALF + A_BIT)
    slow.void("a test")
    assert told(slow) == []
    assert not ReminderDue.objects.exists()
    assert not Reminder.objects.exists()


@pytest.mark.plain
def test_reminder_moves_with_the_phase_when_an_outage_is_repaid(kit: TownKit) -> None:
    ends_at = kit.row.due_at
    kit.pass_time(DAY / 4)
    kit.now += timedelta(hours=5)
    assert repair.repay(kit.now).snapshots == {}, "of 100,000 such games none may stay in memory"
    assert kit.row.due_at == ends_at + timedelta(hours=5)
    # It was looked at before, when half-time was earlier.
    ReminderDue.objects.update(at=kit.now)
    assert (told(kit), told(kit, DAY / 4 - 1), told(kit, 2)) == ([], [], names(kit.people))


@pytest.mark.parametrize(
    ("target", "name", "what"),
    [
        (EmailBackend, "send_messages", refuse),
        ("games.notices.reminders", "_send", crash),
        (EmailBackend, "open", refuse),
    ],
    ids=["refused", "crashed between note and mail", "cannot be reached"],
)
def test_reminder_is_lost_and_not_sent_twice_or_waits_for_the_server(
    kit: TownKit, monkeypatch: pytest.MonkeyPatch, target: Any, name: str, what: Any
) -> None:
    kit.pass_time(NEARLY_HALF + A_BIT)
    target = import_module(target) if isinstance(target, str) else target
    with monkeypatch.context() as broken:
        broken.setattr(target, name, what, raising=False)
        if what is crash:
            with pytest.raises(KeyboardInterrupt):
                send_reminders(kit.now)
        else:
            assert told(kit) == []
    lost = set(Reminder.objects.values_list("user_id", flat=True))
    assert len(lost) == (name != "open")
    assert told(kit) == names([user for user in kit.people if user.pk not in lost])
    if name == "send_messages":
        assert Email.objects.filter(status=1).count() == 1
        before = len(mail.outbox)
        send_mail()
        assert len(mail.outbox) == before


def test_reminder_of_many_is_sent_in_parts(kit: TownKit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.notices.reminders.MOST_MAILS", 2)
    kit.pass_time(NEARLY_HALF + A_BIT)
    parts = [told(kit) for _ in range(4)]
    assert [len(part) for part in parts] == [2, 2, 1, 0]
    assert sorted(name for part in parts for name in part) == names(kit.people)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_reminder_is_sent_once_by_two_workers_at_once(kit: TownKit) -> None:
    kit.pass_time(NEARLY_HALF + A_BIT)
    all_at_once([lambda: send_reminders(kit.now)] * 3)
    assert addresses(mail.outbox) == names(kit.people)


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
        bells = [bell_of(user.pk) for user in kit.people]
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
            first = next(iter(TRIAL.other_worlds(play, Viewer(SeatNo(no)))))
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
async def test_agora_the_line_of_ones_own_says_the_same_to_every_role(monkeypatch) -> None:
    monkeypatch.setattr(feeds, "COMPARE", 0.1)

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
