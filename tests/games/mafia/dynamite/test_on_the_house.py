"""Common features in Dynamite Town, on the site: awards, contests, hidden posts, long posts."""

import pytest
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from economy.units import Unit
from games.contests.rules.errors import OutOfLimits
from games.mafia.dynamite.rules.teams import Team
from games.matches.models import Match
from games.people.profiles import reliability_of
from tests.accounts.kit import browser
from tests.games.contests.kit import ContestKit
from tests.games.journal_kit import facts_of
from tests.games.mafia.dynamite.kit import BandKit, band
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def won_by_rock(seconds: int) -> BandKit:
    """Return a game in which no scissors voted on the first day: the stapler has killed them."""
    kit = band(8, phase_seconds=seconds)
    kit.vote_round(*kit.of(Team.SCISSORS))
    kit.run_out()
    assert kit.row.status == Match.Status.OVER
    return kit


def test_dynamite_a_rated_game_pays_five_points_to_each_winner_and_no_y() -> None:
    kit = won_by_rock(600)
    assert kit.row.is_rated
    winners = set(kit.view()["game"]["result"]["winners"])
    teams = [seat["team"] for seat in kit.view()["game"]["seats"]]
    assert winners == {no for no, team in enumerate(teams) if team in ("rock", "dynamite")}
    for no, user in enumerate(kit.people):
        assert balance_of(user.pk) == 100 + (5 if no in winners else 0)
        assert balance_of(user.pk, Unit.Y_POINT) == 0
    (paid,) = facts_of(kit.row, "awards_paid")
    assert dict(paid.data)["awards"] == [[no, 5, 0, 0, 0] for no in sorted(winners)]
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id]))
    told = {fate.name: (fate.earned, fate.paid) for fate in story.context["fates"]}
    for no, user in enumerate(kit.people):
        assert told[user.username] == (("5", "5") if no in winners else ("", ""))
    assert {reliability_of(user).finished for user in kit.people} == {1}
    assert find_violations() == []


@pytest.mark.plain
def test_dynamite_contest_has_a_game_that_pays_x_alone_and_amends_the_phase() -> None:
    kit = ContestKit(5, game="dynamite", wanted=5, phase_seconds=600)
    kit.ready()
    assert kit.game.row.game == "dynamite"
    options = kit.game.snapshot.state.options
    assert (options.contest, options.phase_seconds, len(kit.game.people)) == (True, 600, 5)
    with pytest.raises(OutOfLimits):
        kit.do("propose", kit.people[0], changes={"award": 60})
    with pytest.raises(OutOfLimits):
        kit.do("propose", kit.people[0], changes={"wanted": 41})
    kit.do("propose", kit.people[0], changes={"phase_seconds": 900, "wanted": 40})
    kit.play_over()
    kit.pass_time(days=4)
    kit.do("make_ready", kit.people[1])
    assert (kit.state.settings["phase_seconds"], kit.state.settings["wanted"]) == (900, 40)
    address = reverse("contest", args=[kit.row.public_id])
    visitor = new_user()
    assert browser(visitor).get(address, {"by": "x"}).status_code == 200
    assert browser(visitor).get(address, {"by": "y"}).status_code == 404
    assert "i each" not in browser(visitor).get(address).content.decode()
