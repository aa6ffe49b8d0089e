import pytest
from django.test import Client

from accounts.models import User
from tests.games.arena.kit import playing

pytestmark = pytest.mark.django_db


def test_arena_admin_shows_a_seed_once_its_round_is_over_and_changes_no_player() -> None:
    chief = Client()
    chief.force_login(User.objects.create_superuser("chief", password="a long password"))
    kit = playing(4)
    begun = kit.round
    kit.choose("rock", "paper", "rock", "rock")
    pages = ("/admin/arena/round/", f"/admin/arena/round/{begun.no}/change/")
    for page in pages:
        body = chief.get(page).content.decode()
        assert begun.seed not in body
        assert "selecting" in body.lower()
    assert kit.people[0].username in chief.get("/admin/arena/player/").content.decode()
    page = f"/admin/arena/player/{kit.people[0].pk}/change/"
    assert chief.get(page).status_code == 200
    assert chief.post(page, {"score": "1000"}).status_code == 403
    assert kit.player(0).score == 0
    kit.end()
    assert begun.seed in chief.get(pages[1]).content.decode()
