"""Cases 39 and 42: what neither a page nor a mail says of a game."""

from __future__ import annotations

import pytest
from django.urls import reverse
from post_office.models import Email

from economy.units import Unit
from games import catalog
from games.showdown.shopping import buy_weapon
from tests.accounts.kit import confirm
from tests.games.duel.kit import DuelKit
from tests.games.table_kit import TableKit, new_user
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db


def test_hostile_39_no_page_holds_a_secret_of_others() -> None:
    """The seed, the state, choices and mines of others are in no byte of page or log."""
    ann, bob = new_user(), new_user()
    buy_weapon(user_id=ann.pk, unit=Unit.LANDMINE, quantity=1, action_id="shopping-01")
    kit = TableKit(ann, bob, seats=2)
    kit.start()
    kit.call_all()
    urls = [reverse(name, args=[kit.match.public_id]) for name in ("table", "table_log")]

    def seen() -> list[str]:
        pages = [client.get(url) for client in (browser(bob), browser()) for url in urls]
        return [page.content.decode() for page in pages]

    before = seen()
    kit.act(ann, kind="mine", target=1)
    kit.act(ann, kind="attack", weapon="paper", target=1)
    after = seen()
    for text in (*before, *after):
        assert kit.row.seed not in text
        assert kit.row.seed_commitment in text
    views = [[part for part in text.split() if '"phase"' in part] for text in before]
    assert views == [[part for part in text.split() if '"phase"' in part] for text in after]


def test_hostile_42_games_are_told_by_no_mail(settings) -> None:
    """Nor by a push: there is none. What waits in the bell is a fixed text of each game."""
    settings.EMAIL_BACKEND = "post_office.EmailBackend"
    people = [new_user(), new_user()]
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
        confirm(user)
    table = TableKit(*people, seats=2, target=3)
    table.start()
    table.play_to_the_end()
    duel = DuelKit(*people)
    duel.now = table.now
    duel.start()
    duel.throw("rock", "paper")
    assert not Email.objects.exists()
    for game in catalog.tables():
        assert all("{" not in text for text in game.speech.notices.values())
