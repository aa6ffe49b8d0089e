"""Shared parts of pages hold nothing of a request, and who does something sees it at once."""

import math
import re
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from accounts import shared
from accounts.models import User
from games import registry
from games.matches.models import Match
from games.matches.queries import selectors
from games.people import activity
from games.realtime.batch_writer import Matches
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tests.games.played_site import PlayedSite, played_site

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        not {"showdown", "duel", "agora", "dynamite"}.issubset(registry.slugs()), reason="all games"
    ),
]
#: What is new on each page, with what stands before it.
TOKENS = re.compile(r'(name="csrfmiddlewaretoken" value=|"csrf": |nonce=)"([^"]+)"')
#: What a practice table draws, and times in words.
CHANCE = re.compile(
    r'"practice-[\w-]+"|"commitment": "\w+"|\w+ deals|>(just now|[^<]* ago)<|"now": "[^"]*"'
    r'|data-now="[^"]*"'
)


@pytest.fixture(autouse=True)
def _answers_are_kept(settings: Any) -> None:
    settings.SHARED_SECONDS = math.inf
    shared.forget()


@pytest.fixture
def site() -> PlayedSite:
    return played_site()


def forget() -> None:
    shared.forget()
    activity.forget()
    caches["template_fragments"].clear()


def clients(site: PlayedSite) -> dict[str, Client]:
    """Return a guest and two users, whose pages have all their cookies."""
    found = {"": Client(), site.user.username: Client(), "bartholomew": Client()}
    asker = User.objects.create_user("bartholomew", password="a long password", theme="dark")
    found[site.user.username].force_login(site.user)
    found["bartholomew"].force_login(asker)
    return found


def page(client: Client, address: str) -> tuple[str, set[str]]:
    """Return a page without what is new on each, and its tokens."""
    text = client.get(address).content.decode()
    tokens = {token for _, token in TOKENS.findall(text)}
    return CHANCE.sub("", TOKENS.sub(r"\1", text)), tokens


@pytest.mark.both_databases
def test_pages_of_two_users_in_turns_equal_those_made_alone(site: PlayedSite) -> None:
    people = clients(site)
    for address in site.pages.values():
        for client in people.values():
            client.get(address)
        alone, tokens = {}, list[set[str]]()
        for name, client in people.items():
            forget()
            alone[name], _ = page(client, address)
        forget()
        for _ in range(2):
            for name, client in people.items():
                text, found = page(client, address)
                assert text == alone[name], (address, name)
                tokens.append(found)
        # A token stands on one page alone.
        assert sum(map(len, tokens)) == len(set.union(*tokens)), address


def test_shared_parts_hold_no_token_and_no_name_of_who_asked(site: PlayedSite) -> None:
    people, tokens = clients(site), set[str]()
    for address in site.pages.values():
        for client in people.values():
            tokens |= page(client, address)[1]
    fragments = caches["template_fragments"]
    kept = "".join(
        [
            *(fragments.get(key.split(":", 2)[2]) for key in list(fragments._cache)),
            *(
                "".join(answer._parts.values())
                for read in shared._reads
                for _, answer in read._kept.values()
                if isinstance(answer, shared.Shown)
            ),
        ]
    )
    assert "importmap" not in kept
    assert '"preact"' in kept
    assert "lobby-view" in kept
    assert "csrfmiddlewaretoken" not in kept
    assert "bartholomew" not in kept
    assert not [token for token in tokens if token in kept]


@pytest.mark.both_databases
def test_an_unlisted_match_that_ends_within_the_second_is_on_its_players_pages_alone() -> None:
    ann, bob, cat = new_user(), new_user(), new_user()
    for other in (bob, cat):
        kit = DuelKit(ann, other, best_of=1)
        kit.start()
        kit.win(ann)
    address = reverse("profile", args=[ann.username])
    viewers = {None: Client()}
    for user in (ann, bob, cat):
        viewers[user] = Client()
        viewers[user].force_login(user)
    for client in viewers.values():
        client.get(address)
    secret = DuelKit(ann, bob, best_of=1, listed=False)
    secret.start()
    secret.win(ann)
    shared.note_changes([ann.pk, bob.pk])
    for query in ("", "?result=won", "?game=all"):
        sees = {
            user: secret.match.public_id in client.get(address + query).content.decode()
            for user, client in viewers.items()
        }
        assert sees == {None: False, ann: True, bob: True, cat: False}, query


def test_own_table_is_listed_at_once_and_for_others_a_second_later() -> None:
    author, other = new_user(), Client()
    client = Client()
    client.force_login(author)
    addresses = [reverse("duels"), reverse("home")]
    for address in addresses:
        assert author.username not in other.get(address).content.decode()
    given = {"best_of": 5, "clock_seconds": 30, "stake": 0, "listed": "on", "spectators": "on"}
    assert client.post(reverse("duel_new"), given).status_code == 302
    match = Match.objects.latest("pk")
    before = other.get(addresses[0]).content.decode()
    assert match.public_id not in before
    for address in addresses:
        assert match.public_id in client.get(address).content.decode()
    # What the author has had read is everybody's.
    assert match.public_id in other.get(addresses[0]).content.decode()


def test_what_somebody_does_at_a_table_is_in_the_lists_that_the_person_asks_for() -> None:
    kit = DuelKit(new_user(), new_user())
    lists = selectors.shown_lobby
    matches = Matches(lambda result: None)
    lists.seen_by(None)
    matches.commit([kit.submission(kit.ann, kind="sit", seat=0)])

    def players(viewer: User | None) -> list[str]:
        rows = lists.seen_by(viewer and viewer.pk)["duel"]
        (row,) = [row for row in rows if row["public_id"] == kit.match.public_id]
        return [player["name"] for player in row["players"]]

    assert players(None) == []
    assert players(kit.bob) == []
    assert players(kit.ann) == [kit.ann.username]


def test_a_purchase_is_on_the_next_page_of_the_buyer() -> None:
    client = Client()
    client.force_login(new_user())
    shop = client.get(reverse("shop"))
    card = next(card for card in shop.context["cards"] if card["is_on_sale"])
    balance = shop.context["balance"]
    wanted = {name: card[name] for name in ("unit", "key")}
    client.post(reverse("shop_buy"), {**wanted, "quantity": 1, "expected_price": card["price"]})
    for name in ("home", "shop", "wallet"):
        page = client.get(reverse(name))
        assert page.context["balance"] == balance - card["price"]
        assert f"data-balance>{balance - card['price']}<" in page.content.decode()
