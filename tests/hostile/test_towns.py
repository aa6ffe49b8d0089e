import pytest
from django.utils import timezone

from accounts import devices
from accounts.models import User
from games.mafia.agora.rules.roles import Role
from games.matches.journal.entries import read_facts
from games.matches.models import Entry
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.realtime import protocol
from games.realtime.socket_queries import admitted
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import new_user
from tests.hostile.kit import browser, refusal
from tests.hostile.nights import PASSING

pytestmark = pytest.mark.django_db


def test_hostile_35_the_last_vote_counts_and_the_dead_have_none() -> None:
    kit = town(7, phase_seconds=600)
    kit.run_out()
    voter, first, second, gone = kit.alive[:4]
    seats = {user: kit.people.index(user) for user in kit.alive}
    for choice in (seats[first], seats[second], seats[second]):
        kit.act(voter, kind="vote", choice=choice)
    assert kit.play.citizens[seats[voter]].vote == seats[second]
    assert dict(kit.view()["game"]["tally"]) == {seats[second]: 1}
    kit.act(gone, kind="leave")
    assert refusal(kit, gone, kind="vote", choice=seats[first])[0] == "action/not_alive"
    assert refusal(kit, voter, kind="vote", choice=seats[gone])[0].startswith("action/")
    assert refusal(kit, voter, kind="vote", choice=99)[0] in {"bad_field", "action/bad_target"}


def test_hostile_35_votes_that_race_lynch_one() -> None:
    kit = town(5, phase_seconds=600)
    kit.run_out()
    people = kit.alive
    accused = [kit.people.index(user) for user in people[:2]]
    # All at once: who comes after the majority votes for a day that is over.
    votes = [{"kind": "vote", "choice": accused[no % 2]} for no in range(10)]
    batch = [
        Submission(kit.match.pk, vote, f"race-{no}", people[no % 5].pk, phase=kit.row.phase)
        for no, vote in enumerate(votes)
    ]
    answers = writing.apply_batch(batch, kit.now).answers
    assert [answer.error and answer.error.code for answer in answers] == [None] * 5 + ["stale"] * 5
    rows = Entry.objects.filter(match=kit.match).values_list("facts", flat=True)
    facts = [fact for row in rows for fact in read_facts(row)]
    died = [fact.data for fact in facts if fact.kind == "citizen_died"]
    assert [(each["seat"], each["cause"]) for each in died] == [(accused[0], "lynched")]


def test_hostile_36_a_role_that_one_has_not_answers_like_one_that_nobody_has() -> None:
    # Of five nobody is a detective or an agent; of nine somebody is.
    small, large = town(5, phase_seconds=600), town(9, phase_seconds=600)
    asked = ((small, Role.CITIZEN), (large, Role.CITIZEN), (large, Role.DETECTIVE))
    for action in ({"kind": "choose", "target": 0}, {"kind": "investigate"}):
        assert len({refusal(kit, kit.user_of(role), **action) for kit, role in asked}) == 1


def test_hostile_37_a_room_of_others_is_like_one_that_is_not() -> None:
    kit = town(9, phase_seconds=600)
    kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text="a canary")
    citizen, mafioso = (browser(kit.user_of(role)) for role in (Role.CITIZEN, Role.MAFIOSO))
    path = f"/mafia/{kit.match.public_id}/posts/"
    answers = {
        (answer.status_code, answer.content, answer["Cache-Control"])
        for room in ("mafia", "dead", "nowhere")
        for reader in (citizen, browser())
        for answer in [reader.get(f"{path}{room}/")]
    }
    assert (len(answers), next(iter(answers))[0]) == (1, 404)
    assert b"a canary" in mafioso.get(f"{path}mafia/").content
    told = {refusal(kit, kit.user_of(Role.CITIZEN), kind="post", room=room, text="x")
            for room in ("mafia", "dead", "nowhere")}  # fmt: skip
    assert len(told) == 1


@pytest.mark.plain
def test_hostile_38_the_dead_and_the_living_do_not_talk() -> None:
    kit = town(9, phase_seconds=600)
    kit.run_out()
    dead, living = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    kit.act(dead, kind="leave")
    assert refusal(kit, dead, kind="post", room="town", text="I know")[0] == "action/room_closed"
    kit.act(dead, kind="post", room="dead", text="a canary")
    reader = browser(living)
    path = f"/mafia/{kit.match.public_id}/"
    assert reader.get(f"{path}posts/dead/").status_code == 404
    for page in (path, f"{path}posts/town/", f"{path}votes/"):
        assert b"a canary" not in reader.get(page).content
    assert Entry.objects.filter(match=kit.match, action__contains="a canary").count() == 1
    assert refusal(kit, living, kind="post", room="dead", text="hello")[0] == "action/room_closed"


def test_hostile_38_nobody_looks_on_from_a_device_of_one_who_plays(caplog) -> None:
    kit = town(5, phase_seconds=600)
    same, other = new_user("ear"), new_user("guest")
    now = timezone.now()
    for user, token in ((kit.people[0], "a"), (same, "a"), (other, "b")):
        devices.note(user_id=user.pk, token=token * 43, address="203.0.113.7", at=now)
    path = f"/mafia/{kit.match.public_id}/"
    for user, status in ((same, 404), (other, 200), (kit.people[0], 200)):
        reader = browser(user)
        answers = [reader.get(f"{path}{page}").status_code for page in ("", "posts/town/")]
        assert answers == [status] * 2
        assert (admitted(kit.match.public_id, user.pk) is None) is (status == 404)
    assert "may not watch" in caplog.text


def lengths(kit: TownKit) -> set[tuple[int, int]]:
    found = set()
    for user in kit.people:
        page = browser(user).get(f"/mafia/{kit.match.public_id}/").content.decode()
        found.add((len(protocol.encode_view(kit.view(user))), len(PASSING.sub("", page))))
    return found


def test_hostile_40_what_a_citizen_is_sent_is_as_long_whatever_the_role() -> None:
    kit = TownKit(*(User.objects.create_user(f"citizen{no}") for no in range(9)), seats=9)
    kit.start(purse=0)
    assert len(lengths(kit)) == 1
    for role in (Role.SHERIFF, Role.AGENT, Role.DOCTOR):
        kit.act(kit.user_of(role), kind="choose", target=kit.people.index(kit.user_of(role)))
    for user in kit.people:
        kit.act(user, kind="done")
    assert len(lengths(kit)) == 1
    for _ in range(2):
        # A day, on which the sheriff has read a file, and the next night.
        kit.run_out()
        assert len(lengths(kit)) == 1
