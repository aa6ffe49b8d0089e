import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.people import say_away
from economy.models import Setting
from games.contests import models, queries, services
from games.mafia.agora.rules.roles import Role, Side
from games.matches.models import Flag
from games.matches.queries.addresses import match_url
from games.moderation import muting
from games.standings.award_boards import By
from tests.accounts.kit import browser
from tests.games.contests.kit import ContestKit, person
from tests.games.mafia.agora.kit import everybody_else_acts
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

ACTIONS = ("join", "leave", "ready", "unready", "start", "propose", "close")
NUMBERED = ("object/1", "pass/1", "withdraw/1", "back/1")


def text_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    main = response.content.decode().split("<main", 1)[1].split("</main>", 1)[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def page_of(kit: ContestKit, user: User | None = None) -> str:
    client = browser(user) if user else Client()
    return text_of(client, reverse("contest", args=[kit.row.public_id]))


def post(user: User | None, kit: ContestKit, deed: str, **data: Any) -> Any:
    client = browser(user) if user else Client()
    address = f"/contests/{kit.row.public_id}/{deed}/"
    return client.post(address, data, follow=True)


def offer(**changes: Any) -> dict[str, Any]:
    """Return the fields of a proposal: the settings as they are, except these."""
    span = {"phase_seconds_number": "1", "phase_seconds_unit": "86400"}
    return {"wanted": 4, "threshold": 60, "early_end": "on", **span, **changes}


@pytest.mark.plain
def test_contests_are_a_tab_of_mafia_with_a_page_when_there_is_none_that_says_what_is_rated():
    told = text_of(Client(), "/contests/")
    assert "No contest yet" in told
    for path in ("/contests/", "/mafia/"):
        page = Client().get(path).content.decode()
        assert re.search(r'<a href="/mafia/" aria-current="page">', page)
        assert re.search(rf'<a class="chip" href="{path}" aria-current="page">', page)
    told = text_of(browser(person()), "/contests/new/")
    assert "rated from 5 people and phases of 10 minutes" in told
    assert "The points that the winners of a rated game share" in told


@pytest.mark.plain
@pytest.mark.both_databases
def test_contest_is_founded_by_the_form_and_is_on_the_list() -> None:
    ann = person()
    client = browser(ann)
    assert client.get("/contests/new/").status_code == 200
    form = {"name": "Long", "runs": "site", **offer(phase_seconds_number="9999")}
    told = client.post("/contests/new/", form).content.decode()
    assert "That is too short or too long. From 1 minute to 7 days." in told
    assert "phase_seconds is" not in told.lower()
    answer = client.post(
        "/contests/new/", {"name": "  Old\u200b  Bridge ", "runs": "site", **offer(wanted=5)}
    )
    row = models.Contest.objects.get()
    assert answer.url == reverse("contest", args=[row.public_id])
    assert (row.name, row.master, row.founder) == ("Old Bridge", None, ann)
    assert "Old Bridge yours Agoran Mafia the site 1, 0 ready" in text_of(client, "/contests/")


@pytest.mark.parametrize(
    "wrong",
    [
        *({"wanted": bad} for bad in (2, 18, "x")),
        *({"threshold": bad} for bad in (0, 61, -1, "1e3", "9" * 400)),
        *({"phase_seconds_number": bad} for bad in ("30", "8", "")),
        *({"phase_seconds_number": bad, "phase_seconds_unit": "1"} for bad in ("1", "59")),
        *({"name": bad} for bad in ("\u200b\u200b\u200b\u200b", "x" * 41, "\u0301" * 40)),
        *({"name": bad} for bad in ("a" + "\u0301" * 9 + "bc", "a\u200bb", "   ")),
        *({"name": bad} for bad in ("Old\u202eBridge", "\u3164" * 3, "\u0645\u200c\u0645")),
        {"runs": "everybody"},
    ],
)
def test_hostile_43_contest_with_a_bad_number_or_name_is_neither_founded_nor_amended(wrong) -> None:
    form = {"name": "Bridge", "runs": "me", **offer(), **wrong}
    answer = browser(person()).post("/contests/new/", form)
    assert (answer.status_code, b"error" in answer.content) == (200, True)
    assert not models.Contest.objects.exists()
    if wrong.keys() <= offer().keys():
        kit = ContestKit(3, wanted=4)
        assert post(kit.people[0], kit, "propose", **offer(**wrong)).status_code == 200
        assert kit.state.proposal is None


def test_contest_without_a_game_says_what_it_waits_for() -> None:
    kit = ContestKit(3, wanted=4)
    told = page_of(kit)
    assert "Next game" in told
    assert "4 more have to press Ready." in told
    assert "It begins automatically when 4 are ready." in told
    assert "any member may start one with 3 or more ready from" in told
    assert "Sign up to join" in told
    assert "Join" in page_of(kit, person())
    of_a_person = ContestKit(3, is_master=True)
    assert f"{of_a_person.founder.username} starts it with at least 3 ready." in page_of(
        of_a_person
    )
    assert "You start it with at least 3 ready." in page_of(of_a_person, of_a_person.founder)


@pytest.mark.both_databases
def test_contest_with_a_game_has_words_for_citizens_the_dead_parties_and_visitors() -> None:
    kit = ContestKit(6, wanted=5)
    kit.ready(*kit.people[:5])
    assert "Game 1 is running" in page_of(kit)
    assert "You are a citizen of it." in page_of(kit, kit.people[0])
    assert "Who lives in the running game cannot leave" in page_of(kit, kit.people[0])
    assert "a member, but no citizen of this game" in page_of(kit, kit.people[5])
    gone = kit.game.user_of(Role.CITIZEN)
    kit.game.act(gone, kind="leave")
    assert "You are dead in it" in page_of(kit, gone)
    assert "Game 1 is running" not in page_of(ContestKit(2))
    assert "Look" in text_of(Client(), "/contests/")


@pytest.mark.both_databases
def test_contest_with_a_proposal_shows_it_with_ones_own_answer_until_it_has_taken_effect() -> None:
    kit = ContestKit(5, wanted=4)
    post(kit.people[1], kit, "propose", **offer(threshold=40))
    told, before = (page_of(kit, kit.people[no]) for no in (2, 4))
    assert f"{kit.people[1].username} proposes: Threshold index T: 60 → 40" in told
    assert "0 of 3 objections" in told
    assert "Object Let it pass" in told
    own = page_of(kit, kit.people[1]).replace("Objections", "").replace("objections", "")
    assert "Object" not in own
    post(kit.people[3], kit, "pass/1")
    told = page_of(kit, kit.people[3])
    assert "Let it pass" not in told
    assert "You let it pass; until it takes effect you may still object." in told
    assert page_of(kit, kit.people[4]) == before
    post(kit.people[2], kit, "object/1")
    assert "You have objected; that stands." in page_of(kit, kit.people[2])
    kit.do("join", newcomer := person())
    for who in (kit.people[1], newcomer, kit.people[2]):
        assert "You " in post(who, kit, "object/1").content.decode()
    assert len(kit.lines("objected")) == 1
    models.Proposal.objects.update(effect_at=kit.now - timedelta(seconds=1))
    told = page_of(kit)
    for words in ("share, on each axis. 40", "No. 1 by", "passed"):
        assert words in told
    alone = ContestKit(1)
    post(alone.founder, alone, "propose", **offer(threshold=40))
    assert "for certain: nobody may object" in page_of(alone, alone.founder)


@pytest.mark.both_databases
def test_contest_proposal_is_withdrawn_by_its_proposers_button_alone() -> None:
    kit = ContestKit(2)
    post(kit.people[1], kit, "propose", **offer(threshold=40))
    assert "unless 1 objects" in page_of(kit)
    assert "0 of 1 objection" in page_of(kit)
    assert "Withdraw it" not in page_of(kit, kit.founder)
    assert "Withdraw it" in page_of(kit, kit.people[1])
    assert "Only its proposer" in post(kit.founder, kit, "withdraw/1").content.decode()
    post(kit.people[1], kit, "withdraw/1")
    told = page_of(kit)
    assert "No proposal is open." in told
    assert "Amendment 1 was withdrawn." in told


@pytest.mark.both_databases
def test_contest_offers_parties_to_propose_back_what_was_changed_last() -> None:
    kit = ContestKit(3, wanted=4)
    assert "Propose it back" not in page_of(kit, kit.founder)
    post(kit.founder, kit, "propose", **offer(threshold=40))
    models.Proposal.objects.update(effect_at=kit.now - timedelta(seconds=1))
    told = page_of(kit, kit.founder)
    assert "You may propose again from" in told
    assert "Threshold index T: 40 → 60. Propose it back" in told
    assert "Propose it back" not in page_of(kit, person())
    assert "This would change nothing" in post(kit.founder, kit, "back/2").content.decode()
    post(kit.founder, kit, "back/1")
    assert "proposes to change back" in page_of(kit)
    post(kit.founder, kit, "withdraw/2")
    assert "Propose it back" not in page_of(kit, kit.founder)
    assert "Propose it back" in page_of(kit, kit.people[1])


@pytest.mark.plain
def test_contest_page_tells_the_contestmaster_that_they_are_a_party() -> None:
    kit = ContestKit(2, is_master=True)
    told = page_of(kit, kit.founder)
    assert "You play those for which you are ready" in told
    assert "not here for 30 days, the site takes over" in told
    assert "Propose an amendment" in told
    kit.do("leave", kit.founder)
    told = page_of(kit)
    assert f"{kit.founder.username} is contestmaster no longer: the site is." in told
    assert "Contestmaster: the site" in told


@pytest.mark.plain
def test_contest_that_is_closed_keeps_its_page_without_buttons_and_its_game_counts_for_nobody():
    kit = ContestKit(5, wanted=5)
    kit.ready()
    post(kit.founder, kit, "close")
    assert "This contest was closed" in page_of(kit, kit.people[1])
    shown = browser(kit.founder).get(f"/contests/{kit.row.public_id}/").content
    assert b'action="/contests/' not in shown
    assert "Old Bridge" in text_of(Client(), "/contests/")
    assert queries.played_standings(kit.row, By.X) == []


def test_contest_tells_who_was_left_out_why_and_nobody_else() -> None:
    kit = ContestKit(4, wanted=3)
    User.objects.filter(pk=kit.people[1].pk).update(is_frozen=True, frozen_reason="two accounts")
    models.Party.objects.filter(user=kit.people[1]).update(ready_no=1)
    models.Contest.objects.update(readied=1)
    kit.ready(kit.people[0], kit.people[2], kit.people[3])
    assert "your account is frozen: two accounts" in page_of(kit, kit.people[1])
    for other in (None, kit.people[0]):
        told = page_of(kit, other)
        assert "two accounts" not in told
        assert "frozen" not in told
        assert f"{kit.people[1].username} was ready and is left out" in told


@pytest.mark.parametrize("deed", [*ACTIONS, *NUMBERED])
def test_hostile_08_contest_actions_are_posts_of_people_with_a_token_who_are_not_banned(deed):
    kit = ContestKit(4)
    kit.do("propose", kit.people[1], changes={"threshold": 40})
    before, client = kit.state, browser(kit.founder)
    address = f"/contests/{kit.row.public_id}/{deed}/"
    assert client.get(address).status_code == 405
    assert browser(kit.founder, enforce_csrf_checks=True).post(address).status_code == 403
    assert client.post(f"/contests/{'x' * 22}/{deed}/").status_code == 404
    User.objects.filter(pk=kit.founder.pk).update(is_active=False)
    for nobody in (Client(), client):
        answer = nobody.post(address, offer(threshold=10))
        assert (answer.status_code, answer.url.split("?")[0]) == (302, reverse("account_login"))
    assert (kit.state, kit.kinds) == (before, ["founded", *["joined"] * 4, "proposed"])


NO_PARTY, CLOSED = "Only a party to this contest may do that", "This proposal is not open any more"


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        *((deed, NO_PARTY) for deed in ("leave", "ready", "start", "propose", "pass/1", "back/1")),
        *((deed, CLOSED) for deed in ("object/1", "withdraw/1")),
        ("close", "Only the contestmaster closes a contest"),
    ],
)
def test_contest_strangers_get_a_word_and_change_nothing(deed: str, said: str) -> None:
    kit = ContestKit(3)
    before = kit.state
    assert said in post(person(), kit, deed, **offer(threshold=10)).content.decode()
    assert kit.state == before


@pytest.mark.plain
def test_hostile_11_contest_cannot_be_given_what_is_no_setting_by_a_form() -> None:
    kit = ContestKit(3, wanted=4)
    more = {"substitutes": "on", "contest": "", "quiet_limit": 30, "founder": 1, "threshold": 50}
    post(kit.people[0], kit, "propose", **offer(**more))
    proposal = kit.state.proposal
    assert proposal is not None
    assert proposal.changes == {"threshold": 50}


def test_contest_history_is_not_filled_by_coming_and_going() -> None:
    kit = ContestKit(3)
    user = person()
    for _ in range(services.MOST_LINES // 2):
        kit.do("join", user)
        kit.do("leave", user)
    with refuses("rate_limited"):
        kit.do("join", user)
    kit.do("join", person())
    kit.pass_time(minutes=1)
    kit.do("join", user)


@pytest.mark.plain
@pytest.mark.parametrize(
    "name", ["<img src=x onerror=a()>{{7*7}}", "हिन्दी", "Café", "猫のいえ", "a🂡b"]
)
def test_hostile_43_contest_name_may_be_of_any_script_and_is_shown_as_text(name: str) -> None:
    ann = person()
    browser(ann).post("/contests/new/", {"name": name, "runs": "me", **offer()})
    row = models.Contest.objects.get()
    assert row.name == name
    body = browser(ann).get(reverse("contest", args=[row.public_id])).content.decode()
    assert "<img src=x" not in body
    assert html.escape(name) in body


def etags(kit: ContestKit) -> tuple[str, str]:
    addresses = (reverse("contests_etag"), reverse("contest_etag", args=[kit.row.public_id]))
    answers = [Client().get(address) for address in addresses]
    assert all("no-store" in answer["Cache-Control"] for answer in answers)
    return answers[0].json()["etag"], answers[1].json()["etag"]


@pytest.mark.plain
def test_contest_etag_changes_with_what_others_see_and_stands_on_the_page() -> None:
    kit = ContestKit(5, wanted=4)
    seen = [etags(kit)]
    assert etags(kit) == seen[0]
    for deed, people in (("join", [person()]), ("make_ready", kit.people[:1])):
        kit.do(deed, *people)
        seen.append(etags(kit))
    kit.do("propose", kit.people[0], changes={"threshold": 40})
    seen.append(etags(kit))
    kit.do("object_to", kit.people[1], no=1)
    seen.append(etags(kit))
    assert len({mine for _, mine in seen}) == len({all_ for all_, _ in seen}) == 5
    kit.do("let_pass", kit.people[2], no=1)
    assert etags(kit) == seen[-1]
    body = Client().get(reverse("contest", args=[kit.row.public_id])).content.decode()
    assert f'data-etag="{seen[-1][1]}"' in body
    assert f'data-etag="{seen[-1][0]}"' in Client().get("/contests/").content.decode()
    assert Client().get(f"/contests/{'x' * 22}/stamp/").status_code == 404


def test_contest_etag_tells_of_a_death_and_of_no_hidden_action() -> None:
    kit = ContestKit(5, wanted=5)
    kit.ready()
    game, before = kit.game, etags(kit)[1]
    doctor = game.user_of(Role.DOCTOR)
    game.act(doctor, kind="choose", target=0)
    game.act(doctor, kind="done")
    assert etags(kit)[1] == before
    game.act(doctor, kind="leave")
    assert etags(kit)[1] != before


@pytest.mark.plain
def test_contest_page_tells_who_is_away_why_no_game_begins_with_them() -> None:
    kit = ContestKit(3)
    today = kit.now.date()
    say_away(user_id=kit.founder.pk, until=today + timedelta(days=1), today=today)
    told = page_of(kit, kit.founder)
    assert "so no game begins with you. Say that you are back to be ready." in told
    told = post(kit.founder, kit, "ready").content.decode()
    assert "You have said that you are away until" in told
    assert kit.state.ready == ()


def test_contest_has_standings_of_its_own_games_and_the_site_once_enough_have_ended() -> None:
    kit = ContestKit(5, wanted=5, phase_seconds=600, threshold=60)
    kit.ready()
    kit.now = kit.game.win(Side.TOWN)
    assert kit.row.played.get().match.is_rated
    told = page_of(kit)
    assert "Game 1 was won by" in told
    assert "15 + 15i each" in told
    assert told.count("21.2") == 4
    address = reverse("contest", args=[kit.row.public_id])
    for by, status in (("y", 200), ("modulus", 200), ("z", 404), ("username", 404)):
        assert Client().get(address, {"by": by}).status_code == status
    assert "There are standings once 10 contests have ended. 0 have" in text_of(
        Client(), "/contests/standings/"
    )
    Setting.objects.update_or_create(name="contests.board_contests", defaults={"value": 1})
    kit.do("close", kit.founder)
    assert text_of(Client(), "/contests/standings/?by=modulus").count("15 + 15i") == 4
    assert "Standings" in text_of(Client(), "/contests/")


def test_contest_tells_who_was_replaced_and_pays_who_holds_the_seat_at_the_end() -> None:
    kit = ContestKit(5, wanted=5, phase_seconds=600, substitutes=True)
    kit.ready()
    game = kit.game
    gone = game.user_of(Role.MAFIOSO)
    seat = game.people.index(gone)
    for _ in range(2):
        everybody_else_acts(game, seat)
    heir = person()
    game.act(heir, kind="take_over", seat=seat)
    kit.now = game.now
    assert "Somebody else has taken over your seat" in page_of(kit, gone)
    kit.do("leave", gone)
    kit.now = kit.game.win(Side.MAFIA)
    told = page_of(kit)
    assert f"Game 1 was won by {heir.username}" in told
    assert "60 + 60i each" in told


@pytest.mark.both_databases
def test_contest_standings_count_games_won_and_survived_though_nothing_was_awarded() -> None:
    kit = ContestKit(5, wanted=5, phase_seconds=60)
    assert "No game has been played to its end yet." in page_of(kit)
    kit.ready()
    game = kit.game
    kit.now = game.win(Side.MAFIA)
    # The mafia has won: those who live then are in the row of the game.
    page_of(kit)
    played = kit.row.played.get()
    assert not played.match.is_rated
    survivors = set(json.loads(played.survivors))
    assert survivors == {user.pk for user in game.alive}
    rows = {row.user_id: row for row in queries.played_standings(kit.row, By.X)}
    won = {seat.user_id for seat in played.match.seats.filter(result="won")}
    assert rows.keys() == {user.pk for user in kit.people}
    for user, row in rows.items():
        assert (row.played, row.won, row.survived) == (1, user in won, user in survivors)
        assert (row.form, row.award) == ("W" if user in won else "L", None)
    first, *_ = queries.played_standings(kit.row, By.X)
    assert first.user_id in won
    told = page_of(kit)
    assert "Played Won Survived Last" in told
    assert "x + yi" not in told


@pytest.mark.plain
def test_contest_proposal_says_why_as_text_unless_it_is_long_or_of_a_muted_user() -> None:
    kit = ContestKit(4)
    why = "  <b>Less</b>\u200b  waiting "
    post(kit.people[1], kit, "propose", **offer(threshold=40, reason=why))
    body = Client().get(reverse("contest", args=[kit.row.public_id])).content.decode()
    assert "“&lt;b&gt;Less&lt;/b&gt; waiting”" in body
    times = re.findall(r"<time [^>]+>", body.split("<main", 1)[1].split("</main>", 1)[0])
    assert len(times) > 5
    assert all("data-local=" in time for time in times), "marked for the viewer's zone"
    post(kit.people[1], kit, "withdraw/1")
    assert "“<b>Less</b> waiting”" in page_of(kit)
    told = post(kit.people[2], kit, "propose", **offer(threshold=40, reason="x" * 201))
    assert "at most 200 characters" in told.content.decode()
    muting.mute(user_id=kit.people[2].pk, by=kit.people[0], hours=1)
    told = post(kit.people[2], kit, "propose", **offer(threshold=40, reason="why"))
    assert "You are muted" in told.content.decode()
    assert models.Proposal.objects.count() == 1
    # Without words of their own, the muted may propose.
    post(kit.people[2], kit, "propose", **offer(threshold=40))
    assert models.Proposal.objects.get(by=kit.people[2]).reason == ""


def test_contest_reason_can_be_reported_by_others_than_its_writer() -> None:
    kit = ContestKit(4)
    proposer, reader = kit.people[1], kit.people[2]
    post(proposer, kit, "propose", **offer(threshold=40, reason="you are all fools"))
    link = reverse("contest_report", args=[kit.row.public_id, 1])
    address = reverse("contest", args=[kit.row.public_id])
    assert link in browser(reader).get(address).content.decode()
    for viewer in (Client(), browser(proposer)):
        assert link not in viewer.get(address).content.decode()
    assert "“you are all fools”" in text_of(browser(reader), link)
    assert "/login/" in Client().post(link, {"reason": "rude"}).url
    assert post(proposer, kit, "report/1", reason="rude").status_code == 404
    assert post(reader, kit, "report/2", reason="rude").status_code == 404
    assert "Say what is wrong." in post(reader, kit, "report/1").content.decode()
    assert not Flag.objects.exists()
    post(reader, kit, "report/1", reason="rude")
    flag = Flag.objects.get()
    assert {user.pk for user in flag.users.all()} == {proposer.pk, reader.pk}
    assert json.loads(flag.detail)["said"] == "you are all fools"


def test_contest_takes_those_who_play_into_the_game_that_begins() -> None:
    kit = ContestKit(5, wanted=4)
    kit.ready(*kit.people[:3])
    answer = post(kit.people[3], kit, "ready")
    match = kit.row.played.get().match
    assert answer.redirect_chain[-1][0] == match_url(match)
    address = reverse("contest", args=[kit.row.public_id])
    mark = f'data-enter="{match_url(match)}"'
    assert mark in browser(kit.people[0]).get(address).content.decode()
    for stranger in (browser(kit.people[4]), Client()):
        assert "data-enter" not in stranger.get(address).content.decode()
    # A party who gets ready for the next game stays.
    answer = post(kit.people[4], kit, "ready")
    assert answer.redirect_chain[-1][0] == address
