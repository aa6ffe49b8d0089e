"""The games that wait for a user, by deadline, and the way from one game to the next."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.mafia.agora.rules.roles import Role
from games.matches.models import Match
from games.matches.queries.addresses import match_url
from games.matches.queries.turns import next_turn, turns_of
from games.matches.services import matches
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

DAY = 86_400


def slow(ann: User, phase_seconds: int) -> TownKit:
    others = [new_user() for _ in range(4)]
    kit = TownKit(ann, *others, seats=5, phase_seconds=phase_seconds)
    kit.start(purse=0)
    return kit


def titles(user: User) -> list[str]:
    return [turn.title for turn in turns_of(user.pk)]


@pytest.mark.both_databases
def test_turns_are_those_of_all_games_by_deadline() -> None:
    ann = new_user("ann")
    middle, soon = (slow(ann, seconds) for seconds in (2 * DAY, DAY))
    table = matches.open_match(
        opened_by=ann, options={}, game="agora", begins_at=soon.now + timedelta(days=3)
    )
    kit = TownKit(ann)
    kit.match = table
    kit.act(ann, kind="sit")
    names = [match.title for match in (soon.match, middle.match, table)]
    assert titles(ann) == names
    assert titles(soon.people[1]) == [soon.match.title]
    due = [turn.due_at for turn in turns_of(ann.pk)]
    assert due == sorted(due)
    assert due[0] == soon.row.due_at
    middle.act(ann, kind="done")
    assert titles(ann) == [names[0], *names[2:]]
    page = browser(ann).get(reverse("turns"))
    assert [turn.title for turn in page.context["turns"]] == titles(ann)
    assert all(turn.url in page.content.decode() for turn in page.context["turns"])


def test_turns_go_round_from_each_game_to_the_next() -> None:
    ann = new_user("ann")
    kits = [slow(ann, seconds) for seconds in (DAY, 2 * DAY, 3 * DAY)]
    paths = [match_url(kit.match) for kit in kits]

    def after(match: Match | None) -> Any:
        query = {"after": match.public_id} if match else {}
        return browser(ann).get(reverse("turn_next"), query).headers["Location"]

    assert after(None) == paths[0]
    assert [after(kit.match) for kit in kits] == [paths[1], paths[2], paths[0]]
    kits[1].act(ann, kind="done")
    assert [after(kit.match) for kit in kits] == [paths[2], paths[2], paths[0]]
    kits[2].act(ann, kind="done")
    assert [after(kit.match) for kit in kits] == [reverse("turns"), paths[0], paths[0]]
    kits[0].act(ann, kind="done")
    assert {after(kit.match) for kit in kits} == {reverse("turns")}
    assert next_turn(ann.pk, None) is None


def test_turns_show_the_public_deadline_and_nothing_of_others() -> None:
    """All but one are done: the hidden end of the night is in no answer."""
    kit = town(5, phase_seconds=600)
    last = kit.user_of(Role.DOCTOR)
    pages = []
    for user in [user for user in kit.people if user != last]:
        pages.append([turn.due_at for turn in turns_of(last.pk)])
        kit.act(user, kind="done")
    kit.act(last, kind="done")
    kit.act(kit.people[0], kind="undone")
    assert len({str(page) for page in pages}) == 1
    assert pages[0][0].timestamp() * 1000 == kit.play.clock.ends_at


def test_turns_are_for_users_alone() -> None:
    for name in ("turns", "turn_next"):
        assert browser().get(reverse(name)).status_code == 302
    ann = new_user("ann")
    assert "Nothing waits for you" in browser(ann).get(reverse("turns")).content.decode()
    stranger = town(5)
    path = browser(ann).get(reverse("turn_next"), {"after": stranger.match.public_id})
    assert path.headers["Location"] == reverse("turns")
