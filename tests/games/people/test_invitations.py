"""The address of a private table invites a guest while a seat is free, and tells no more."""

import re

import pytest

from accounts.models import User
from economy.models import Setting
from games import registry
from games.duel.challenges import challenge
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.matches.queries.addresses import match_url, replay_url
from games.matches.services import matches
from games.posts import chat
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser
from tests.games.table_kit import TableKit

pytestmark = pytest.mark.django_db

SLUGS = [game.slug for game in registry.tables()]
#: What differs between two answers to the same request.
CHANCE = re.compile(r'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"')


def seen(match: Match, url: str | None = None) -> tuple[int, str]:
    """Return status and page for a guest, without what is drawn for each answer."""
    answer = browser().get(url or match_url(match))
    return answer.status_code, CHANCE.sub("", answer.content.decode())


def opened(user: User, slug: str = "showdown", **options: object) -> Match:
    return matches.open_and_sit(
        opened_by=user, options={"listed": False, "spectators": False, **options}, game=slug
    )


def act(user: User, match: Match, **action: object) -> None:
    number = match.entries.count()
    writing.submit(Submission(match.pk, action, f"invited-{number:04d}", user.pk))


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_address_of_a_private_table_invites_a_guest_to_the_free_seat(slug: str) -> None:
    Setting.objects.filter(name="grant.signup").update(value=123)
    ann = new_user("ann")
    match = opened(ann, slug)
    status, page = seen(match)
    assert status == 200
    assert f"{ann.username} invites you to {registry.get(slug).title}" in page
    assert "Sign up and sit (123 free points)" in page
    assert f'href="/accounts/signup/?next={match_url(match)}"' in page
    assert f'href="/accounts/login/?next={match_url(match)}"' in page
    assert page.count(f'data-seat="{match.public_id}"') == 2


def test_invitation_names_the_terms_and_is_kept_by_no_cache() -> None:
    match = opened(new_user(), ante=7, target=9)
    answer = browser().get(match_url(match))
    assert "Ante 7 · first to 9" in answer.content.decode()
    assert answer["Cache-Control"] == "no-store, private"


def test_invitation_is_the_same_whatever_else_is_at_the_table() -> None:
    """Purses, readiness, other players, chat and the name of the table are not told."""
    ann = new_user("ann")
    match = opened(ann)
    told = seen(match)
    bob = new_user("bob")
    act(bob, match, kind="sit", purse=13)
    act(bob, match, kind="ready", configuration=1, salt_hash="ab" * 32)
    act(ann, match, kind="bring", purse=17)
    chat.say(
        match_id=match.pk, user_id=ann.pk, room="table", text="a canary", action_id="said-0001"
    )
    match.refresh_from_db()
    assert seen(match) == told
    for word in (bob.username, "canary", match.title, match.seed_commitment, "17"):
        assert not re.search(rf"\b{word}\b", told[1].replace(match.public_id, ""))


def test_invitation_ends_with_the_last_free_seat_and_with_the_start() -> None:
    kit = TableKit(new_user(), new_user(), seats=2, listed=False, spectators=False)
    assert seen(kit.row)[0] == 404  # nobody sits there who could invite
    kit.act(kit.people[0], kind="sit", purse=20)
    assert seen(kit.row)[0] == 200
    kit.act(kit.people[1], kind="sit", purse=20)
    unknown = seen(kit.row, "/tables/no-such-table/")
    assert unknown[0] == 404
    for _ in range(3):
        assert _without_address(seen(kit.row), kit.row) == _without_address(unknown, kit.row)
        if kit.row.status == Match.Status.OPEN:
            for user in kit.people:
                kit.act(user, kind="ready", configuration=1)
            kit.pass_time(5.0)
        else:
            kit.play_to_the_end()


def _without_address(answer: tuple[int, str], match: Match) -> tuple[int, str]:
    return answer[0], answer[1].replace(match.public_id, "X").replace("no-such-table", "X")


def test_challenge_by_its_address_tells_a_guest_who_asks_and_not_whom() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    match = challenge(challenger=ann, name=bob.username, options={"best_of": 3, "stake": 20})
    status, page = seen(match)
    assert status == 200
    assert f"{ann.username} has challenged somebody" in page
    assert "Best of 3 · stake 20" in page
    assert bob.username not in page
    assert "Sign up and sit" not in page


def test_private_game_that_accounts_may_watch_asks_a_guest_to_log_in_and_tells_nothing() -> None:
    pages = set()
    for names, options in ((("ann", "bob"), {"ante": 5}), (("cat", "dan"), {"ante": 9})):
        kit = TableKit(*map(new_user, names), seats=2, listed=False, **options)
        kit.start()
        pages.add(_without_address(seen(kit.row), kit.row))
        kit.play_to_the_end()
        pages.add(_without_address(seen(kit.row), kit.row))
    assert len(pages) == 1
    ((status, page),) = pages
    assert status == 200
    assert "A private table" in page
    assert seen(kit.row, replay_url(kit.row))[0] == 200
    assert seen(kit.row, f"{match_url(kit.row)}log.json")[0] == 404
