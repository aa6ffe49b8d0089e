import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.engine.errors import IllegalAction, NotInPhase
from games.engine.facts import Instant, SeatNo, SeatSetup, Viewer
from games.engine.structs import replace
from games.mafia.agora.bot import AgoraBot
from games.mafia.agora.bot.lines import FOUND
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState
from games.mafia.agora.rules.state import Options as AgoraOptions
from games.mafia.common.bot import ANSWERS_AFTER, CAST, DECIDES, NAMES, PARTS
from games.mafia.common.bot import lines as common_lines
from games.mafia.common.bot.hearing import claims_in, named_in
from games.mafia.common.rules.actions import Done
from games.mafia.common.rules.phases import PLAYED_OUT, Stage
from games.mafia.dynamite import bot as dynamite_bot
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match
from games.matches.processing import bots, repair
from games.matches.processing.bots import BOT_NAMES, ensure_bots
from games.posts import queries as posts
from games.realtime.hub import Parts, Rendering
from tests.forms import form
from tests.games.mafia.agora.kit import TownKit
from tests.games.mafia.common.bots import table_view
from tests.games.mafia.common.rules.kit import NOON
from tests.games.mafia.dynamite.kit import BandKit
from tests.games.match_kit import new_user
from tools.referee.agora import TRIAL as AGORA_TRIAL
from tools.referee.dynamite import TRIAL as DYNAMITE_TRIAL
from tools.referee.trials import steps
from tools.towns import PEOPLE, Trial, agora, dynamite, mixed, silent, town_wins

GAMES = form(30, in_all=40, in_long=300)
#: Four standard deviations of a share, for this number of games.
SLACK = 4 * (0.25 / GAMES) ** 0.5


def of_bots(size: int, number: int, play: Any = agora, **more: Any) -> Trial:
    played: Trial = play(f"test {number}", mixed(size, Random(number)), **more)
    return played


@pytest.mark.parametrize("size", [5, 6, 8, 11, 17])
def test_agora_among_bots_either_side_wins_its_share_without_repetition(size: int) -> None:
    """Of 1,000 games the town is to win 40 to 60 %, see bench/results/2026-11-25-towns.md."""
    played = [of_bots(size, number) for number in range(GAMES)]
    assert 0.4 - SLACK <= town_wins(played) <= 0.6 + SLACK
    assert sum(game.repeats + game.refused for game in played) == 0
    assert any(game.posts for game in played)


@pytest.mark.parametrize("kind", sorted(PEOPLE))
def test_agora_a_person_alone_among_bots_lives_to_see_the_second_day(kind: str) -> None:
    played = [of_bots(7, number, person=PEOPLE[kind]) for number in range(GAMES)]
    assert not [game for game in played if game.died_in == 1], "killed in the first night"
    assert sum(game.died_in == 2 for game in played) / GAMES <= 0.3
    assert all(game.first_day >= DECIDES or game.all_voted for game in played)


@pytest.mark.plain
def test_agora_bots_spread_their_votes_spare_a_mate_on_the_first_day_and_kill_every_night() -> None:
    for number in range(20):
        game = Watched(7, number, silent)
        first = [(share, who, choice) for phase, share, who, choice in game.votes if phase == 2]
        assert max(Counter(share for share, *_ in first).values()) == 1, "one vote at a moment"
        assert first[0][0] >= PARTS[0][0]
        mafia = {citizen.no for citizen in game.state.mafia}
        assert not [vote for vote in first if mafia.issuperset(vote[1:])]
        dealt = of_bots(7, number).state.citizens
        nights = [c.nights for c in dealt if c.role == Role.MAFIOSO]
        chosen = [choice for each in nights for _, choice in each]
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
    [(Agora(), AgoraBot(), AGORA_TRIAL), (Dynamite(), DynamiteBot(), DYNAMITE_TRIAL)],
)
def test_a_bot_decides_by_what_its_seat_sees(rules: Any, bot: Any, kit: Any) -> None:
    for number in range(3):
        for _, _, step in list(steps(rules, kit.play(f"bots {number}")))[::9]:
            for no in rules.pending_seats(step.state):
                here = bot.choose(table_view(rules, step.state, no), Random(5))
                for other in kit.other_worlds(step.state, Viewer(no)):
                    assert bot.choose(table_view(rules, other, no), Random(5)) == here


def test_the_moments_of_bots_depend_on_nothing_secret() -> None:
    rules, bot = Agora(), AgoraBot()
    for _, _, step in list(steps(rules, AGORA_TRIAL.play("moments")))[::5]:
        state, bots = step.state, frozenset(c.no for c in step.state.citizens)
        for other in AGORA_TRIAL.other_worlds(state, Viewer(None)):
            # A hidden early end is no reason to look.
            clock = replace(other.clock, early_at=None)
            other = replace(other, clock=clock)
            at = state.clock.began_at
            assert bot.next_look(other, bots, at) == bot.next_look(state, bots, at)


def test_common_sentences_of_bots_name_no_role_and_no_team() -> None:
    kinds = {
        id(value): value
        for module in (common_lines, dynamite_bot)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, tuple)
    }
    told = [text for kind in kinds.values() for text in kind if isinstance(text, str)]
    words = " ".join(told).lower().replace("{name}", "")
    assert not [role for role in ("mafia", *Role, *Team) if role in words]
    assert len(set(told)) == len(told)


def test_claims_are_understood_and_every_bot_of_the_site_has_a_strength() -> None:
    names = {0: "ann", 1: "Crowbar_Kowalski"}
    said = [text.format(name="Crowbar_Kowalski") for text in FOUND]
    for text in (*said, "i'm the sheriff and kowalski is mafia!"):
        claims = claims_in([{"seat": 0, "text": text}], names)
        assert (claims.roles, claims.verdicts) == ({0: "sheriff"}, {(0, 1): True})
    cleared = claims_in([{"seat": 0, "text": "I read that Kowalski is not mafia."}], names)
    assert cleared.verdicts == {(0, 1): False}
    assert named_in("@ann, what of Kowalski?", tuple(names.items())) == (0, 1)
    assert (named_in("annoying", tuple(names.items())), set(CAST)) == ((), set(BOT_NAMES))
    assert {character.strength for character in CAST.values()} == set(NAMES)


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


def first_night(name: str) -> Any:
    seats = [SeatSetup(SeatNo(no)) for no in range(7)]
    return Agora().setup(AgoraOptions(seats=7), seats, name, NOON).state


def test_agora_a_bot_answers_a_person_who_names_it_and_no_other_bot_does() -> None:
    state = first_night("day 0")
    state = Agora().on_deadline(state, state.clock.ends_at).state
    assert state.stage == Stage.DAY
    for text in ("@p3 hello", "I think p3 is mafia", "p3, why?", "who, p3?"):
        (answer,) = answers(state, 3, text)
        assert (answer["kind"], answer["room"]) == ("post", "town")
        assert answers(state, 4, text) == []


def test_agora_the_bot_partner_answers_in_the_room_of_the_mafia_and_follows() -> None:
    nights = (first_night(f"night {number}") for number in range(50))
    state = next(each for each in nights if each.citizens[0].role == Role.AGENT)
    mafioso = next(citizen.no for citizen in state.mafia if citizen.no)
    victim = next(no for no in range(1, 7) if no != mafioso)
    state = Agora().apply(state, mafioso, Done(), NOON).state
    said, chosen = answers(state, mafioso, f"what about p{victim} tonight", "mafia")
    assert (said["kind"], said["room"]) == ("post", "mafia")
    assert (chosen["kind"], chosen["target"]) == ("choose", victim)


def among_bots(kit_of: Any, settings: Any, seats: int, *people: str) -> Any:
    """Return a game with these people on the first seats and bots on the others."""
    settings.HOUSE_BOTS = 20
    ensure_bots()
    users = [new_user(name) for name in people]
    kit = kit_of(*users, seats=seats, phase_seconds=120)
    for no, user in enumerate(users):
        kit.act(user, kind="sit", seat=no)
    for _ in range(seats - len(users)):
        kit.act(users[0], kind="add_bot")
    for user in users:
        kit.act(user, kind="ready", configuration=1)
    kit.pass_time(6)
    assert kit.row.status == Match.Status.RUNNING
    return kit


def may(kit: Any, user: Any) -> bool:
    """Whether a user may play the rest out; if not, it is refused and nothing changes."""
    is_shown = "play_out" in kit.view(user)["you"]["may"]
    if user is not None and not is_shown:
        before = kit.row.action_count
        with pytest.raises(NotInPhase if user in kit.people else IllegalAction):
            kit.act(user, kind="play_out")
        assert kit.row.action_count == before
    return bool(is_shown)


def pass_while(kit: Any, is_so: Callable[[], bool], seconds: float, times: int) -> None:
    while is_so():
        times -= 1
        assert times, "it is still so"
        kit.pass_time(seconds)


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize("kit_of", [TownKit, BandKit])
def test_the_dead_see_in_seconds_how_it_ends_among_bots(kit_of: Any, settings: Any) -> None:
    kit = among_bots(kit_of, settings, 8, "ann")
    (ann,) = kit.people
    assert not may(kit, ann)
    parts, presence = Parts(), {"watching": 0, "seats": [None] * 8}
    before = json.loads(Rendering(kit.snapshot, presence, parts).view(0))
    kit.act(ann, kind="leave")
    after = json.loads(Rendering(kit.snapshot, presence, parts).view(0))
    # A socket is told at once.
    assert before["phase"] == after["phase"]
    told = ["play_out" in view["you"]["may"] for view in (before, after)]
    assert told == [False, kit_of is TownKit]
    if not may(kit, ann):
        # In Dynamite somebody who leaves dies at the end of the phase, which is all that shows.
        pass_while(kit, lambda: kit.play.members[0].is_alive, 2, 200)
    assert may(kit, ann)
    assert not may(kit, None)
    kit.act(ann, kind="play_out")
    assert not may(kit, ann), "once is enough"
    assert kit.view(None)["game"]["is_played_out"]
    begun = kit.now
    pass_while(kit, lambda: kit.row.status == Match.Status.RUNNING, 0.2, 2_000)
    assert kit.row.status == Match.Status.OVER
    assert (kit.now - begun).total_seconds() <= 40 * PLAYED_OUT / 1_000
    assert replay_match(kit.row).is_same


def dealt(settings: Any, is_wanted: Callable[[AgoraState], bool], *people: str) -> Any:
    for number in range(60):
        kit = among_bots(TownKit, settings, 7, *(f"{name}{number}" for name in people))
        if is_wanted(kit.play):
            return kit
    raise AssertionError("nobody was dealt it")


@pytest.mark.django_db
@pytest.mark.plain
def test_nobody_hurries_a_town_in_which_a_person_lives(settings: Any) -> None:
    # If both leave and were the whole mafia, the game ends.
    kit = dealt(settings, lambda play: any(each.no > 1 for each in play.mafia), "ann", "bob")
    ann, bob = kit.people
    kit.act(ann, kind="leave")
    assert not any(may(kit, user) for user in (ann, bob, new_user("guest")))
    kit.act(bob, kind="leave")
    kit.act(ann, kind="play_out")
    assert kit.play.is_played_out


@pytest.mark.django_db
@pytest.mark.plain
def test_a_bot_of_the_site_answers_a_person_who_names_it_within_seconds(settings: Any) -> None:
    kit = among_bots(TownKit, settings, 7, "ann")
    (ann,) = kit.people
    kit.act(ann, kind="done")
    pass_while(kit, lambda: kit.play.stage != Stage.DAY, 2, 80)
    assert kit.play.citizens[0].is_alive, "spared in the first night"
    bot = next(citizen.no for citizen in kit.play.living if citizen.no)
    name = kit.view()["seats"][bot]["player"]["name"]
    before = len(posts.posts_by_room(kit.match).get("town", ()))
    kit.act(ann, kind="post", room="town", text=f"@{name}, whom do you trust?")
    for _ in range(12):
        kit.pass_time(1)
    said = posts.posts_by_room(kit.match)["town"][before:]
    assert [each.seat for each in said if each.seat == bot], said


@pytest.mark.django_db
@pytest.mark.plain
def test_bots_that_look_and_do_nothing_leave_no_entry(settings: Any) -> None:
    kit = among_bots(TownKit, settings, 7, "ann")
    for _ in range(5):
        kit.pass_time(2)
    row, count = kit.row, Entry.objects.filter(match=kit.match).count()
    assert row.bot_at is not None
    assert kit.play.stage == Stage.NIGHT
    later = row.bot_at
    assert (bots.bot_actions(row, later), repair.wakes([row.pk], later)) == ([], [])
    after = kit.row
    assert after.bot_at is None or after.bot_at > later
    assert after.wake_at > later
    assert Entry.objects.filter(match=kit.match).count() == count
