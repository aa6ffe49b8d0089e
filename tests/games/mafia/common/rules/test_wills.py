from typing import Any

import pytest

from games.engine.facts import SPECTATOR, Step, Viewer
from games.engine.structs import canonical, replace
from games.mafia.common.rules.actions import WriteWill
from games.mafia.dynamite.rules.actions import Vote
from tests.games.contract.kit import noticed
from tests.games.mafia.agora.rules.kit import Town
from tests.games.mafia.common.rules.kit import RulesKit
from tests.games.mafia.dynamite.rules.kit import Band
from tools.referee.mafia import said_to

KITS: Any = pytest.mark.parametrize("kit", [Town, Band])


def will_of(game: RulesKit[Any], seat: int) -> str:
    return str(game.member(seat).will)


def wills_posted(game: RulesKit[Any]) -> list[tuple[int, str, int, str]]:
    said = [told.data for told in game.told_of("posted") if "is_will" in told.data]
    return [(post["seat"], post["room"], post["no"], post["text"]) for post in said]


@KITS
def test_mafia_a_will_is_told_to_its_owner_alone_and_is_no_activity(kit: Any) -> None:
    game = kit(8, last_wills=True, substitutes=True)
    for text in ("It was Bob.", "It was Ann.", ""):
        before = game.state
        step = game.act(3, WriteWill(f" {text}\n"))
        assert game.member(3) == replace(before.member(3), will=text)
        assert game.state.clock == before.clock
        (told,) = step.events
        assert (told.kind, told.audience, told.data) == ("will_written", {3}, {"seat": 3})
        assert text not in repr([step, game.state, WriteWill(text)]) or not text
        for viewer in (SPECTATOR, *(Viewer(no) for no in range(8) if no != 3)):
            assert said_to(step, viewer) == []
            assert noticed(game.rules, step, viewer) == noticed(game.rules, Step(before), viewer)
            views = (game.rules.view(state, viewer) for state in (game.state, before))
            assert canonical(next(views)) == canonical(next(views))
    assert game.act(3, WriteWill("  ")).events == ()
    game.act(3, WriteWill("By me."))
    game.take(game.rules.take_over(game.state, 3, game.at))
    assert will_of(game, 3) == "", "a substitute writes another"


@KITS
def test_mafia_who_leaves_leaves_a_will_behind(kit: Any) -> None:
    game = kit(8, last_wills=True)
    lines = 1
    if kit is Band:
        game.post(2, "town")
        lines = 2
    game.act(2, WriteWill("Look at the doctor."))
    game.act(4, WriteWill("I live."))
    game.leave(2)
    if kit is Band:
        game.refuses("action/not_alive", 2, WriteWill("Too late."))
        for seat in (no for no in range(8) if no != 2):
            game.act(seat, Vote((seat + 1) % 8))
        game.late()
    assert wills_posted(game) == [(2, "town", lines, "Look at the doctor.")]
    assert game.view()["town_lines"] == lines
    assert game.last("posted").audience is None
    assert (will_of(game, 2), will_of(game, 4)) == ("", "I live.")
    game.refuses("action/not_alive", 2, WriteWill("Again."))


def test_dynamite_wills_of_one_moment_are_posted_in_seat_order() -> None:
    band = Band(8, last_wills=True)
    for seat in (6, 1, 4):
        band.act(seat, WriteWill(f"will of {seat}"))
    for seat in (0, 2, 3, 4, 5, 7):
        band.act(seat, Vote((seat + 1) % 8))
    kinds = [told.kind for told in band.late().events]
    assert wills_posted(band) == [(1, "town", 1, "will of 1"), (6, "town", 2, "will of 6")]
    assert kinds[:4] == ["player_died", "player_died", "posted", "posted"]


@KITS
def test_mafia_a_table_without_wills_takes_none_and_the_end_posts_none(kit: Any) -> None:
    kit(8).refuses("action/no_wills", 3, WriteWill("Please."))
    game = kit(8, last_wills=True)
    game.act(3, WriteWill("Kept."))
    game.take(game.rules.void(game.state))
    assert wills_posted(game) == []
    game.refuses("action/not_in_phase", 3, WriteWill("After."))
