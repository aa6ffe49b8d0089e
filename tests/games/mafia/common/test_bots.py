"""The bots of both Mafia games, played by the rules alone: tempo, wits, balance, secrecy."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.engine.facts import Instant, SeatNo, SeatSetup, Viewer
from games.engine.structs import replace
from games.mafia.agora import testing as agora_testing
from games.mafia.agora.bot import AgoraBot
from games.mafia.agora.bot.lines import FOUND
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.options import Options as AgoraOptions
from games.mafia.agora.rules.roles import Role
from games.mafia.common.bot import lines as common_lines
from games.mafia.common.bot.cast import CAST, NAMES
from games.mafia.common.bot.hearing import claims_in, named_in
from games.mafia.common.bot.tempo import ANSWERS_AFTER, DECIDES, PARTS
from games.mafia.common.rules.actions import Done
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite import testing as dynamite_testing
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.bot import lines as dynamite_lines
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.teams import Team
from games.matches.processing.bots import BOT_NAMES
from games.testing.trials import steps
from tests.forms import form
from tests.games.mafia.common.bots import table_view
from tools.towns import PEOPLE, Trial, agora, dynamite, mixed, silent, town_wins

GAMES = form(30, in_all=40, in_long=300)
#: Four standard deviations of a share, for this number of games.
SLACK = 4 * (0.25 / GAMES) ** 0.5


def of_bots(size: int, number: int, play: Any = agora, **more: Any) -> Trial:
    """Return a finished game among bots of the site's strengths."""
    played: Trial = play(f"test {number}", mixed(size, Random(number)), **more)
    return played


@pytest.mark.parametrize("size", [5, 6, 8, 11, 17])
def test_agora_among_bots_either_side_wins_its_share_and_nobody_repeats_a_sentence(
    size: int,
) -> None:
    """Of 1,000 games the town is to win 40 to 60 %, see bench/results/2026-11-25-towns.md."""
    played = [of_bots(size, number) for number in range(GAMES)]
    assert 0.4 - SLACK <= town_wins(played) <= 0.6 + SLACK
    assert sum(game.repeats for game in played) == 0
    assert sum(game.refused for game in played) == 0
    assert any(game.posts for game in played)


@pytest.mark.parametrize("kind", sorted(PEOPLE))
def test_agora_a_person_alone_among_bots_lives_to_see_the_second_day(kind: str) -> None:
    played = [of_bots(7, number, person=PEOPLE[kind]) for number in range(GAMES)]
    assert not [game for game in played if game.died_in == 1], "killed in the first night"
    assert sum(game.died_in == 2 for game in played) / GAMES <= 0.3
    assert all(game.first_day >= DECIDES or game.all_voted for game in played)


@pytest.mark.plain
def test_agora_bots_spread_their_votes_and_spare_a_mate_on_the_first_day() -> None:
    for number in range(20):
        game = Watched(7, number, silent)
        spread = [share for phase, share, *_ in game.votes if phase == 2]
        assert max(Counter(spread).values()) == 1, "one vote at a moment"
        assert spread[0] >= PARTS[0][0]
        mafia = {citizen.no for citizen in game.state.mafia}
        first = [(who, choice) for phase, _, who, choice in game.votes if phase == 2]
        assert not [pair for pair in first if mafia.issuperset(pair)]


@pytest.mark.plain
def test_agora_a_mafioso_without_another_kills_every_night() -> None:
    for number in range(20):
        game = of_bots(7, number)
        chosen = [choice for c in game.state.citizens if c.role == Role.MAFIOSO
                  for _, choice in c.nights]  # fmt: skip
        assert chosen
        assert "none" not in chosen


def test_agora_hard_bots_win_more_than_easy_ones() -> None:
    def wins(town: str, mafia: str) -> float:
        played = []
        for number in range(GAMES):
            dealt = of_bots(9, number).state.citizens
            strengths = [mafia if c.role in (Role.MAFIOSO, Role.AGENT) else town for c in dealt]
            played.append(agora(f"test {number}", strengths))
        return town_wins(played)

    assert wins("hard", "easy") > wins("easy", "hard") + 0.1


def test_dynamite_every_mafia_wins_its_share_and_the_first_round_spares_a_person() -> None:
    """Of 1,000 games each mafia is to win 20 to 45 %, and 10 to 60 % of the townies to live;
    at most 10 % may end in a draw, without deaths."""
    played = [of_bots(8, number, dynamite) for number in range(GAMES)]
    wins = Counter(team for game in played for team in game.state.result.teams)
    teams = [team for team in Team if team != Team.DYNAMITE]
    assert all(0.2 - SLACK <= wins[team] / GAMES <= 0.45 + SLACK for team in teams)
    town = [player for game in played for player in game.state.players if not player.is_mafia]
    assert 0.1 <= sum(townie.is_alive for townie in town) / len(town) <= 0.6 + SLACK
    assert sum(game.repeats + game.refused for game in played) == 0
    assert sum(not game.state.result.teams for game in played) <= GAMES // 10, "draws"
    for kind in ("at random", "with the majority"):
        alone = [of_bots(8, n, dynamite, person=PEOPLE[kind]) for n in range(GAMES)]
        # A first day and a first night; who confronts a townie dies by it.
        assert sum(0 < game.died_in <= 2 for game in alone) / GAMES <= 0.3


@pytest.mark.plain
@pytest.mark.parametrize(
    ("rules", "bot", "kit"),
    [(Agora(), AgoraBot(), agora_testing), (Dynamite(), DynamiteBot(), dynamite_testing)],
)
def test_a_bot_decides_by_what_its_seat_sees(rules: Any, bot: Any, kit: Any) -> None:
    for number in range(3):
        for _, _, step in list(steps(rules, kit.play_random(f"bots {number}")))[::9]:
            for no in rules.pending_seats(step.state):
                here = bot.choose(table_view(rules, step.state, no), Random(5))
                for other in kit.other_worlds(step.state, Viewer(no)):
                    assert bot.choose(table_view(rules, other, no), Random(5)) == here


def test_the_moments_of_bots_depend_on_nothing_secret() -> None:
    rules, bot = Agora(), AgoraBot()
    for _, _, step in list(steps(rules, agora_testing.play_random("moments")))[::5]:
        state, bots = step.state, frozenset(c.no for c in step.state.citizens)
        for other in agora_testing.other_worlds(state, Viewer(None)):
            # A hidden early end is no reason to look.
            clock = replace(other.clock, early_at=None)
            other = replace(other, clock=clock)
            at = state.clock.began_at
            assert bot.next_look(other, bots, at) == bot.next_look(state, bots, at)


# Words ----------------------------------------------------------------------------------------


def texts_of(module: Any) -> list[str]:
    """Return all sentences of a module."""
    found = []
    for name, value in vars(module).items():
        if name.isupper() and isinstance(value, tuple):
            found += [text for text in value if isinstance(text, str)]
    return found


def test_common_sentences_of_bots_name_no_role_and_no_team() -> None:
    words = " ".join([*texts_of(common_lines), *texts_of(dynamite_lines)]).lower()
    roles = {"mafia", *map(str, Role), *(str(team) for team in Team)}
    assert not [role for role in roles if role in words.replace("{name}", "")]
    told = [*texts_of(common_lines), *texts_of(dynamite_lines)]
    assert len(set(told)) == len(told)


def test_claims_of_bots_and_people_are_understood() -> None:
    names = {0: "ann", 1: "Crowbar_Kowalski"}
    said = [text.format(name="Crowbar_Kowalski") for text in FOUND]
    for text in (*said, "i'm the sheriff and kowalski is mafia!"):
        claims = claims_in([{"seat": 0, "text": text}], names)
        assert claims.roles == {0: "sheriff"}
        assert claims.verdicts == {(0, 1): True}
    cleared = claims_in([{"seat": 0, "text": "I read that Kowalski is not mafia."}], names)
    assert cleared.verdicts == {(0, 1): False}
    assert named_in("@ann, what of Kowalski?", tuple(names.items())) == (0, 1)
    assert named_in("annoying", tuple(names.items())) == ()


def test_every_bot_of_the_site_has_a_strength() -> None:
    assert set(CAST) == set(BOT_NAMES)
    assert {character.strength for character in CAST.values()} == set(NAMES)


# Answers --------------------------------------------------------------------------------------


class Watched(Trial):
    """A game of Agoran Mafia that keeps the votes: (phase, share, seat, choice)."""

    def __init__(self, size: int, number: int, person: Any) -> None:
        strengths = mixed(size, Random(number))
        super().__init__(Agora(), AgoraBot(), f"test {number}", strengths, person)
        self.votes: list[tuple[int, float, int, Any]] = []
        self.play(AgoraOptions(seats=size, phase_seconds=120))

    def _keep(self, step: Any) -> None:
        clock, phase = self.state.clock, self.state.phase
        share = (self.at - clock.began_at) / clock.limit
        for told in step.events:
            if told.kind == "voted":
                self.votes.append((phase, share, told.data["seat"], told.data["choice"]))
        super()._keep(step)


def answers(state: Any, seat: int, text: str, room: str = "town") -> list[dict[str, Any]]:
    """Return what the bot on a seat does when the person on seat 0 has posted a text."""
    view = table_view(Agora(), state, seat)
    view["seats"][0]["player"]["bot"] = False
    # Before any bot has a turn of its own.
    at = Instant(state.clock.began_at + ANSWERS_AFTER)
    said = {"room": room, "no": 1, "seat": 0, "at": at - ANSWERS_AFTER, "text": text}
    return AgoraBot().choose({**view, "at": at, "posts": [said]}, Random(1))


def first_day(number: int = 0) -> Any:
    """Return a town of seven in which everybody lives on the first day."""
    rules, trial = Agora(), Trial(Agora(), AgoraBot(), f"day {number}", ["normal"] * 7)
    setup = AgoraOptions(seats=7, phase_seconds=600)
    state = rules.setup(setup, [SeatSetup(SeatNo(no)) for no in range(7)], trial.name, trial.at)
    return rules.on_deadline(state.state, state.state.clock.ends_at).state


@pytest.mark.parametrize("text", ["@p3 hello", "I think p3 is mafia", "p3, why?", "who, p3?"])
def test_agora_a_bot_answers_a_person_who_names_it_and_no_other_bot_does(text: str) -> None:
    state = first_day()
    assert state.stage == Stage.DAY
    (answer,) = answers(state, 3, text)
    assert answer["kind"] == "post"
    assert answer["room"] == "town"
    assert answers(state, 4, text) == []


def test_agora_the_bot_partner_answers_in_the_room_of_the_mafia_and_follows() -> None:
    for number in range(50):
        trial = Trial(Agora(), AgoraBot(), f"night {number}", ["hard"] * 7)
        seats = [SeatSetup(SeatNo(no)) for no in range(7)]
        state = Agora().setup(AgoraOptions(seats=7), seats, trial.name, trial.at).state
        mafia = {str(citizen.role): citizen.no for citizen in state.mafia}
        if mafia["agent"] == 0:
            break
    victim = next(no for no in range(1, 7) if no != mafia["mafioso"])
    state = Agora().apply(state, SeatNo(mafia["mafioso"]), Done(), trial.at).state
    acts = answers(state, mafia["mafioso"], f"what about p{victim} tonight", "mafia")
    assert [act["kind"] for act in acts] == ["post", "choose"]
    assert acts[0]["room"] == "mafia"
    assert acts[1]["target"] == victim
