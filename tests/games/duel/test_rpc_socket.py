import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from games import registry
from games.engine.structs import canonical
from games.engine.table import Table
from games.jsonrpc import consumer
from games.jsonrpc.consumer import ProgramConsumer
from games.matches import services as matches
from games.matches.journal.loading import match_cache
from games.matches.models import Entry, Match
from games.matches.processing import repair, writing
from games.matches.processing.submissions import Submission
from tests.games.journal_kit import facts_of
from tests.games.jsonrpc.kit import (
    InsideLine,
    bearer,
    leave,
    make_token,
    path_of,
    player,
    table,
)
from tests.games.jsonrpc.program import Program, seat
from tests.games.socket_kit import log_in, look_often, opened, running_site, see_nothing

pytestmark = pytest.mark.django_db(transaction=True)
EVIL, GOOD = (b"origin", b"https://evil.test"), (b"origin", b"http://localhost")
CALL = '{"jsonrpc":"2.0","method":"server_time","id":1}'


@pytest.fixture
async def site(transactional_db: None) -> AsyncIterator[None]:
    """All that is live of a web process; it ends the sockets that are still open."""
    async with running_site():
        yield


async def duel(people: int = 2, **options: Any) -> tuple[Match, list[Any]]:
    return await sync_to_async(table)("duel", people, **options)


async def playing(match: Match, users: list[Any]) -> list[Program]:
    found = [await player(match, user) for user in users]
    await seat(*found, is_beginning=True)
    return found


async def token_of(user: Any) -> tuple[bytes, bytes]:
    return bearer(await sync_to_async(make_token)(user))


async def test_rpc_the_answer_comes_after_the_commit_and_after_what_it_did(site: None) -> None:
    match, users = await duel()
    ann = await player(match, users[0])
    await ann.call("sit", 1)
    assert [m[0].get("method", "answer") for m in ann.messages[1:]] == ["player_sat", "answer"]
    assert await Match.objects.filter(pk=match.pk, action_count=1).aexists()
    # Calls that are sent before the state are answered after it.
    line = InsideLine(path_of(match), await token_of(users[1]))
    assert await line.open()
    bob = Program(line)
    await line.send('{"jsonrpc":"2.0","method":"sit","id":7}')
    assert (await bob.answer(7))["result"] == {"repeated": False, "seat_id": 0}
    assert bob.words[0] == ("receive_state", "setup")


async def test_rpc_nothing_of_a_hand_is_told_before_both_are_in(site: None) -> None:
    """Two duels that differ in one hand look the same, byte for byte, to everybody else."""
    told: list[list[str]] = []
    # One site: a second start would be the end of an outage, which gives the first duel time back.
    for hand in ("rock", "paper"):
        match, users = await duel(3)
        ann, bob = await playing(match, users[:2])
        eve = await player(match, users[2])
        await ann.call("choose_hand", hand)
        for one in (bob, eve):
            await one.until("hand_in")
            await one.call("send_state")
        late = await player(match, None)
        assert ("your_hand", hand) not in [*bob.words, *eve.words, *late.words]
        seen = "\n".join([*bob.texts, *eve.texts, *late.texts])
        for no, user in enumerate(users):
            seen = seen.replace(user.username, f"user-{no}")
        told.append([_without_chance(text) for text in seen.split("\n")])
        await ann.call("send_state")
        assert ("your_hand", hand) in ann.words
        await leave(ann, bob, eve, late)
    assert told[0] == told[1]


def _without_chance(text: str) -> str:
    """Take out what differs between any two duels: the clock, and the ids that a test counts."""
    content = json.loads(text)
    for each in content if isinstance(content, list) else [content]:
        if each.get("method") == "clock":
            each["params"] = ["then"]
        each.pop("id", None)
    return json.dumps(content)


@pytest.mark.plain
async def test_rpc_a_bots_name_is_told_and_that_it_is_ready(site: None) -> None:
    match, users = await duel()
    ann = await player(match, users[0])
    await ann.call("sit")
    page = await opened(match, await sync_to_async(log_in)(users[0]))
    assert (await page.act(kind="add_bot"))["type"] == "ack"
    *_, name = await ann.until(lambda word: word[:2] == ("player_sat", 1))
    assert name
    assert await ann.until("player_ready") == ("player_ready", 1)
    await page.leave()


@pytest.mark.both_databases
async def test_rpc_what_another_process_commits_is_told_once_and_in_order(monkeypatch) -> None:
    """Actions that this process has not made itself: found by comparing, read from the log."""
    look_often(monkeypatch)
    match, users = await duel(3)
    async with running_site():
        pair = await playing(match, users[:2])
        eve = await player(match, users[2])
        for seat, hand in ((0, "rock"), (1, "paper")):
            action = {"kind": "throw", "hand": hand}
            submission = Submission(match.pk, action, f"elsewhere-{seat}", users[seat].pk)
            await sync_to_async(writing.submit)(submission)
        for one in (*pair, eve):
            await one.until("end_game")
            assert one.count("player_chose_hand") == one.count("hand_in") == 2
        await leave(*pair, eve)
        told = await sync_to_async(facts_of)(match)
        found = [fact.number for fact in told if fact.audience is None]
        assert found == list(range(1, len(found) + 1)), "public facts are numbered without gaps"


@pytest.mark.plain
async def test_rpc_every_public_fact_is_told_once_whatever_comes_between(site: None) -> None:
    """After a state that is requested during play, facts follow without a gap."""
    match, users = await duel(3, best_of=19, no_ties=True)
    ann, bob = await playing(match, users[:2])
    eve = await player(match, users[2])
    since = len(eve.words)

    async def look_on() -> None:
        for _ in range(4):
            await eve.call("send_state")
            await asyncio.sleep(0.02)

    async def throw(one: Program, hands: str) -> None:
        for number, hand in enumerate(hands, start=2):
            await one.call("choose_hand", hand)
            await one.until(lambda word, n=number: word == ("throw_started", n))

    await asyncio.gather(throw(ann, "rprprp"), throw(bob, "psspsr"), look_on())
    await eve.until(lambda word: word == ("throw_started", 7))
    live, depth = [], 0
    for word in eve.words[since:]:
        depth += (word[0] == "receive_state") - (word[0] == "state_sent")
        if not depth and word[0] != "state_sent":
            live.append(word)
    assert [word for word in live if word[0] == "throw_ended"] == [
        word for word in ann.words if word[0] == "throw_ended"
    ]
    assert [word[1] for word in live if word[0] == "throw_started"] == [2, 3, 4, 5, 6, 7]


@pytest.mark.plain
async def test_rpc_an_empty_table_closes_in_words(monkeypatch) -> None:
    look_often(monkeypatch)
    match, users = await duel()
    async with running_site():
        ann = await player(match, users[0])
        await sync_to_async(_age)(match)
        assert await ann.until("table_closed") == ("table_closed", "quiet")
        assert await ann.call("sit") == "action/not_in_phase"
        late = await player(match, users[0])
        assert late.words[0] == ("receive_state", "closed")
        await leave(ann, late)


def _age(match: Match) -> None:
    row = Match.objects.get(pk=match.pk)
    table = json.loads(row.table)
    table["close_at"] = row.at_ms
    now = timezone.now()
    aged = canonical(table)
    Match.objects.filter(pk=row.pk).update(origin=aged, table=aged, due_at=now, wake_at=now)
    # No entry says so: a process that has the match would not look.
    match_cache.drop([row.pk])
    assert Table(registry.rules_of("duel")).decode(canonical(table), "").close_at == row.at_ms


#: Path, what the handshake brings, and whether it opens.  A session counts only with this site's
#: origin, a token with any; a wrong token is not helped by a good session.
HANDSHAKES = """
rpc/duel/{listed}    nothing                yes
rpc/duel/{listed}    session evil           no
rpc/duel/{listed}    session                no
rpc/duel/{listed}    session basic evil     no
rpc/duel/{listed}    session good           yes
rpc/duel/{listed}    token                  yes
rpc/duel/{listed}    token evil             yes
rpc/duel/{listed}    token session evil     yes
rpc/duel/{listed}    wrong session good     no
rpc/duel/{listed}    wrong                  no
rpc/duel/{listed}    revoked                no
rpc/duel/{unlisted}  nothing                no
rpc/duel/{unlisted}  token                  yes
rpc/duel/no-such     token                  no
rpc/duel/{table}     token                  no
match/{listed}       token                  yes
match/{listed}       wrong                  no
match/{listed}       revoked                no
lobby                token                  yes
lobby                wrong                  no
lobby                revoked                no
me                   token                  yes
me                   wrong                  no
me                   revoked                no
"""


def some_matches() -> tuple[dict[str, str], dict[str, tuple[bytes, bytes]]]:
    """Return the public ids and the headers that the handshakes name."""
    listed, (ann, bob) = table("duel")
    unlisted, _ = table("duel", listed=False)
    other, _ = table("showdown")
    revoked = make_token(bob)
    tokens.revoke_token(user_id=bob.pk, token_id=ApiToken.objects.get(user=bob).pk)
    names = {"listed": listed, "unlisted": unlisted, "table": other}
    return {name: match.public_id for name, match in names.items()}, {
        "session": (b"cookie", log_in(ann).encode()),
        "token": bearer(make_token(bob)),
        "wrong": bearer("rrt_wrong"),
        "revoked": bearer(revoked),
        "evil": EVIL,
        "good": GOOD,
        "basic": (b"authorization", b"Basic dXNlcjpwYXNz"),
    }


async def test_rpc_who_is_let_in_where(site: None) -> None:
    ids, headers = await sync_to_async(some_matches)()
    for row in HANDSHAKES.strip().splitlines():
        path, *brings, opens = row.split()
        given = [headers[name] for name in brings if name != "nothing"]
        line = InsideLine(f"/ws/{path.format(**ids)}/", *given)
        assert await line.open() is (opens == "yes"), row
        if opens == "yes":
            await line.close()


async def test_rpc_a_session_plays_as_a_token_does_which_counts_more(site: None) -> None:
    match, users = await duel()
    cookies = [(b"cookie", (await sync_to_async(log_in)(user)).encode()) for user in users]
    one = await player(match, users[0], cookies[0], GOOD)
    assert (await one.call("sit"))["seat_id"] == 0
    two = await player(match, users[1], await token_of(users[1]), cookies[0], EVIL)
    assert (await two.call("sit"))["seat_id"] == 1
    names = [("player_sat", no, user.username) for no, user in enumerate(users)]
    assert [word for word in two.words if word[0] == "player_sat"] == names


async def revoke(user: Any) -> None:
    first = await ApiToken.objects.filter(user=user).order_by("pk").afirst()
    await sync_to_async(tokens.revoke_token)(user_id=user.pk, token_id=first.pk)


async def test_rpc_a_revoked_token_ends_its_sockets_and_no_others(site: None) -> None:
    match, users = await duel()
    one, two = [await player(match, users[0]) for _ in range(2)]
    await revoke(users[0])
    assert await one.until_closed() == 4401
    assert (await two.call("sit"))["seat_id"] == 0


async def test_rpc_a_revoked_token_cannot_act_even_before_its_socket_ends(monkeypatch) -> None:
    see_nothing(monkeypatch)
    match, users = await duel()
    async with running_site():
        one = await player(match, users[0])
        await ApiToken.objects.filter(user=users[0]).aupdate(revoked_at=timezone.now())
        assert await one.call("sit") == "unauthenticated"
        assert await one.until_closed() == 4401
    assert await Entry.objects.filter(match=match).acount() == 0


async def test_rpc_sockets_of_programs_do_not_close_those_of_pages(site: None, settings: Any):
    match, users = await duel()
    page = await opened(match, await sync_to_async(log_in)(users[0]))
    token = await token_of(users[0])
    some = [await player(match, users[0], token) for _ in range(settings.SOCKETS_PER_USER + 1)]
    assert await some[0].until_closed() == 4409
    await page.act(kind="sit", seat=0)
    assert page.view["you"]["seat"] == 0
    await page.leave()


async def test_rpc_the_end_of_the_process_closes_with_4412() -> None:
    match, users = await duel()
    async with running_site():
        one = await player(match, users[0])
    assert await one.until_closed() == 4412


@pytest.mark.parametrize(
    ("text", "times"),
    [("{", 10), (CALL, 200), ("[" + ",".join([CALL] * 20) + "]", 3)],
    ids=["bad messages in ten seconds", "calls", "what batches hold"],
)
async def test_rpc_too_many_end_the_socket(site: None, text: str, times: int) -> None:
    match, users = await duel()
    one = await player(match, users[0])
    for _ in range(times):
        await one.line.send(text)
    assert await one.until_closed() == 4429


async def test_rpc_large_answers_are_rationed(site: None) -> None:
    match, users = await duel()
    one = await player(match, users[0])
    call = '{"jsonrpc":"2.0","method":"send_state","id":1}'
    answers = [await one.ask(call) for _ in range(8)]
    errors = [answer["error"] for answer in answers if "error" in answer]
    told = [(each["code"], each["data"]["token"], each["data"]["retry_ms"]) for each in errors]
    assert set(told) == {(1008, "rate_limited", 1000)}
    assert one.count("state_sent") == 1 + 8 - len(errors)


@pytest.mark.plain
async def test_rpc_a_program_that_does_not_read_is_ended(settings) -> None:
    one = ProgramConsumer()
    for _ in range(20):
        one.tell("x" * (settings.SOCKET_UNSENT // 10))
    assert one._closing == 4408
    assert not one._outbox


@pytest.mark.plain
async def test_rpc_disconnecting_frees_a_seat_before_the_start(monkeypatch) -> None:
    look_often(monkeypatch)
    match, users = await duel()
    async with running_site():
        ann = await player(match, users[0])
        await ann.call("sit", 0)
        await leave(ann)
        await match.seats.aupdate(seen_at=timezone.now() - repair.ABSENCE * 2)
        bob = await player(match, users[1])
        await bob.until("player_stood")
        await leave(bob)
    assert not await match.seats.aexists()


async def test_rpc_what_could_not_be_read_is_told_later(monkeypatch) -> None:
    match, users = await duel()
    broken = await sync_to_async(matches.open_match)(opened_by=users[1], options={}, game="duel")
    real = ProgramConsumer._news
    fails = {(broken.pk, True), (match.pk, True), (match.pk, False)}

    def read(program: ProgramConsumer, last: int, wants_state: bool) -> Any:
        if (program.match_id, wants_state) in fails:
            fails.remove((program.match_id, wants_state))
            raise TimeoutError("it does not stop")
        return real(program, last, wants_state)

    monkeypatch.setattr(ProgramConsumer, "_news", read)
    monkeypatch.setattr(consumer, "RETRY", 0.01)
    async with running_site():
        one, two = await asyncio.gather(player(match, users[0]), player(broken, users[1]))
        # So is what was done, and its answer follows.
        assert (await one.call("sit"))["seat_id"] == 0
        assert fails == set()
        assert [message[0].get("method", "answer") for message in one.messages[1:]] == [
            "player_sat", "answer",
        ]  # fmt: skip
        assert one.count("receive_state") == two.count("receive_state") == 1
        await leave(one, two)
