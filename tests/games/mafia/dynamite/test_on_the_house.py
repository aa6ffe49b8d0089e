"""Common features in Dynamite Town, on the site: awards, contests, hidden posts, long posts."""

import pytest
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from economy.units import Unit
from games.contests.rules.errors import OutOfLimits
from games.mafia.dynamite.rules.teams import Team
from games.matches.models import Match
from games.matches.queries.profiles import reliability_of
from tests.accounts.kit import browser
from tests.games.contests.kit import ContestKit
from tests.games.journal_kit import facts_of
from tests.games.mafia.dynamite.kit import band
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def test_dynamite_a_rated_game_pays_five_points_to_each_winner_and_no_y() -> None:
    kit = band(8, phase_seconds=600)
    # No scissors vote on the first day: the stapler kills them.
    kit.vote_round(*kit.of(Team.SCISSORS))
    kit.run_out()
    assert kit.row.status == Match.Status.OVER
    assert kit.row.is_rated
    shown = kit.view()["game"]
    winners = set(shown["result"]["winners"])
    teams = [seat["team"] for seat in shown["seats"]]
    assert winners == {no for no, team in enumerate(teams) if team in ("rock", "dynamite")}
    (paid,) = facts_of(kit.row, "awards_paid")
    assert dict(paid.data)["awards"] == [[no, 5, 0, 0, 0] for no in sorted(winners)]
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id]))
    told = {fate.name: (fate.earned, fate.paid) for fate in story.context["fates"]}
    for no, user in enumerate(kit.people):
        points = 5 * (no in winners)
        assert (balance_of(user.pk), balance_of(user.pk, Unit.Y_POINT)) == (100 + points, 0)
        assert told[user.username] == (("5", "5") if points else ("", ""))
    assert {reliability_of(user).finished for user in kit.people} == {1}
    assert find_violations() == []


@pytest.mark.plain
def test_dynamite_contest_has_a_game_that_pays_x_alone_and_amends_the_phase() -> None:
    kit = ContestKit(5, game="dynamite", wanted=5, phase_seconds=600)
    kit.ready()
    assert kit.game.row.game == "dynamite"
    options = kit.game.snapshot.state.options
    assert (options.contest, options.phase_seconds, len(kit.game.people)) == (True, 600, 5)
    for changes in ({"award": 60}, {"wanted": 41}):
        with pytest.raises(OutOfLimits):
            kit.do("propose", kit.people[0], changes=changes)
    kit.do("propose", kit.people[0], changes={"phase_seconds": 900, "wanted": 40})
    kit.play_over()
    kit.pass_time(days=4)
    kit.do("make_ready", kit.people[1])
    assert (kit.state.settings["phase_seconds"], kit.state.settings["wanted"]) == (900, 40)
    address, visitor = reverse("contest", args=[kit.row.public_id]), browser(new_user())
    assert [visitor.get(address, {"by": axis}).status_code for axis in "xy"] == [200, 404]
    assert "i each" not in visitor.get(address).content.decode()
