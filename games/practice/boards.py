"""The configuration of the boards of practice, for their scripts."""

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from games.contract import TableGame
from games.matches.queries.addresses import list_url, rules_url
from games.matches.queries.commands import word_counts


def config_of(game: TableGame, lesson: str, *, has_account: bool) -> dict[str, Any]:
    """Return the configuration of a practice board, for its script."""
    return {
        "socket": f"/ws/practice/{game.slug}/" + (f"{lesson}/" if lesson else ""),
        "public_id": "practice",
        "name": None,
        "balance": None,
        "table_url": reverse("practice", args=[game.slug]),
        "lobby_url": list_url(game),
        "rules_url": rules_url(game),
        "login_url": reverse("account_login"),
        "commands": word_counts(game.slug),
        **game.board,
        "practice": {
            "again_url": reverse("practice", args=[game.slug]),
            "start_url": reverse("start", args=[game.slug]) if has_account else sign_up_url(game),
            "has_account": has_account,
            "lesson": lesson or None,
            "strip": not lesson,
        },
    }


def sign_up_url(game: TableGame) -> str:
    """Return the address to sign up at that leads on to such a table for points."""
    after = urlencode({"next": reverse("start", args=[game.slug])})
    return f"{reverse('account_signup')}?{after}"
