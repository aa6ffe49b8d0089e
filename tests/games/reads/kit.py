"""Watchers of towns who seal reads, for tests."""

from typing import Any

from django.urls import reverse

from accounts.models import User
from games import registry
from tests.accounts.kit import browser
from tests.games.mafia.common.kit import AnyTownKit


def address(kit: AnyTownKit) -> str:
    return reverse("sealed_read", args=[kit.match.public_id])


def answer(user: User | None, kit: AnyTownKit, body: Any = None) -> tuple[int, Any]:
    """Return the status and the content for a read that is asked for, or sealed with a body."""
    client = browser(user)
    if body is None:
        response = client.get(address(kit))
    else:
        response = client.post(address(kit), body, content_type="application/json")
    assert response["Cache-Control"] == "no-store, private"
    return response.status_code, response.json()


def seal(user: User, kit: AnyTownKit, strength: int = 0, *suspects: int) -> dict[str, Any]:
    """Seal a read with this strength for the suspects, by default who is of the mafia."""
    _, asked = answer(user, kit)
    seats = suspects or registry.table(kit.row.game).reads.mafia(kit.play)
    strengths = {no: strength if no in seats else 0 for no in asked["seats"]}
    status, sealed = answer(user, kit, {"day": asked["day"], "strengths": strengths})
    assert status == 200, sealed
    return dict(sealed)
