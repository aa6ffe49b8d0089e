import pytest
from django.test import Client

from accounts.models import User
from tests.games.arena.kit import ArenaKit

pytestmark = pytest.mark.django_db


def test_arena_admin_shows_a_seed_once_its_round_is_over() -> None:
    chief = User.objects.create_superuser("chief", password="a long password")
    client = Client()
    client.force_login(chief)
    kit = ArenaKit(4)
    begun = kit.begin()
    kit.choose("rock", "paper", "rock", "rock")
    pages = ("/admin/arena/round/", f"/admin/arena/round/{begun.no}/change/")
    for page in pages:
        body = client.get(page).content.decode()
        assert begun.seed not in body
        assert "selecting" in body.lower()
    kit.end()
    assert begun.seed in client.get(pages[1]).content.decode()


def test_arena_admin_lists_players_and_changes_none() -> None:
    chief = User.objects.create_superuser("chief", password="a long password")
    client = Client()
    client.force_login(chief)
    kit = ArenaKit(2)
    assert kit.people[0].username in client.get("/admin/arena/player/").content.decode()
    page = f"/admin/arena/player/{kit.people[0].pk}/change/"
    assert client.get(page).status_code == 200
    assert client.post(page, {"score": "1000"}).status_code == 403
    assert kit.player(0).score == 0
