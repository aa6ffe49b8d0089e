import pytest

from games.mafia.dynamite.rules.teams import Team
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from tests.games.mafia.dynamite.kit import band
from tests.hostile.kit import browser, refusal

pytestmark = pytest.mark.django_db


def test_hostile_35_nobody_votes_for_oneself_or_when_dead_and_one_vote_counts() -> None:
    kit = band(8, phase_seconds=600)
    voter, first, lazy = kit.people[:3]
    assert refusal(kit, voter, kind="vote", choice=0)[0] == "action/bad_target"
    assert refusal(kit, voter, kind="vote", choice="none")[0] == "bad_field"
    votes = [{"kind": "vote", "choice": 1 + no % 2} for no in range(6)]
    batch = [
        Submission(kit.match.pk, vote, f"race-{no}", voter.pk, phase=kit.row.phase)
        for no, vote in enumerate(votes)
    ]
    assert not [a.error for a in writing.apply_batch(batch, kit.now).answers if a.error]
    assert dict(kit.view()["game"]["tally"]) == {2: 1}
    kit.vote_round(lazy)
    kit.run_out()
    assert not kit.play.players[2].is_alive
    kit.run_out()
    assert refusal(kit, lazy, kind="vote", choice=1)[0] == "action/not_alive"
    assert refusal(kit, first, kind="vote", choice=2)[0] == "action/bad_target"


def test_hostile_36_a_townie_is_told_the_same_whomever_it_would_confront() -> None:
    kit = band(8, phase_seconds=600)
    kit.vote_round()
    kit.run_out()
    townie = kit.of(Team.DYNAMITE)[0]
    answers = {refusal(kit, townie, kind="confront", target=seat) for seat in range(8)}
    answers.add(refusal(kit, townie, kind="withdraw"))
    assert {(code, detail) for code, _, detail in answers} == {("action/not_mafia", "{}")}
    assert len(answers) == 1
    assert refusal(kit, townie, kind="attack", target=1)[0] == "bad_field"


def test_hostile_37_a_room_of_another_team_is_like_one_that_does_not_exist() -> None:
    kit = band(8, phase_seconds=600)
    rock, paper = kit.of(Team.ROCK)[0], kit.of(Team.PAPER)[0]
    kit.act(rock, kind="post", room="rock", text="a canary")
    path = f"/mafia/{kit.match.public_id}/posts/"
    for user in (paper, kit.of(Team.DYNAMITE)[0]):
        client = browser(user)
        answers = {
            (found.status_code, found.content.replace(room.encode(), b""))
            for room in ("rock", "dead", "dynamite", "nowhere")
            if (found := client.get(f"{path}{room}/"))
        }
        assert ({status for status, _ in answers}, len(answers)) == ({404}, 1)
        rooms = ("rock", "dead", "nowhere")
        told = {refusal(kit, user, kind="post", room=room, text="hello") for room in rooms}
        assert {(code, detail) for code, _, detail in told} == {("action/room_closed", "{}")}
    assert b"a canary" in browser(rock).get(f"{path}rock/").content
