"""Last wills on the site: read by their author alone, then posts of the town like all others."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.engine.structs import canonical
from games.mafia.agora.rules.roles import Role
from games.mafia.common.posts import votes_of
from games.mafia.common.views import chapters_of
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, PostReport
from games.moderation import muting, reports
from games.posts.queries import author_of, entry_numbers, posts_between
from games.proofs.queries import body_of
from games.replays.histories import full_log
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, town
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

WILL = 'I was a citizen. "is_will":true, "kind":"posted". É 🂡'


def read(kit: Any, user: User | None, **query: int) -> list[tuple[int, str, bool]]:
    path = reverse("mafia_posts", args=[kit.match.public_id, "town"])
    page = browser(user).get(path, query).json()
    return [(post["no"], post["text"], post["is_will"]) for post in page["posts"]]


def own_will(kit: Any, user: User | None) -> Any:
    return browser(user).get(reverse("mafia_will", args=[kit.match.public_id]))


@pytest.fixture
def kit() -> TownKit:
    """A town on its second day: two posts, the will of a killed citizen between them."""
    kit = town(7, phase_seconds=600, last_wills=True)
    victim, doctor = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    kit.run_out()
    kit.act(doctor, kind="post", room="town", text="before")
    kit.act(victim, kind="write_will", text=WILL)
    kit.act(doctor, kind="write_will", text="I live")
    kit.run_out()
    kit.act(kit.user_of(Role.MAFIOSO), kind="choose", target=kit.people.index(victim))
    kit.run_out()
    kit.act(doctor, kind="post", room="town", text="after")
    return kit


def dead(kit: TownKit) -> User:
    return next(kit.people[each.no] for each in kit.play.citizens if not each.is_alive)


def end(kit: TownKit) -> None:
    for citizen in kit.play.mafia:
        if citizen.is_alive:
            kit.act(kit.people[citizen.no], kind="leave")
    assert kit.row.status == "over"


@pytest.mark.plain
@pytest.mark.both_databases
def test_mafia_a_will_is_a_numbered_post_and_in_no_fact_before(kit: TownKit) -> None:
    whole = [(1, "before", False), (2, WILL, True), (3, "after", False)]
    assert read(kit, None) == whole
    for first in range(1, 5):
        for last in range(first, 5):
            found = posts_between(kit.match, "town", first, last)
            assert [post.no for post in found] == [no for no in (1, 2, 3) if first <= no <= last]
    assert (read(kit, None, after=1), read(kit, None, before=3)) == (whole[1:], whole[:2])
    doctor = kit.user_of(Role.DOCTOR)
    authors = [author_of(kit.match, "town", no) for no in range(5)]
    assert authors == [None, doctor.pk, dead(kit).pk, doctor.pk, None]
    assert len(entry_numbers(kit.match, "town")) == 3
    assert replay_match(kit.row).is_same
    told = "".join(Entry.objects.filter(match=kit.match).values_list("facts", flat=True))
    assert "I live" not in told
    assert [day["is_over"] for day in votes_of(kit.match, by_majority=True)] == [True, False]
    # The vote that decides comes before the will of its victim.
    victim = next(c.no for c in kit.play.citizens if c.role == Role.MAFIOSO and c.is_alive)
    kit.act(kit.people[victim], kind="write_will", text="so it was me")
    voters = [c.no for c in kit.play.citizens if c.is_alive and c.no != victim]
    needed = (len(voters) + 1) // 2 + 1
    for seat in voters[:needed]:
        kit.act(kit.people[seat], kind="vote", choice=victim)
    day = votes_of(kit.match, by_majority=True)[-1]
    votes = [cast["after"] for cast in day["cast"] if not cast["is_death"]]
    assert (read(kit, None)[-1], votes) == ((4, "so it was me", True), [3] * needed)
    end(kit)
    assert [day["is_over"] for day in votes_of(kit.row, by_majority=True)] == [True, True]
    log = str(full_log(kit.row))
    assert ("I was a citizen" in log, "I live" in log) == (True, False)
    assert own_will(kit, doctor).json()["text"] == "I live"


@pytest.mark.plain
@pytest.mark.both_databases
def test_mafia_a_will_can_be_reported_and_hidden_wherever_it_is_read(kit: TownKit) -> None:
    chief = administrator("chief")
    assert reports.report_post(kit.match, kit.user_of(Role.SHERIFF), ("town", 2), "an insult")
    report = PostReport.objects.get()
    assert (report.author_id, report.is_private) == (dead(kit).pk, False)
    assert WILL in [said.text for said in reports.posts_around(report)]
    reports.hide(report)
    assert read(kit, None)[1] == (2, "", True)
    end(kit)
    (line,) = [line for chapter in chapters_of(kit.row) for line in chapter.lines if line.is_will]
    assert (line.text, line.is_hidden, line.number) == ("", True, 2)
    for user, name in ((chief, "match_log"), (None, "match_export")):
        page = browser(user).get(reverse(name, args=[kit.match.public_id])).content.decode()
        assert "I was a citizen" not in page
    assert "I was a citizen" not in canonical(body_of(kit.row))


@pytest.mark.plain
def test_mafia_a_will_is_its_authors_alone_and_no_muted_ones(kit: TownKit) -> None:
    doctor = kit.user_of(Role.DOCTOR)
    muting.mute(user_id=doctor.pk, by=administrator("chief"), hours=1, at=kit.now)
    with refuses("muted"):
        kit.act(doctor, kind="write_will", text="I am muted")
    assert own_will(kit, doctor).json()["text"] == "I live"
    others = [None, *(user for user in kit.people if user != doctor)]
    assert {own_will(kit, user).json()["text"] for user in others} == {""}
    assert {len(own_will(kit, user).content) for user in [*others, doctor]} == {1024}
    assert own_will(kit, doctor)["Cache-Control"] == "no-store, private"
    assert not any("I live" in str(kit.view(user)) for user in others)
