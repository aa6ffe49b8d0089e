"""All that the site answers somebody about a town, to the byte, and worlds that must look alike."""

import re
from collections.abc import Iterable

from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.structs import canonical
from games.mafia.common.rules.state import TownState
from games.matches.journal.loading import match_cache
from games.matches.models import Match
from tests.accounts.kit import browser
from tests.games.mafia.common.kit import AnyTownKit

#: Parts of a page that differ in each answer, for every viewer.
PASSING = (
    r'name="csrfmiddlewaretoken" value="[^"]+"',
    r'"csrf": "[^"]+"',
    r'nonce="[^"]+"',
    r'"now": ?"[^"]+"',
    r'data-now="[^"]+"',
)


def bytes_of(client: Client, path: str) -> tuple[int, str, str]:
    """Return status, cache rule and body of an answer, without parts that differ each time."""
    response = client.get(path)
    body = response.content.decode()
    for pattern in PASSING:
        body = re.sub(pattern, "", body)
    return response.status_code, response.get("Cache-Control", ""), body


def everything(
    user: User | None, match: Match, rooms: Iterable[str]
) -> dict[str, tuple[int, str, str]]:
    reads = [
        reverse("mafia_game", args=[match.public_id]),
        reverse("mafia_votes", args=[match.public_id]),
        reverse("mafia_will", args=[match.public_id]),
        reverse("mafia_story", args=[match.public_id]),
        reverse("mafia_postmortem", args=[match.public_id]),
        reverse("match_log", args=[match.public_id]),
        reverse("mafia"),
        reverse("mafia_archive"),
        *([reverse("turns")] if user else []),
        # A guest's front page has a practice board on it, which is dealt again each time.
        *([reverse("home")] if user else []),
        *(reverse("mafia_posts", args=[match.public_id, room]) for room in rooms),
    ]
    client = browser(user)
    return {path: bytes_of(client, path) for path in reads}


def in_another_world(kit: AnyTownKit, play: TownState) -> None:
    Match.objects.filter(pk=kit.match.pk).update(
        state=canonical(play), state_no=kit.row.action_count
    )
    match_cache.forget()
