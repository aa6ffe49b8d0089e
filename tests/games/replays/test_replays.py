import json
import re
from io import BytesIO
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape
from PIL import Image, ImageColor

from accounts.models import User
from games import registry
from games.matches.models import Entry, Flag, Match, PostReport
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.moderation import reports
from games.replays import card_image
from games.replays import queries as replays
from games.replays.histories import history_of, written
from games.replays.recording import recordings
from tests.accounts.kit import browser
from tests.forms import form
from tests.games.duel.kit import DuelKit
from tests.games.finished import GAMES, finished, play
from tests.games.mafia.agora.kit import everybody_else_acts, town
from tests.games.mafia.common.kit import GAMES as TOWNS
from tests.games.match_kit import MatchKit, new_user
from tests.games.tampering import change_entry

pytestmark = pytest.mark.django_db


each_game = pytest.mark.parametrize("slug", GAMES)

FILES = ("replay.json", "history.txt", "export.json", "analysis.json")
#: What a live view shows of the present, and a replay does not.
_TODAY = ("balance", "stock", "may", "default_purse")


def _comparable(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without what belongs to the present: presence, belongings, offered actions."""
    seats = [{**seat, "present": None, "seen_on": None} for seat in view["seats"]]
    you = {name: value for name, value in view["you"].items() if name not in _TODAY}
    you["name"] = you["name"] or ""
    game = view["game"]
    if game and game["you"]:
        left_out = ("may", "legal", "moves", "fill")
        own = {name: value for name, value in game["you"].items() if name not in left_out}
        if "rooms" in own:
            own["rooms"] = [{**room, "may_post": None} for room in own["rooms"]]
        game = {**game, "you": own}
    match = {**view["match"], "watching": 0, "next": None, "rated": None}
    return {**view, "match": match, "seats": seats, "you": you, "game": game}


def _live_views(kit: MatchKit) -> dict[int, dict[int | None, dict[str, Any]]]:
    """Play to the end; return each stop's live views, by entry and seat."""
    found: dict[int, dict[int | None, dict[str, Any]]] = {}

    def look() -> None:
        snapshot = kit.snapshot
        for seat in (None, *snapshot.seats):
            view = selectors.match_view(snapshot, seat)
            found.setdefault(snapshot.no, {})[seat] = _comparable(view)

    def act(user: User, **action: Any) -> None:
        # A bot's later actions may be refused because of the first one.
        kit.answer(user, **action)
        look()

    kit.act = act  # type: ignore[assignment, method-assign]
    play(kit, look)
    return found


def _moments(match: Match, eyes: replays.Eyes = None) -> list[dict[str, Any]]:
    """Return all moments of a replay, page by page."""
    recording = recordings.of(match)
    people, first, found = replays.people_of(recording), 0, []
    while first is not None:
        page = replays.page_of(recording, people, first, eyes)
        found += page["views"]
        first = page["next"]
    return found


@each_game
def test_replay_shows_each_seat_what_it_saw(slug: str) -> None:
    kit = GAMES[slug]()
    live = _live_views(kit)
    last = max(live)
    compared = 0
    for eyes in live[last]:
        for moment in _moments(kit.row, eyes):
            if moment["no"] in live and moment["no"] != last:
                assert _comparable(moment["view"]) == live[moment["no"]][eyes]
                compared += 1
    assert compared >= 3 * len(live[last])
    assert moment["view"]["game"]["result"] is not None


@each_game
def test_replay_with_all_cards_open_says_what_each_seat_holds_from_begin_to_end(slug: str) -> None:
    moments = _moments(finished(slug).row, replays.ALL)
    assert all(moment["view"]["you"]["seat"] is None for moment in moments)
    assert any(moment["secrets"] for moment in moments)
    assert any(held["text"] for moment in moments for held in moment["open"])
    first, last = moments[0]["view"], moments[-1]["view"]
    assert (first["match"]["status"], last["match"]["status"]) == ("running", "over")
    assert last["log"]


def _get(address: str, user: User | None = None, **headers: Any) -> Any:
    return browser(user, headers=headers).get(address)


def _files(kit: MatchKit) -> list[str]:
    match = f"/matches/{kit.match.public_id}/"
    pages = [f"{match_url(kit.match)}replay/", f"{match}replay/"]
    return [*pages, *(f"{match}{name}" for name in FILES)]


@each_game
def test_nothing_of_a_replay_is_served_before_the_end(slug: str) -> None:
    kit = GAMES[slug]()
    page, _, *files = _files(kit)
    for user in (None, *kit.people, new_user("eve")):
        assert [_get(address, user).status_code for address in (page, *files)] == [404] * 5


@each_game
def test_replay_is_one_answer_for_all_with_nothing_private_no_action_and_no_belongings(slug):
    kit = finished(slug)
    for address in _files(kit)[2:]:
        answers = {
            _get(f"{address}?as=0", user).content for user in (None, *kit.people, new_user("eve"))
        }
        assert len(answers) == 1, address
    entries = list(Entry.objects.filter(match=kit.match))
    secrets = {entry.action_id for entry in entries} | {entry.asked for entry in entries} - {None}
    for address in _files(kit)[2:]:
        text = _get(f"{address}?as=all").content.decode("latin1")
        hidden = {*secrets, "user_id", "action_id"} - {""}
        assert not [secret for secret in hidden if secret in text], address
    for eyes in (None, 0, replays.ALL):
        for moment in _moments(kit.row, eyes):
            you, own = moment["view"]["you"], moment["view"]["game"]["you"] or {}
            assert you["may"] == []
            assert you["balance"] is you["stock"] is None
            assert not any(own.get(name) for name in ("may", "legal", "moves"))
            assert not any(room["may_post"] for room in own.get("rooms", ()))


def test_replay_of_a_private_match_is_for_those_who_may_watch() -> None:
    kit = finished("duel")
    Match.objects.filter(pk=kit.match.pk).update(listed=False)
    for address in _files(kit)[2:]:
        assert _get(address).status_code == 404
    for address in _files(kit)[:2]:
        text = _get(address).content.decode()
        assert "It is open to those with an account." in text
        assert not [user for user in kit.people if user.username in text]
    page = _get(_files(kit)[2], new_user("eve"))
    assert page.status_code == 200
    assert page["Cache-Control"] == "private, no-cache"
    Match.objects.filter(pk=kit.match.pk).update(spectators=False)
    for address in _files(kit):
        assert _get(address, new_user("eve")).status_code == 404
    assert _get(_files(kit)[2], kit.people[0]).status_code == 200


@pytest.mark.plain
def test_replay_page_is_cached_for_good_by_its_digest_and_not_after_a_rename() -> None:
    kit = finished("duel")
    address = f"/matches/{kit.match.public_id}/replay.json"
    plain = _get(address)
    assert plain["Cache-Control"] == "public, no-cache"
    digest = plain.json()["digest"]
    kept = _get(f"{address}?digest={digest}")
    assert "immutable" in kept["Cache-Control"]
    again = _get(address, **{"If-None-Match": plain["ETag"]})
    assert again.status_code == 304
    assert not again.content
    User.objects.filter(pk=kit.people[0].pk).update(username="deleted-7")
    renamed = _get(f"{address}?digest={digest}", **{"If-None-Match": plain["ETag"]})
    assert renamed.status_code == 200
    assert "immutable" not in renamed["Cache-Control"]
    assert b"deleted-7" in renamed.content
    assert kit.people[0].username.encode() not in renamed.content


def test_replay_page_takes_any_entry_and_seat_without_an_error() -> None:
    kit = finished("duel")
    page = f"{match_url(kit.match)}replay/"
    last = recordings.of(kit.row).moments[-1][0]
    for at in ("", "0", "x", "9" * 30, f"{last + 5}"):
        for eyes in ("", "0", "7", "all", "../x"):
            answer = _get(f"{page}?at={at}&as={eyes}")
            assert answer.status_code == 200
            if at == f"{last + 5}":
                assert answer.context["table_config"]["replay"]["at"] == last
    assert _get(page, kit.people[1]).context["table_config"]["replay"]["as"] == 1
    assert _get(f"{page}?as=", kit.people[1]).context["table_config"]["replay"]["as"] is None


@pytest.mark.plain
def test_replay_of_a_game_that_was_called_off_ends_there_and_of_no_game_there_is_none() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=3)
    kit.start()
    kit.throw("rock", "paper")
    kit.void("the lights went out")
    last = _moments(kit.row)[-1]["view"]
    assert last["match"]["status"] == "void"
    assert last["match"]["void_reason"]
    unplayed = DuelKit(new_user("ann"), new_user("bob"), best_of=3)
    unplayed.pass_time(3600)
    assert not unplayed.row.is_live
    page, _, data, *_ = _files(unplayed)
    assert [_get(address).status_code for address in (page, data)] == [404, 404]


@pytest.mark.breaks_ledger
@pytest.mark.parametrize("is_changed", [False, True], ids=["rules not installed", "changed"])
def test_replay_is_refused_without_its_rules_and_where_the_journal_was_changed(caplog, is_changed):
    kit = finished("duel")
    if is_changed:
        entry = Entry.objects.filter(match=kit.match, facts__contains="hands_revealed").first()
        facts = entry.facts.replace('"throw":1', '"throw":2')
        change_entry(kit.match.pk, entry.no, facts=facts)
    else:
        Match.objects.filter(pk=kit.match.pk).update(rules_version=99)
    recordings.forget()
    page, _, data, *_ = _files(kit)
    assert [_get(address).status_code for address in (page, data)] == [503, 503]
    assert ("does not give what is stored" in caplog.text) is is_changed


def test_replay_shows_who_held_a_seat_then() -> None:
    kit = town(5, substitutes=True)
    gone, late = kit.people[0], new_user("late")
    everybody_else_acts(kit, 0)
    everybody_else_acts(kit, 0)
    assert 0 in kit.snapshot.open_seats
    before = kit.row.action_count
    kit.act(late, kind="take_over", seat=0)
    kit.people[0] = late
    kit.act = kit.answer  # type: ignore[assignment, method-assign]
    play(kit)
    earlier, later = set(), set()
    for moment in _moments(kit.row, 0):
        seat = moment["view"]["seats"][0]
        shown = (seat["player"]["name"], *seat["replaced"], moment["view"]["you"]["name"])
        (earlier if moment["no"] <= before else later).add(shown)
    assert earlier == {(gone.username, gone.username)}
    assert later == {(late.username, gone.username, late.username)}


def test_replay_pages_hold_fifty_views_and_follow_one_another() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=99)
    kit.start()
    kit.win(kit.ann)
    recording = recordings.of(kit.row)
    people = replays.people_of(recording)
    stops = [no for no, _ in recording.moments]
    assert len(stops) > 2 * replays.PAGE
    first = replays.page_of(recording, people, 0, None)
    assert [view["no"] for view in first["views"]] == stops[: replays.PAGE]
    assert first["next"] == stops[replays.PAGE]
    assert [view["no"] for view in _moments(kit.row)] == stops
    # A page from the end equals the same views read from the beginning.
    recordings.forget()
    again = recordings.of(kit.row)
    assert replays.page_of(again, people, stops[-1], 0)["views"] == [_moments(kit.row, 0)[-1]]


@pytest.mark.plain
def test_posts_that_are_hidden_or_reported_stand_in_no_replay() -> None:
    kit = finished("agora")
    texts = {no: f"secret-of-{no}" for no in (1, 2, 3)}
    for no, text in texts.items():
        entry = Entry.objects.get(match=kit.match, facts__contains=f'"no":{no},"room":"town"')
        post = {"action": entry.action, "facts": entry.facts}
        post = {name: old.replace("I was at **home**", text) for name, old in post.items()}
        change_entry(kit.match.pk, entry.no, **post)
    recordings.forget()
    for no in (1, 2):
        reports.report_post(kit.row, kit.people[0], ("town", no), "rude")
    hidden = PostReport.objects.get(no=2)
    reports.hide(hidden)
    Flag.objects.filter(pk=hidden.flag_id).update(closed_at=kit.now)
    posts = f"/mafia/{kit.match.public_id}/posts/town/?before=9&replay"
    addresses = [*_files(kit)[2:], posts]
    for address in addresses:
        body = _get(address).content.decode("utf-8", "replace")
        assert not [word for word in (texts[1], texts[2], "rude") if word in body]
    assert texts[3] in _get(posts).content.decode()
    Flag.objects.update(closed_at=kit.now)
    for address in (posts, addresses[1]):
        assert texts[1] in _get(address).content.decode()


@each_game
def test_card_tells_the_result_and_is_drawn_once(slug: str) -> None:
    kit = finished(slug)
    address = f"/matches/{kit.match.public_id}/card.jpg"
    first = _get(address)
    assert first["Content-Type"] == "image/jpeg"
    assert Image.open(BytesIO(first.content)).size == card_image.SIZE
    assert _get(address).content == first.content
    page = _get(f"{match_url(kit.match)}replay/")
    words = page.context["card"]["words"]
    assert 5 < len(words) <= 60
    assert f'<meta property="og:title" content="{escape(words)}"' in page.content.decode()
    assert f'{address}">' in page.content.decode()
    assert _get(match_url(kit.match)).context["card"]["words"] == words


@pytest.mark.plain
def test_card_of_showdown_tells_the_points_and_the_weapon() -> None:
    battle = {"a": 0, "b": 1, "a_weapon": "sling", "b_weapon": "rock", "winner": 0}
    result = {"winners": [0], "seats": {"0": {"net": 40}}}
    view = {
        "seats": [{"no": no, "player": {"name": name}} for no, name in enumerate(("Ann", "Bob"))],
        "game": {"result": result, "last_round": {"battles": [battle]}},
    }
    headline = registry.table("showdown").replay.headline
    assert headline(view) == "Ann took 40 points with a Sling"
    view["game"]["last_round"] = None
    assert headline(view) == "Ann took 40 points"


@pytest.mark.parametrize("slug", TOWNS)
def test_card_of_a_town_has_a_light_for_each_who_lives(slug: str) -> None:
    kit = finished(slug)
    lives = [member.is_alive for member in kit.snapshot.state.play.members]
    assert set(lives) == {True, False}
    address = f"/matches/{kit.match.public_id}/card.jpg"
    lit = _lights(_get(address).content) / sum(lives)
    for windows in (lives, [True] * len(lives), [False] * len(lives)):
        drawn = card_image.drawn(card_image.CardText("A town", "Ann", "Mafia", None, windows))
        assert _lights(drawn) == pytest.approx(lit * sum(windows), rel=0.1)
    assert lit > 500


def _lights(card: bytes) -> int:
    """Count the pixels of lit windows on a card."""
    pixels = Image.open(BytesIO(card)).convert("RGB").crop((0, 200, 1200, 486)).get_flattened_data()
    light = ImageColor.getrgb(card_image.LIT)
    return sum(all(abs(a - b) < 24 for a, b in zip(each, light, strict=True)) for each in pixels)


@pytest.mark.plain
def test_card_is_refused_before_the_end_for_private_matches_and_after_too_many() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=1)
    kit.start()
    address = f"/matches/{kit.match.public_id}/card.jpg"
    assert _get(address).status_code == 404
    kit.throw("rock", "paper")
    Match.objects.filter(pk=kit.match.pk).update(listed=False)
    assert _get(address, kit.ann).status_code == 404
    drawing = card_image.Cards(burst=2, most=2)
    text = card_image.CardText("Ann won", "Ann · Bob", "Duel")
    assert drawing.of("a", "1", text) == drawing.of("a", "1", text)
    drawing.of("b", "1", text)
    with pytest.raises(card_image.TooManyCards):
        drawing.of("c", "1", text)
    drawing.of("b", "1", text)


@pytest.mark.plain
@pytest.mark.parametrize("name", ["W" * 20, "i" * 20, "\u202e\u0001", "Ελλη 🎲"])
def test_card_holds_any_name(name: str) -> None:
    words = (f"{name} took 1000000 points with {name * 9}", name * 17, "Duel")
    pictures = [
        card_image.drawn(card_image.CardText(*words, badge))
        for badge in (None, ("Twin Blades", "15 VP"))
    ]
    assert {Image.open(BytesIO(each)).size for each in pictures} == {card_image.SIZE}
    assert pictures[0] != pictures[1]


_HEAD = re.compile(r"([a-z_]+): (.*)")
_SEAT = re.compile(r"seat (\d+): (.*)")
_ENTRY = re.compile(r"(\d+) (\S+Z) phase (\d+) (?:house|seat (\d+))(?: sitter (\".*\"))?")
_FACT = re.compile(r"  ([a-z_]+) to (all|nobody|\d+(?:,\d+)*) (\{.*\})")


def parsed(text: str) -> dict[str, Any]:
    """Read a history by the grammar of docs/reference/history.md."""
    heading, *lines = text.split("\n")
    assert heading == "Rock & Racket history 1"
    assert lines.pop() == ""
    found: dict[str, Any] = {"seats": {}, "analysis": [], "entries": []}
    for line in lines:
        if seat := _SEAT.fullmatch(line):
            found["seats"][seat[1]] = json.loads(seat[2])
        elif line.startswith("analysis: "):
            found["analysis"].append(json.loads(line.removeprefix("analysis: ")))
        elif head := _HEAD.fullmatch(line):
            found[head[1]] = json.loads(head[2])
        elif entry := _ENTRY.fullmatch(line):
            found["entries"].append(_entry(entry))
        elif line.startswith("  do "):
            found["entries"][-1]["action"] = json.loads(line.removeprefix("  do "))
        elif fact := _FACT.fullmatch(line):
            found["entries"][-1]["facts"].append(_fact(fact))
        elif line.startswith("    "):
            found["entries"][-1]["facts"][-1]["text"] = line[4:]
        else:
            assert line == ""
    return found


def _as_text(history: dict[str, Any]) -> Any:
    """Return what of a history stands in its text: of an analysis its lines alone."""
    lines = (history["analysis"] or {"lines": []})["lines"]
    return json.loads(json.dumps({**history, "analysis": lines}))


def _entry(line: re.Match[str]) -> dict[str, Any]:
    return {
        "no": int(line[1]),
        "at": line[2],
        "phase": int(line[3]),
        "seat": None if line[4] is None else int(line[4]),
        "sitter": None if line[5] is None else json.loads(line[5]),
        "facts": [],
    }


def _fact(line: re.Match[str]) -> dict[str, Any]:
    numbers = [] if line[2] in ("all", "nobody") else [int(no) for no in line[2].split(",")]
    audience = None if line[2] == "all" else numbers
    return {"kind": line[1], "data": json.loads(line[3]), "audience": audience, "text": ""}


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("chance", range(form(1, in_all=2, in_long=10)))
def test_history_is_read_back_as_it_was_written(slug: str, chance: int) -> None:
    kit = GAMES[slug]()
    kit.chance = Random(chance)
    kit.act = kit.answer  # type: ignore[assignment, method-assign]
    play(kit)
    history = history_of(kit.row)
    assert parsed(written(history)) == _as_text(history)
    match = f"/matches/{kit.match.public_id}/"
    client = Client()
    assert client.get(f"{match}history.txt").content.decode() == written(history)
    assert client.get(f"{match}export.json").json() == json.loads(json.dumps(history))
    assert [entry["no"] for entry in history["entries"]] == list(range(1, kit.row.action_count + 1))
    assert history["entries"][0]["facts"][0]["kind"] == "sat"
    assert history["seed"] == kit.row.seed
    names = {entry["sitter"] for entry in history["entries"]} - {None}
    assert names == {user.username for user in kit.people}


@pytest.mark.plain
def test_history_keeps_its_lines_apart_for_any_name_and_reason() -> None:
    kit = finished("duel")
    Match.objects.filter(pk=kit.match.pk).update(title='a "b"\n7 2026', void_reason="x\u2028\n  do")
    history = history_of(kit.row)
    assert parsed(written(history)) == _as_text(history)
