"""Dynamite Town on the site: opened, played through the write path, ended by the sweeps."""

import pytest

from economy.audit import find_violations
from economy.selectors import balance_of
from games.engine.errors import IllegalAction
from games.engine.structs import canonical
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.models import Match
from tests.games.journal_kit import facts_of
from tests.games.mafia.dynamite.kit import BandKit, band

pytestmark = pytest.mark.django_db


def deaths(kit: BandKit) -> list[tuple[int, list[str]]]:
    return [(fact.data["seat"], fact.data["causes"]) for fact in facts_of(kit.row, "player_died")]


@pytest.mark.both_databases
def test_dynamite_a_game_is_played_by_people_to_its_end_and_replays_the_same() -> None:
    kit = band(4, phase_seconds=60)
    rock, paper, scissors, townie = (kit.of(team)[0] for team in Team)
    for user, choice in ((scissors, rock), (paper, rock), (rock, scissors), (townie, scissors)):
        kit.act(user, kind="vote", choice=kit.seat(choice))
        kit.act(user, kind="done")
    assert kit.view(rock)["game"]["stage"] == "night"
    assert kit.view(rock)["game"]["you"]["points"] == 2
    kit.act(rock, kind="confront", target=kit.seat(scissors))
    kit.act(scissors, kind="confront", target=kit.seat(townie))
    kit.run_out()
    row = kit.row
    assert row.status == Match.Status.OVER
    assert deaths(kit) == [(kit.seat(scissors), ["confronted", "townie"])]
    results = {seat.user_id: seat.result for seat in row.seats.all()}
    assert results == {rock.pk: "won", townie.pk: "won", paper.pk: "lost", scissors.pk: "lost"}
    earned = [(fact.data["seat"], fact.data["y_points"]) for fact in facts_of(row, "award_earned")]
    assert earned == [(seat, 0) for seat in sorted(map(kit.seat, (rock, townie)))]
    assert replay_match(row).is_same
    assert find_violations() == []
    assert {balance_of(user.pk) for user in kit.people} == {100}


def test_dynamite_who_leaves_dies_when_the_phase_ends_and_nobody_is_told_before() -> None:
    kit = band(8, phase_seconds=600)
    kit.vote_round()
    gone, others = kit.people[0], [None, *kit.people[1:]]
    before = [canonical(kit.view(user)) for user in others]
    kit.act(gone, kind="leave")
    assert [canonical(kit.view(user)) for user in others] == before
    with pytest.raises(IllegalAction) as refused:
        kit.act(gone, kind="undone")
    assert refused.value.code == "action/not_alive"
    kit.run_out()
    assert deaths(kit) == [(0, ["left"])]
