"""The socket for programs: messages, order, audiences; log-in, limits, two processes."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from games import registry
from games.engine.structs import canonical
from games.engine.table import Table
from games.matches.models import Entry, Match
from games.matches.processing import repair, writing
from games.matches.processing.submissions import Submission
from games.matches.services import matches
from tests.games.duel.conformance.program import Refused
from tests.games.duel.rpc_kit import (
    InsideLine,
    Program,
    bearer,
    closed,
    leave,
    make_duel,
    make_token,
    path_of,
    playing,
    program,
    programs,
)
from tests.games.journal_kit import facts_of
from tests.games.socket_kit import Browser, log_in, look_often, running_site, see_nothing

pytestmark = pytest.mark.django_db(transaction=True)
duel = sync_to_async(make_duel)


async def test_rpc_the_state_comes_first_and_tells_the_options() -> None:
    match, _, keys = await duel(best_of=3, clock_seconds=60)
    async with running_site():
        one = await program(match, keys[0])
        assert one.words == [
            ("receive_state", "setup"),
            ("best_of", None, 3),
            ("no_ties", None, 0),
            ("clock_seconds", None, 60),
            ("stake", None, 0),
            ("option", None, "listed", True),
            ("option", None, "rated", False),
            ("option", None, "spectators", True),
            ("configuration", 1),
            ("state_sent",),
        ]
        assert len(one.messages) == 1
        await leave(one)


@pytest.mark.both_databases
async def test_rpc_a_whole_duel_is_told_to_seats_and_observers_alike() -> None:
    match, users, keys = await duel(3)
    async with running_site():
        ann, bob = await programs(match, keys[:2])
        eve = await program(match, keys[2])
        guest = await program(match, None)
        for one in (ann, bob):
            await one.settle()
            one.words.clear()
            one._read = 0
        for one in (eve, guest):
            assert ("player_sat", 0, users[0].username) in one.words
            one.words.clear()
            one._read = 0
        assert await ann.call("best_of", 1) == {"repeated": False}
        assert await ann.call("no_ties", 1) == {"repeated": False}
        await ann.call("ready")
        await bob.settle()
        await bob.call("ready")
        for one in (ann, bob):
            await one.until("throw_started")
        await ann.call("choose_hand", "Rock around the clock \u2603")
        await bob.until("hand_in")
        await bob.call("choose_hand", hand="s")
        for one in (ann, bob, eve, guest):
            await one.until("end_game")
        clocks = [word for word in ann.words if word[0] == "clock"]
        assert len(clocks) == 1
        assert [word for word in ann.words if word[0] != "clock"] == [
            ("no_ties", 0, 1),
            ("configuration", 2),
            ("player_ready", 0),
            ("player_ready", 1),
            ("start_game",),
            ("throw_started", 1),
            ("hand_in", 0),
            ("hand_in", 1),
            ("player_chose_hand", 0, "rock"),
            ("player_chose_hand", 1, "scissors"),
            ("throw_ended", 1, [0], True),
            ("score", 1, 0),
            ("end_game", [0], "wins"),
        ]
        for one in (bob, eve, guest):
            assert one.words == ann.words
        (shown,) = [m for m in eve.messages if any(e["method"] == "player_chose_hand" for e in m)]
        assert [e["params"][0] for e in shown if e["method"] == "player_chose_hand"] == [0, 1]
        await leave(ann, bob, eve, guest)


async def test_rpc_the_answer_comes_after_the_commit_and_after_what_it_did() -> None:
    match, _, keys = await duel()
    async with running_site():
        ann = await program(match, keys[0])
        await ann.call("sit", 1)
        assert [m[0].get("method", "answer") for m in ann.messages[1:]] == ["player_sat", "answer"]
        assert await Match.objects.filter(pk=match.pk, action_count=1).aexists()
        await leave(ann)


async def test_rpc_calls_sent_before_the_state_are_answered_after_it() -> None:
    match, _, keys = await duel()
    async with running_site():
        line = InsideLine(path_of(match), bearer(keys[0]))
        assert await line.open()
        one = Program(line)
        await line.send('{"jsonrpc":"2.0","method":"sit","id":7}')
        assert (await one.answer(7))["result"] == {"repeated": False, "seat_id": 0}
        assert one.words[0] == ("receive_state", "setup")
        await leave(one)


async def test_rpc_nothing_of_a_hand_is_told_before_both_are_in() -> None:
    """Two duels that differ in one hand look the same, byte for byte, to everybody else."""
    told: list[list[str]] = []
    # One site: a second start would be the end of an outage, which gives the first duel time back.
    async with running_site():
        for hand in ("rock", "paper"):
            match, users, keys = await duel(3)
            ann, bob = await playing(match, keys[:2])
            eve = await program(match, keys[2])
            await ann.call("choose_hand", hand)
            for one in (bob, eve):
                await one.until("hand_in")
                await one.call("send_state")
            late = await program(match, None)
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


async def test_rpc_the_state_of_a_running_duel_rebuilds_all_of_it() -> None:
    match, users, keys = await duel(3, best_of=5, no_ties=True)
    async with running_site():
        ann, bob = await playing(match, keys[:2])
        for first, second in (("r", "s"), ("p", "p"), ("s", "r")):
            await ann.call("choose_hand", first)
            await bob.call("choose_hand", second)
            await ann.until("throw_started")
            await bob.until("throw_started")
        await bob.call("choose_hand", "paper")
        await ann.call("suspend_game")
        eve = await program(match, keys[2])
        state = [word for word in eve.words if word[0] not in ("clock", "option")]
        names = [user.username for user in users]
        assert state == [
            ("receive_state", "active"),
            ("player_sat", 0, names[0]),
            ("player_sat", 1, names[1]),
            ("best_of", None, 5),
            ("no_ties", None, 1),
            ("clock_seconds", None, 30),
            ("stake", None, 0),
            ("configuration", 1),
            ("start_game",),
            *[("player_chose_hand", 0, "rock"), ("player_chose_hand", 1, "scissors")],
            ("throw_ended", 1, [0], True),
            *[("player_chose_hand", 0, "paper"), ("player_chose_hand", 1, "paper")],
            ("throw_ended", 2, [], False),
            *[("player_chose_hand", 0, "scissors"), ("player_chose_hand", 1, "rock")],
            ("throw_ended", 3, [1], True),
            ("score", 1, 1),
            ("throw_started", 4),
            ("hand_in", 1),
            ("suspension_asked", 0),
            ("state_sent",),
        ]
        await bob.call("suspend_game")
        await eve.until("suspend_game")
        await ann.call("resume_game")
        back = await program(match, keys[1])
        assert back.words[0] == ("receive_state", "suspended")
        assert ("your_hand", "paper") in back.words
        assert ("resumption_ready", 0) in back.words
        await bob.call("resume_game")
        await eve.until("resume_game")
        await ann.call("resign")
        assert await eve.until("end_game") == ("end_game", [1], "resigned")
        over = await program(match, keys[1])
        assert over.words[0] == ("receive_state", "over")
        assert ("end_game", [1], "resigned") in over.words
        await leave(ann, bob, eve, back, over)


async def test_rpc_configuring_makes_both_unready_unless_nothing_changes() -> None:
    match, _, keys = await duel()
    async with running_site():
        ann, bob = await programs(match, keys)
        await ann.call("ready")
        await bob.call("best_of", 1)
        await bob.settle()
        assert bob.count("player_unready") == bob.count("best_of") - 1 == 0
        await bob.call("best_of", 3)
        assert await ann.until("player_unready") == ("player_unready", 0)
        assert await ann.until("configuration") == ("configuration", 2)
        with pytest.raises(Refused) as stale:
            await ann.call("ready", 1)
        assert (stale.value.code, stale.value.token) == (1001, "stale")
        await ann.call("ready", configuration=2)
        await leave(ann, bob)


async def test_rpc_stake_is_collected_and_paid_in_words() -> None:
    match, _, keys = await duel()
    async with running_site():
        ann, bob = await programs(match, keys)
        await ann.call("stake", 20)
        await bob.until("configuration")
        await ann.call("ready")
        await bob.call("ready")
        await ann.until("throw_started")
        await bob.call("resign")
        await ann.until("end_game")
        assert await ann.until("paid") == ("paid", 0, 38, "pot")
        assert await ann.until("tax_taken") == ("tax_taken", 2)
        await leave(ann, bob)


async def test_rpc_a_rematch_says_where_it_is() -> None:
    match, _, keys = await duel()
    async with running_site():
        ann, bob = await playing(match, keys)
        await bob.call("resign")
        await bob.call("rematch")
        _, seat, public_id = await ann.until("rematch")
        following = await Match.objects.aget(public_id=public_id)
        assert seat == 1
        again = await program(following, keys[0])
        assert ("player_ready", 1) in again.words
        await again.call("ready")
        await again.until("throw_started")
        await leave(ann, bob, again)


async def test_rpc_a_bots_name_is_told_and_that_it_is_ready() -> None:
    match, users, keys = await duel()
    async with running_site():
        ann = await program(match, keys[0])
        await ann.call("sit")
        page = Browser(f"/ws/match/{match.public_id}/", await sync_to_async(log_in)(users[0]))
        assert await page.open()
        await page.until_view(lambda view: True)
        assert (await page.act(kind="add_bot"))["type"] == "ack"
        *_, name = await ann.until(lambda word: word[:2] == ("player_sat", 1))
        assert name
        assert await ann.until("player_ready") == ("player_ready", 1)
        await page.leave()
        await leave(ann)


@pytest.mark.both_databases
async def test_rpc_what_another_process_commits_is_told_once_and_in_order(monkeypatch) -> None:
    """Actions that this process has not made itself: found by comparing, read from the log."""
    look_often(monkeypatch)
    match, users, keys = await duel(3)
    async with running_site():
        ann, bob = await playing(match, keys[:2])
        eve = await program(match, keys[2])
        for seat, hand in ((0, "rock"), (1, "paper")):
            action = {"kind": "throw", "hand": hand}
            submission = Submission(match.pk, action, f"elsewhere-{seat}", users[seat].pk)
            await sync_to_async(writing.submit)(submission)
        for one in (ann, bob, eve):
            await one.until("end_game")
            assert one.count("player_chose_hand") == 2
            assert one.count("hand_in") == 2
        await leave(ann, bob, eve)


async def test_rpc_every_public_fact_is_told_once_whatever_comes_between() -> None:
    """After a state that is requested during play, facts follow without a gap."""
    match, _, keys = await duel(3, best_of=19, no_ties=True)
    async with running_site():
        ann, bob = await playing(match, keys[:2])
        eve = await program(match, keys[2])
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
        await eve.settle()
        for _ in range(100):
            if ("throw_started", 7) in eve.words[since:]:
                break
            await eve.settle()
            await asyncio.sleep(0.02)
        live, depth = [], 0
        for word in eve.words[since:]:
            depth += (word[0] == "receive_state") - (word[0] == "state_sent")
            if not depth and word[0] != "state_sent":
                live.append(word)
        assert [word for word in live if word[0] == "throw_ended"] == [
            word for word in ann.words if word[0] == "throw_ended"
        ]
        assert [word[1] for word in live if word[0] == "throw_started"] == [2, 3, 4, 5, 6, 7]
        await leave(ann, bob, eve)


async def test_rpc_public_facts_are_numbered_without_gaps() -> None:
    match, _, keys = await duel()
    async with running_site():
        ann, bob = await playing(match, keys)
        await ann.call("resign")
        await leave(ann, bob)
    told = await sync_to_async(facts_of)(match)
    found = [fact.number for fact in told if fact.audience is None]
    assert found == list(range(1, len(found) + 1))


async def test_rpc_an_empty_table_closes_in_words(monkeypatch) -> None:
    look_often(monkeypatch)
    match, _, keys = await duel()
    async with running_site():
        ann = await program(match, keys[0])
        await sync_to_async(_age)(match)
        assert await ann.until("table_closed") == ("table_closed", "quiet")
        late = await program(match, keys[0])
        assert late.words[0] == ("receive_state", "closed")
        await leave(ann, late)


def _age(match: Match) -> None:
    """Date an open table back by a quarter of an hour."""
    row = Match.objects.get(pk=match.pk)
    table = json.loads(row.table)
    table["close_at"] = row.at_ms
    now = timezone.now()
    aged = canonical(table)
    Match.objects.filter(pk=row.pk).update(origin=aged, table=aged, due_at=now, wake_at=now)
    assert Table(registry.rules_of("duel")).decode(canonical(table), "").close_at == row.at_ms


async def test_rpc_the_same_action_id_is_done_once() -> None:
    match, _, keys = await duel()
    async with running_site():
        ann = await program(match, keys[0])
        first = await ann.call("sit", action_id="program-sits-1")
        again = await ann.call("sit", action_id="program-sits-1")
        assert first == {"repeated": False, "seat_id": 0}
        assert again == {"repeated": True, "seat_id": 0}
        with pytest.raises(Refused) as conflict:
            await ann.call("sit", seat=1, action_id="program-sits-1")
        assert (conflict.value.code, conflict.value.token) == (1002, "conflict")
        with pytest.raises(Refused) as bad:
            await ann.call("sit", action_id="short")
        assert bad.value.code == -32602
        await leave(ann)
    assert await Entry.objects.filter(match=match).acount() == 1


async def test_rpc_a_hand_made_for_an_earlier_throw_is_stale() -> None:
    match, _, keys = await duel(best_of=3)
    async with running_site():
        ann, bob = await playing(match, keys)
        await ann.call("choose_hand", "r")
        # Both in one batch: the second is made for the throw that the first one ends.
        answers = await bob.ask(
            '[{"jsonrpc":"2.0","method":"choose_hand","params":["p"],"id":"a"},'
            '{"jsonrpc":"2.0","method":"choose_hand","params":["p"],"id":"b"}]'
        )
        assert [a["id"] for a in answers] == ["a", "b"]
        assert answers[1]["error"]["data"]["token"] == "stale"
        await leave(ann, bob)


async def test_rpc_a_guest_may_look_and_do_nothing() -> None:
    match, _, _ = await duel()
    async with running_site():
        guest = await program(match, None)
        with pytest.raises(Refused) as refusal:
            await guest.call("sit")
        assert (refusal.value.code, refusal.value.token) == (1003, "unauthenticated")
        assert await guest.call("server_time")
        await leave(guest)


async def test_rpc_a_session_plays_as_a_token_does() -> None:
    match, users, keys = await duel()
    async with running_site():
        cookie = await sync_to_async(log_in)(users[0])
        headers = [(b"cookie", cookie.encode()), (b"origin", b"http://localhost")]
        line = InsideLine(path_of(match), *headers)
        assert await line.open()
        ann = await Program(line).begin()
        assert (await ann.call("sit"))["seat_id"] == 0
        bob = await program(match, keys[1])
        assert ("player_sat", 0, users[0].username) in bob.words
        await leave(ann, bob)


# Who may come in --------------------------------------------------------------------------


async def is_let_in(match: Match, *headers: tuple[bytes, bytes]) -> bool:
    line = InsideLine(path_of(match), *headers)
    is_open = await line.open()
    if is_open:
        await line.close()
    return is_open


EVIL = (b"origin", b"https://evil.test")


async def test_rpc_a_cookie_from_another_site_is_refused() -> None:
    match, users, _ = await duel()
    cookie = (b"cookie", (await sync_to_async(log_in)(users[0])).encode())
    async with running_site():
        assert not await is_let_in(match, cookie, EVIL)
        assert not await is_let_in(match, cookie)
        basic = (b"authorization", b"Basic dXNlcjpwYXNz")
        assert not await is_let_in(match, cookie, EVIL, basic)
        assert await is_let_in(match, cookie, (b"origin", b"http://localhost"))


async def test_rpc_a_token_needs_no_origin_and_a_cookie_beside_it_is_ignored() -> None:
    match, users, keys = await duel()
    cookie = (b"cookie", (await sync_to_async(log_in)(users[1])).encode())
    async with running_site():
        assert await is_let_in(match, bearer(keys[0]))
        assert await is_let_in(match, bearer(keys[0]), EVIL)
        line = InsideLine(path_of(match), bearer(keys[0]), cookie, EVIL)
        assert await line.open()
        one = await Program(line).begin()
        await one.call("sit")
        assert ("player_sat", 0, users[0].username) in one.words
        await leave(one)
        # A wrong token is not helped by a good cookie.
        good = (b"origin", b"http://localhost")
        assert not await is_let_in(match, bearer("rrt_wrong"), cookie, good)


@pytest.mark.parametrize("path", ["/ws/lobby/", "/ws/me/", "/ws/match/{}/", "/ws/rpc/duel/{}/"])
async def test_rpc_a_token_opens_every_socket_and_a_wrong_one_none(path: str) -> None:
    match, users, keys = await duel()
    revoked = await ApiToken.objects.aget(user=users[1])
    await sync_to_async(tokens.revoke_token)(user_id=users[1].pk, token_id=revoked.pk)
    async with running_site():
        for token, is_open in ((keys[0], True), ("rrt_nonsense", False), (keys[1], False)):
            line = InsideLine(path.format(match.public_id), bearer(token))
            assert await line.open() is is_open
            if is_open:
                await line.close()


async def test_rpc_only_duels_that_one_may_see_have_a_socket() -> None:
    match, users, keys = await duel(listed=False)
    async with running_site():
        line = InsideLine("/ws/rpc/duel/no-such-duel/", bearer(keys[0]))
        assert not await line.open()
        assert not await is_let_in(match)
        assert await is_let_in(match, bearer(keys[1]))
        table = await sync_to_async(matches.open_match)(
            opened_by=users[0], options={}, game="showdown"
        )
        assert not await is_let_in(table, bearer(keys[0]))


async def test_rpc_a_revoked_token_ends_its_sockets_at_once() -> None:
    match, users, keys = await duel()
    other = await sync_to_async(make_token)(users[0])
    async with running_site():
        one, two = await program(match, keys[0]), await program(match, other)
        first = await ApiToken.objects.filter(user=users[0]).order_by("pk").afirst()
        assert first is not None
        await sync_to_async(tokens.revoke_token)(user_id=users[0].pk, token_id=first.pk)
        assert await closed(one) == 4401
        assert (await two.call("sit"))["seat_id"] == 0
        await leave(two)


async def test_rpc_a_revoked_token_cannot_act_even_before_its_socket_ends(monkeypatch) -> None:
    see_nothing(monkeypatch)
    match, users, keys = await duel()
    async with running_site():
        one = await program(match, keys[0])
        await ApiToken.objects.filter(user=users[0]).aupdate(revoked_at=timezone.now())
        with pytest.raises(Refused) as refusal:
            await one.call("sit")
        assert refusal.value.token == "unauthenticated"
        assert await closed(one) == 4401
    assert await Entry.objects.filter(match=match).acount() == 0


@pytest.mark.parametrize("change", ["password", "ban"])
async def test_rpc_another_password_and_a_ban_end_a_programs_sockets(change: str) -> None:
    match, users, keys = await duel()
    async with running_site():
        one = await program(match, keys[0])

        def do() -> None:
            user = type(users[0]).objects.get(pk=users[0].pk)
            if change == "ban":
                user.is_active = False
            else:
                user.set_password("another long password")
            user.save()

        await sync_to_async(do)()
        assert await closed(one) == 4401
        assert not await is_let_in(match, bearer(keys[0]))


async def test_rpc_sockets_of_programs_do_not_close_those_of_pages(settings) -> None:
    match, users, keys = await duel()
    cookie = await sync_to_async(log_in)(users[0])
    async with running_site():
        page = Browser(f"/ws/match/{match.public_id}/", cookie)
        assert await page.open()
        await page.until_view(lambda view: True)
        some = [await program(match, keys[0]) for _ in range(settings.SOCKETS_PER_USER + 1)]
        assert await closed(some[0]) == 4409
        await page.act(kind="sit", seat=0)
        assert page.view["you"]["seat"] == 0
        await page.leave()
        await leave(*some[1:])


async def test_rpc_the_end_of_the_process_closes_with_4412() -> None:
    match, _, keys = await duel()
    async with running_site():
        one = await program(match, keys[0])
    assert await closed(one) == 4412


# Nonsense and floods ----------------------------------------------------------------------


async def test_rpc_ten_bad_messages_in_ten_seconds_end_the_socket() -> None:
    match, _, keys = await duel()
    async with running_site():
        one = await program(match, keys[0])
        for _ in range(10):
            await one.line.send("{")
        assert await closed(one) == 4429


async def test_rpc_a_flood_of_calls_ends_the_socket_and_a_batch_counts_as_what_it_holds() -> None:
    match, _, keys = await duel()
    call = '{"jsonrpc":"2.0","method":"server_time","id":1}'
    async with running_site():
        one, two = await program(match, keys[0]), await program(match, keys[1])
        for _ in range(200):
            await one.line.send(call)
        assert await closed(one) == 4429
        for _ in range(3):
            await two.line.send("[" + ",".join([call] * 20) + "]")
        assert await closed(two) == 4429


async def test_rpc_large_answers_are_rationed() -> None:
    match, _, keys = await duel()
    async with running_site():
        one = await program(match, keys[0])
        codes = []
        for _ in range(8):
            try:
                await one.call("send_state")
            except Refused as refusal:
                codes.append((refusal.code, refusal.token, refusal.data["retry_ms"]))
        assert codes
        assert set(codes) == {(1008, "rate_limited", 1000)}
        assert one.count("state_sent") == 1 + 8 - len(codes)
        await leave(one)


async def test_rpc_a_program_that_does_not_read_is_ended(settings) -> None:
    from games.jsonrpc.consumer import ProgramConsumer

    consumer = ProgramConsumer()
    for _ in range(20):
        consumer.tell("x" * (settings.SOCKET_UNSENT // 10))
    assert consumer._closing == 4408
    assert not consumer._outbox


async def test_rpc_a_user_has_one_seat_and_disconnecting_frees_it_only_before_the_start(
    monkeypatch,
) -> None:
    look_often(monkeypatch)
    match, _, keys = await duel()
    async with running_site():
        ann = await program(match, keys[0])
        await ann.call("sit", 0)
        with pytest.raises(Refused) as refusal:
            await ann.call("sit", 1)
        assert refusal.value.token == "action/already_seated"
        assert await ann.call("sit", 0) == {"repeated": False, "seat_id": 0}
        await ann.settle()
        assert ann.count("player_sat") == 1
        await leave(ann)
        long_ago = timezone.now() - repair.ABSENCE * 2
        await match.seats.aupdate(seen_at=long_ago)
        bob = await program(match, keys[1])
        await bob.until("player_stood")
        await leave(bob)
    assert not await match.seats.aexists()


async def test_rpc_what_could_not_be_read_is_told_a_second_later(monkeypatch) -> None:
    from games.jsonrpc import story

    match, users, keys = await duel()
    broken = await sync_to_async(matches.open_match)(opened_by=users[1], options={}, game="duel")
    real, fails = story.read_story, [broken.pk, match.pk]

    def read(match_id: int, asked: story.Question) -> story.Story:
        if match_id in fails:
            fails.remove(match_id)
            raise TimeoutError("it does not stop")
        return real(match_id, asked)

    monkeypatch.setattr(story, "read_story", read)
    async with running_site():
        one, two = await asyncio.gather(program(match, keys[0]), program(broken, keys[1]))
        assert fails == []
        assert (await one.call("sit"))["seat_id"] == 0
        assert one.count("receive_state") == two.count("receive_state") == 1
        await leave(one, two)
