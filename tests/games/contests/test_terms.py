"""Terms of games for contests, and contests whose game is not registered."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from economy.tunables import TUNABLES
from games.contests import models, services, terms
from games.contests.rules.state import require_within
from games.contract import TableGame
from games.engine.choices import clean_options
from games.engine.structs import plain
from games.matches.models import Pledge
from games.matches.processing.submissions import Maintenance, MatchNotFound
from games.matches.services.matches import default_options
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", terms.games(), ids=lambda game: game.slug)
def test_contest_terms_fit_the_game_that_offers_them(game: TableGame) -> None:
    offered, allowed = terms.terms_of(game), terms.allowed(game)
    usual = terms.usual(game)
    require_within(allowed, usual)
    for seats in (offered.least, offered.most):
        base = plain(default_options(game.slug, {}))
        wanted = {**base, **terms.options_of(game, usual), "seats": seats}
        assert game.newest.purse_limits(clean_options(game.options, wanted)) == (0, 0)
    numbers = {name for term in offered.settings.values() for name in (term.least, term.most)}
    assert numbers - {""} <= TUNABLES.keys()
    assert offered.axes in (1, 2)


@pytest.mark.plain
def test_contest_of_a_game_that_is_away_sleeps() -> None:
    user, now = new_user(), timezone.now()
    row = models.Contest.objects.create(
        name="Long Ago",
        game="chess",
        founder=user,
        settings='{"wanted":5}',
        founded_at=now,
        idle_since=now,
        pledge=Pledge.objects.create(game="chess", rules_version=1, pledged_at=now),
    )
    models.Proposal.objects.create(
        contest=row,
        no=1,
        by=user,
        changes='{"wanted":4}',
        voters="[]",
        proposed_at=now - timedelta(days=9),
        effect_at=now - timedelta(days=5),
    )
    assert services.sweep(now) == 0
    shown = Client().get(f"/contests/{row.public_id}/")
    assert (shown.status_code, b"This contest sleeps." in shown.content) == (503, True)
    assert b"Long Ago" not in Client().get("/contests/").content
    with pytest.raises(Maintenance):
        services.join(contest_id=row.pk, user=user)
    with pytest.raises(MatchNotFound):
        services.found(user=user, charter=services.Charter("More", "chess", {}))
    with pytest.raises(MatchNotFound):
        services.join(contest_id=row.pk + 1, user=user)
