import json
import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.engine.errors import IllegalAction, NotInPhase
from games.engine.facts import Instant, SeatNo, SeatSetup, Viewer
from games.engine.structs import replace
from games.mafia.agora.bot import LATE_ON_DAY_1, AgoraBot, _choice
from games.mafia.agora.bot.beliefs import Beliefs, claim, reason
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState
from games.mafia.agora.rules.state import Options as AgoraOptions
from games.mafia.common.bot import ANSWERS_AFTER, CAST, DECIDES, NAMES, PARTS
from games.mafia.common.bot.hearing import QUESTIONS, claims_in, named_in, question_in
from games.mafia.common.rules.actions import Done
from games.mafia.common.rules.phases import PLAYED_OUT, Stage
from games.mafia.dynamite.bot import DynamiteBot, DynamiteMind
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import Options as DynamiteOptions
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match
from games.matches.processing import bots, repair
from games.matches.processing.bots import BOT_NAMES, ensure_bots
from games.posts import queries as posts
from games.realtime.hub import Parts, Rendering
from tests.forms import form
from tests.games.mafia.agora.kit import TownKit
from tests.games.mafia.agora.rules.kit import Town
from tests.games.mafia.common.bots import table_view
from tests.games.mafia.common.rules.kit import NOON
from tests.games.mafia.dynamite.kit import BandKit
from tests.games.match_kit import new_user
from tools.referee.agora import TRIAL as AGORA_TRIAL
from tools.referee.dynamite import TRIAL as DYNAMITE_TRIAL
from tools.referee.trials import steps
from tools.towns import ASKED, PEOPLE, Trial, agora, dynamite, kills, lies, mixed, silent, town_wins

GAMES = form(30, in_all=40, in_long=300)
#: Four standard deviations of a share, for this number of games.
SLACK = 4 * (0.25 / GAMES) ** 0.5


def of_bots(size: int, number: int, play: Any = agora, **more: Any) -> Trial:
    played: Trial = play(f"test {number}", mixed(size, Random(number)), **more)
    return played


@pytest.mark.parametrize("size", [5, 6, 8, 11, 17])
def test_agora_among_bots_either_side_wins_its_share_without_repetition(size: int) -> None:
    """Of 1,000 games the town is to win 40 to 60 %, see bench/results/2026-11-28-towns.md."""
    played = [of_bots(size, number) for number in range(GAMES)]
    assert 0.4 - SLACK <= town_wins(played) <= 0.6 + SLACK
    assert sum(game.repeats + game.refused for game in played) == 0
    # Claims under pressure only, in the long run 3 to 8 %.
    firsts = sum(game.first_posts for game in played)
    assert firsts > GAMES
    assert sum(game.unasked for game in played) <= (0.15 + SLACK / 3) * firsts
    if size > 5:
        files = [found for game in played if (found := lies(game))]
        assert sum(any(each) for each in files) >= (0.6 - SLACK) * len(files)
        read = [is_lie for each in files for is_lie in each]
        assert 0 < sum(read) <= (0.5 + SLACK) * len(read)
    agreed = [is_one for game in played for is_one in kills(game)[0]]
    assert sum(agreed) >= 0.9 * len(agreed)


@pytest.mark.parametrize("kind", sorted(PEOPLE))
def test_agora_a_person_alone_among_bots_lives_to_see_the_second_day(kind: str) -> None:
    played = [of_bots(7, number, person=PEOPLE[kind]) for number in range(GAMES)]
    assert not [game for game in played if game.died_in == 1], "killed in the first night"
    assert sum(game.died_in == 2 for game in played) / GAMES <= 0.3
    assert all(game.first_day >= DECIDES or game.all_voted for game in played)


@pytest.mark.plain
def test_agora_bots_spread_votes_seldom_vote_for_a_mate_on_day_1_and_kill_every_night() -> None:
    games_with_one = 0
    for number in range(20):
        game = Watched(7, number, silent)
        first = [(share, who, choice) for phase, share, who, choice in game.votes if phase == 2]
        assert max(Counter(share for share, *_ in first).values()) == 1, "one vote at a moment"
        assert first[0][0] >= PARTS[0][0]
        mafia = {citizen.no for citizen in game.state.mafia}
        against = [share for share, who, choice in first if mafia.issuperset((who, choice))]
        games_with_one += bool(against)
        assert all(share > LATE_ON_DAY_1 for share in against)
        dealt = of_bots(7, number).state.citizens
        nights = [c.nights for c in dealt if c.role == Role.MAFIOSO]
        chosen = [choice for each in nights for _, choice in each]
        assert chosen
        assert "none" not in chosen
    assert 1 <= games_with_one <= 6


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


#: The kinds of sentences with which bots of Agoran Mafia claim a role or give a verdict.
CLAIMS = {
    *("found", "found_again", "clean", "clean_again", "countered", "countered_and_accused"),
    *("claims_sheriff", "claims_doctor", "claims_detective", "claims_citizen", "not_mafia"),
    *("claims_when_asked", "claimed_before", "learned_mafia", "learned_town", "saved"),
    *("saved_myself", "saved_nobody", "dead_was_mafia", "dead_was_town"),
    *("washed", "washed_again", "soiled", "soiled_again"),
}
WORDS = {"name": "Nonna_Bianchi", "asker": "ann", "other": "Quiet_Sal", "dead": "Ma_Ricotta"}
WORDS |= {"role": "the doctor", "claimed": "three", "there": "two", "no": "1"}
PLACES = {no: name for no, name in enumerate(WORDS.values()) if no < 4}


def test_bots_know_many_sentences_and_no_two_are_alike() -> None:
    agora_lines = [line for lines in Beliefs.lines.values() for line in lines]
    dynamite_lines = [line for lines in DynamiteMind.lines.values() for line in lines]
    assert len(agora_lines) >= 400
    assert len(dynamite_lines) >= 150
    for told in (agora_lines, dynamite_lines):
        assert [line for line, count in Counter(told).items() if count > 1] == []
        assert all(line.format_map(WORDS) for line in told)
    # Dynamite has words of its own: nobody is hanged there.
    words = " ".join(dynamite_lines).lower().replace("{name}", "").replace("nobody is hanged", "")
    own = ("mafia", "hang", "lynch", "majority", "agree nothing", *Role, *Team)
    assert not [word for word in own if word in words]


@pytest.mark.parametrize("kind", sorted(Beliefs.lines))
def test_agora_a_sentence_is_a_claim_only_where_it_is_meant_as_one(kind: str) -> None:
    for line in Beliefs.lines[kind]:
        claims = claims_in([{"seat": 9, "text": line.format_map(WORDS)}], PLACES)
        assert bool(claims.roles or claims.verdicts) == (kind in CLAIMS), line
        if "{role}" in line and kind in CLAIMS:
            assert claims.roles == {9: "doctor"}, line
        if kind in ("found", "clean"):
            assert claims == ({9: "sheriff"}, {(9, 0): kind == "found"}), line


#: What people ask and say, by the kind as which bots understand it; Quiet_Sal is spoken of.
WORDINGS = {
    "claim": (
        "claim, please.",
        "who are you?",
        "what is your role?",
        "Eddie claim",
        "your role?",
        "whats ur role",
        "@Eddie what are you?",
        "plz clame",
        "Eddie, tell us your role",
        "are you the sherrif?",
    ),
    "mafia": (
        "are you mafia?",
        "r u mafia?",
        "Eddie, are you one of them?",
        "you mafai?",
        "which side are you on?",
        "town or mafia?",
        "Are you guilty, Eddie?",
    ),
    "saved": (
        "whom did you save?",
        "who did u save",
        "doctor, who was your patient?",
        "whom did you protct last night?",
        "Eddie, did you heal anybody?",
    ),
    "read": (
        "who is the sherif?",
        "whom did you read last night?",
        "any results?",
        "what did you find?",
        "who did you check",
        "Eddie, whose file did you read?",
        "whom did you investigte?",
    ),
    "why": (
        "why me?",
        "y me?",
        "Eddie, why?",
        "what makes you think so?",
        "explain your vote",
        "give me a reason",
        "how come?",
        "why did you vote Quiet_Sal?",
    ),
    "suspects": (
        "whom do you suspect?",
        "who is mafia?",
        "whos mafia",
        "any suspects?",
        "Eddie, thoughts?",
        "who do you suspekt",
        "who should we hang?",
        "whom do we kill?",
        "who will you vote for?",
    ),
    "believes": (
        "do you believe me?",
        "Trust me, Eddie?",
        "do you belive me",
        "Eddie, do you buy that?",
    ),
    "vote": (
        "vote Quiet_Sal!",
        "Vote for Quiet_Sal, please",
        "let's hang Quiet_Sal",
        "Eddie, lynch Quiet_Sal",
        "would you vote Quiet_Sal?",
        "can you vote Quiet_Sal",
    ),
    "clear": (
        "do you clear Quiet_Sal?",
        "is Quiet_Sal mafia?",
        "what about Quiet_Sal",
        "do you trust Quiet_Sal?",
        "Eddie, what do you think of Quiet_Sal?",
        "I find Quiet_Sal strange.",
    ),
    "night": (
        "what happened last night?",
        "who died?",
        "who was killed?",
        "any news?",
        "what happend",
        "Eddie, who got killed?",
    ),
    "trusts": ("whom do you trust?", "who do you trust", "who is innocent?", "whom do you trsut?"),
    "accused": (
        "you are lying",
        "I vote for you",
        "You are mafia.",
        "liar!",
        "Eddie, you look fishy",
    ),
    "told": (
        "I am the doctor.",
        "I am the doctor and saved Quiet_Sal.",
        "i'm the sheriff",
        "I saved Quiet_Sal",
        "Quiet_Sal is mafia.",
        "I am the detective: Quiet_Sal was not mafia",
        "I claim citizen",
        "I read Quiet_Sal last night.",
        "The file says Quiet_Sal is not mafia, trust me.",
    ),
    "greets": (
        "hello",
        "hi Eddie",
        "Good day, all",
        "how are you?",
        "thanks",
        "Eddie, are you there?",
    ),
    "other": ("nice weather", "Is it late already?", "I wonder.", "Where is the harbour?"),
}


@pytest.mark.parametrize("kind", sorted(WORDINGS))
def test_questions_and_claims_are_understood_in_many_wordings(kind: str) -> None:
    found = {text: question_in(text, is_about="Sal" in text) for text in WORDINGS[kind]}
    assert found == dict.fromkeys(WORDINGS[kind], kind)
    assert kind in (*QUESTIONS, "told", "other")


def test_no_sentence_of_a_bot_calls_somebody_by_accident() -> None:
    names = tuple(enumerate(sorted(CAST)))
    for told in (Beliefs.lines, DynamiteMind.lines):
        for line in (line for lines in told.values() for line in lines):
            spoken = line.format_map(
                {**WORDS, **dict.fromkeys(("name", "asker", "other", "dead"), "x")}
            )
            assert named_in(spoken, names) == (), line
    calls = ("Bo", "@Bo", "Crowbar", "eddie", "ivan", "Penny")
    assert [called for called in calls if not named_in(called, names)] == []
    assert named_in("the card is wild, is it plain?", names) == ()


def test_claims_are_understood_and_every_bot_of_the_site_has_a_strength() -> None:
    names = {0: "ann", 1: "Crowbar_Kowalski"}
    claims = claims_in([{"seat": 0, "text": "i'm the sheriff and kowalski is mafia!"}], names)
    assert (claims.roles, claims.verdicts) == ({0: "sheriff"}, {(0, 1): True})
    cleared = claims_in([{"seat": 0, "text": "I read that Kowalski is not mafia."}], names)
    assert cleared.verdicts == {(0, 1): False}
    for text in ("am I the sheriff? Kowalski is mafia?", "if Kowalski is mafia, then I hang him"):
        assert claims_in([{"seat": 0, "text": text}], names) == ({}, {})
    assert named_in("Kowalski, what of @ann?", tuple(names.items())) == (1, 0)
    assert (named_in("annoying", tuple(names.items())), set(CAST)) == ((), set(BOT_NAMES))
    assert {character.strength for character in CAST.values()} == set(NAMES)


class Watched(Trial):
    """A game of Agoran Mafia that keeps the votes: (phase, share, seat, choice)."""

    def __init__(self, size: int, number: int, person: Any) -> None:
        strengths = mixed(size, Random(number))
        super().__init__(Agora(), AgoraBot(), f"test {number}", strengths, person)
        self.votes: list[tuple[int, float, int, Any]] = []
        self.told: list[tuple[int, float, Any]] = []
        self.play(AgoraOptions(seats=size, phase_seconds=120))

    def _keep(self, step: Any) -> None:
        clock, phase = self.state.clock, self.state.phase
        share = (self.at - clock.began_at) / clock.limit
        self.told += [(phase, share, told) for told in step.events]
        for told in step.events:
            if told.kind == "voted":
                self.votes.append((phase, share, told.data["seat"], told.data["choice"]))
        super()._keep(step)


def answers(
    state: Any, seat: int, text: str, room: str = "town", before: Any = ()
) -> list[dict[str, Any]]:
    """Return what the bot on a seat does when the person on seat 0 has posted a text, after other
    posts of (seat, text).
    """
    view = table_view(Agora(), state, seat)
    view["seats"][0]["player"]["bot"] = False
    # Before any bot has a turn of its own.
    at = Instant(state.clock.began_at + ANSWERS_AFTER)
    asked = Instant(at - ANSWERS_AFTER)
    told = [
        {"room": room, "no": no, "seat": author, "at": asked, "text": said}
        for no, (author, said) in enumerate([*before, (0, text)], 1)
    ]
    return AgoraBot().choose({**view, "at": at, "posts": told}, Random(1))


def said_by(town: Any, seat: int, text: str, before: Any = ()) -> str:
    return str(answers(town.state, seat, text, before=before)[0]["text"])


def shows(text: str, *kinds: str) -> bool:
    """Whether a text is of one of these kinds of sentences."""
    known = [line for kind in kinds for line in Beliefs.lines[kind]]
    shapes = [re.escape(re.sub(r"\{\w+\}", "ANYTHING", line)) for line in known]
    return any(re.fullmatch(shape.replace("ANYTHING", ".+"), text) for shape in shapes)


def test_agora_bots_answer_with_what_they_know() -> None:
    town = Town()
    doctor, sheriff, bad = map(town.one, (Role.DOCTOR, Role.SHERIFF, Role.MAFIOSO))
    detective, agent = map(town.one, (Role.DETECTIVE, Role.AGENT))
    person = next(iter({0}))
    others = [no for no in range(7) if no not in (person, doctor, sheriff, bad, detective, agent)]
    citizen = others[0]
    town.night(doctor=citizen, sheriff=bad, mafioso=citizen)

    def says(seat: int, text: str, *kinds: str) -> bool:
        return seat == person or shows(said_by(town, seat, f"p{seat}, {text}"), *kinds)

    assert says(sheriff, "whom did you read?", "found")
    assert says(sheriff, "claim, please.", "found")
    assert says(doctor, "whom did you save?", "saved")
    assert doctor == person or f"p{citizen}" in said_by(town, doctor, f"p{doctor}, saved whom?")
    assert says(citizen, "whom did you save?", "not_the_doctor")
    assert says(citizen, "what happened last night?", "i_was_saved")
    assert says(detective, "what happened last night?", "night_quiet")
    assert says(detective, "what is your role?", "claims_when_asked")
    assert says(citizen, "why?", "no_vote_yet")
    assert says(citizen, "are you mafia?", "not_mafia")
    lie = said_by(town, bad, f"p{bad}, are you mafia?") if bad else ""
    assert "mafioso" not in lie
    assert bad == person or claims_in([{"seat": bad, "text": lie}], {}).roles
    # One bot answers a question to all.
    asked = [seat for seat in range(1, 7) if answers(town.state, seat, "any news of last night?")]
    assert len(asked) == 1


def test_agora_a_bot_votes_at_a_request_only_against_whom_it_suspects() -> None:
    town = Town()
    town.night()
    seats = [no for no in town.alive if no]
    votes = dict[bool, int]()
    for seat in seats:
        for other in seats:
            if other == seat:
                continue
            said, *acts = answers(town.state, seat, f"p{seat}, vote p{other}!")
            assert said["kind"] == "post"
            assert [a["choice"] for a in acts] in ([], [other])
            votes[bool(acts)] = votes.get(bool(acts), 0) + 1
            # Only who is asked answers.
            assert answers(town.state, other, f"p{seat}, vote p{other}!") == []
    assert min(votes[True], votes[False]) > 3


def beliefs(state: Any, seat: int, *posts: tuple[int, str]) -> Beliefs:
    view = table_view(Agora(), state, seat)
    told = [
        {"room": "town", "no": no, "seat": author, "at": state.clock.began_at, "text": text}
        for no, (author, text) in enumerate(posts, 1)
    ]
    return Beliefs({**view, "posts": told})


def test_agora_contradictions_and_true_claims_change_what_bots_believe() -> None:
    town = Town()
    town.night()
    citizen = town.one(Role.CITIZEN)
    a, b, c = [no for no in town.alive if no != citizen][:3]
    # Seven citizens: two ordinary ones, and this bot is one of them.
    two = ((a, "I am a citizen."), (b, "I am just a citizen."))
    mind = beliefs(town.state, citizen, *two)
    assert set(mind.too_many) == {a, b}
    quiet = beliefs(town.state, citizen)
    assert mind.suspicion[a] > quiet.suspicion[a]
    assert mind.suspicion[c] == quiet.suspicion[c]
    three = (*two, (c, "I am a citizen."))
    told = reason(beliefs(town.state, citizen, *three), a, Random(1))
    assert told
    assert shows(told, "too_many")
    again = reason(beliefs(town.state, citizen, *three, (b, told)), a, Random(2))
    assert again is None or not shows(again, "too_many"), "the same news twice"
    # The word of the only sheriff counts, and of two it counts less.
    found = (a, f"I am the sheriff and p{b} is mafia.")
    one = beliefs(town.state, citizen, found).suspicion[b]
    rivals = beliefs(town.state, citizen, found, (c, "I am the sheriff.")).suspicion[b]
    assert one > rivals > quiet.suspicion[b]


def test_agora_the_only_detective_is_believed_about_the_dead() -> None:
    town = Town()
    town.night()
    citizen = town.one(Role.CITIZEN)
    others = [no for no in town.alive if no != citizen]
    dead, teller, *rest = others
    for seat in (teller, *rest)[:4]:
        town.vote(dead, seat)
    town.night()
    told = (teller, f"I am the detective: p{dead} was not mafia.")
    voter = next(no for no in rest if town.state.last_day.votes and no in town.alive)
    before = beliefs(town.state, citizen).suspicion[voter]
    view = beliefs(town.state, citizen, told)
    assert view.dead_sides == {dead: False}
    assert view.suspicion[voter] > before
    said = reason(view, voter, Random(3))
    assert said


def test_agora_the_detective_tells_a_role_once_and_silence_is_checked() -> None:
    town = Town()
    town.night()
    detective = town.one(Role.DETECTIVE)
    others = [no for no in town.alive if no != detective]
    for seat in others[1:5]:
        town.vote(others[0], seat)
    town.night()
    first = claim(beliefs(town.state, detective), Random(1), is_asked=True)
    assert first
    assert shows(first, "learned_mafia", "learned_town")
    assert (
        claim(beliefs(town.state, detective, (detective, first)), Random(1), is_asked=True) is None
    )
    voter, other = [no for no in town.alive if no != detective][:2]
    town.vote(other, voter)
    silent_kinds = [kinds for kinds, _ in beliefs(town.state, detective).reasons(voter)]
    assert "of_today wordless" in silent_kinds
    spoken = beliefs(town.state, detective, (voter, "p5 looks odd."))
    assert "of_today" in [kinds for kinds, _ in spoken.reasons(voter)]


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
    # Nobody answers for the one who is called, and nobody calls a name twice in a sentence.
    for text in (
        "p3, why did you vote for p4?",
        "p3, what of p4?",
        "p4 is odd. p3 why do you vote for p4?",
        "p3, you voted for p4. why?",
    ):
        assert len(answers(state, 3, text)) == 1
        assert answers(state, 4, text) == []
    mind = beliefs(state, 3)
    for kind in ("saved", "trusts", "opinions"):
        for number in range(30):
            said = mind.line(kind, Random(number), asker="p4", name="p4", other="p5")
            assert said is None or said.count("p4") < 2


def test_agora_a_person_is_as_strong_as_a_bot_that_all_draw_alike() -> None:
    places = Counter[int]()
    for number in range(60):
        state = first_night(f"strength {number}")
        view = table_view(Agora(), state, 1)
        names = ("ann", *[name for name, who in CAST.items() if who.strength == "easy"][:6])
        for seat, name in zip(view["seats"], names, strict=True):
            seat["player"] = {**seat["player"], "name": name, "bot": name != "ann"}
        view["match"]["public_id"] = str(number)
        orders = [Beliefs({**view, "you": {**view["you"], "seat": no}}).to_read for no in (1, 2)]
        places[orders[0].index(0)] += 1
    # Among easy bots a person is no stronger, and last in the order of seats.
    assert places == {6: 60}


def test_agora_the_bot_partner_answers_in_the_room_of_the_mafia_and_follows() -> None:
    nights = (first_night(f"night {number}") for number in range(50))
    state = next(each for each in nights if each.citizens[0].role == Role.AGENT)
    mafioso = next(citizen.no for citizen in state.mafia if citizen.no)
    victim = next(no for no in range(1, 7) if no != mafioso)
    before = AgoraBot().by_night(beliefs_beside_a_person(state, mafioso), Random(1))
    assert [(act["kind"], act.get("room")) for act in before][-1] == ("post", "mafia")
    state = Agora().apply(state, mafioso, Done(), NOON).state
    said, chosen = answers(state, mafioso, f"what about p{victim} tonight", "mafia")
    assert (said["kind"], said["room"]) == ("post", "mafia")
    assert (chosen["kind"], chosen["target"]) == ("choose", victim)
    # A name is given to a question without one, soon enough for a night that is about to end.
    said, chosen = answers(state, mafioso, "whom do we kill?", "mafia")
    assert f"p{chosen['target']}" in said["text"]
    assert AgoraBot().answers_after("mafia") < 2_000 < AgoraBot().answers_after("town")


def test_dynamite_a_bot_says_nothing_false_of_the_dead_or_of_a_vote_that_is_not_there() -> None:
    setups = [SeatSetup(SeatNo(no)) for no in range(5)]
    state = Dynamite().setup(DynamiteOptions(seats=5), setups, "dead", NOON).state
    state = state.with_member(replace(state.member(SeatNo(3)), is_alive=False))
    view = table_view(Dynamite(), state, 1)
    view["seats"][0]["player"]["bot"] = False
    at = Instant(state.clock.began_at + ANSWERS_AFTER)

    def answer(text: str) -> str:
        asked = {"room": "town", "no": 1, "seat": 0, "at": state.clock.began_at, "text": text}
        told = DynamiteBot().choose({**view, "at": at, "posts": [asked]}, Random(1))
        return str(told[0]["text"])

    def is_of(text: str, kind: str) -> bool:
        words = {"asker": "p0", "name": "p3"}
        return text in [line.format_map(words) for line in DynamiteMind.lines[kind]]

    assert is_of(answer("p1, do you clear p3?"), "of_the_dead")
    assert is_of(answer("p1, vote p3!"), "of_the_dead")
    assert is_of(answer("p1, you are lying."), "harmless")


def beliefs_beside_a_person(state: Any, seat: int) -> Beliefs:
    view = table_view(Agora(), state, seat)
    view["seats"][0]["player"]["bot"] = False
    return Beliefs(view)


def test_agora_a_sheriff_takes_some_files_for_forged_where_half_of_them_are() -> None:
    def sheriff(size: int, number: int, read_in: int, **agents_end: Any) -> tuple[Beliefs, int]:
        town = Town(size)
        town.night()
        own, agent = town.one(Role.SHERIFF), town.one(Role.AGENT)
        about = next(no for no in town.alive if no not in (own, agent))
        state = town.state.with_member(
            replace(town.state.member(SeatNo(own)), read_files=((read_in, about, True),))
        )
        state = state.with_member(replace(state.member(SeatNo(agent)), **agents_end))
        if agents_end:
            state = replace(state, options=replace(state.options, reveal_on_death=True))
        mind = beliefs(state, own)
        mind.view["match"]["public_id"] = f"files {number}"
        return mind, about

    died = {"is_alive": False, "died_round": 1}
    for size, read_in, agents_end, least, most in (
        (7, 1, {}, 8, 22),
        (9, 1, {}, 0, 0),
        # All know that the agent is dead, and when it died.
        (7, 1, died, 8, 22),
        (7, 2, died, 0, 0),
    ):
        turned = 0
        for number in range(40):
            mind, about = sheriff(size, number, read_in, **agents_end)
            said = claim(mind, Random(1), is_asked=True)
            assert said
            is_mafia = mind.concluded[about]
            assert shows(said, "found" if is_mafia else "soiled")
            told = claims_in([{"seat": mind.seat, "text": said}], mind.names)
            assert told.verdicts == {(mind.seat, about): is_mafia}
            turned += not is_mafia
        assert least <= turned <= most


@pytest.mark.parametrize("number", range(8))
def test_agora_nobody_is_lynched_early_without_a_word_and_a_bot_changes_its_vote_in_peace(
    number: int,
) -> None:
    game = Watched(9, number, None)
    for phase in {phase for phase, *_ in game.told}:
        posts, voted = list[tuple[int, float]](), set[int]()
        for when, share, told in game.told:
            if when != phase:
                continue
            seat = told.data.get("seat")
            if told.kind == "posted" and told.data["room"] == "town":
                is_last_word = shows(told.data["text"], "deciding_votes")
                ends = any(
                    (other, at) == (phase, share) and each.kind == "citizen_died"
                    for other, at, each in game.told
                )
                assert not is_last_word or ends
                posts.append((seat, share))
            elif told.kind == "voted":
                lately = {who for who, at in posts if 0.96 * share < at < share}
                assert seat not in voted & lately
                voted.add(seat)
            elif told.kind == "citizen_died" and told.data["cause"] == "lynched":
                assert share > DECIDES or seat in {who for who, _ in posts}


def test_agora_an_agent_and_a_sheriff_draw_a_file_alike_and_meet_in_some_nights() -> None:
    turned, read = list[Any](), list[Any]()
    for number in range(60):
        state = first_night(f"agent {number}")
        agent, sheriff = (
            next(each.no for each in state.citizens if each.role == role)
            for role in (Role.AGENT, Role.SHERIFF)
        )
        for seat, drawn in ((agent, turned), (sheriff, read)):
            acts, *_ = AgoraBot().by_night(beliefs(state, seat), Random(number * 40 + seat))
            drawn.append(acts["target"])
        # Nobody reads the own file, or a file twice; a file is turned back by no mistake.
        assert read[-1] != sheriff
        citizens = tuple(
            replace(each, nights=((1, turned[-1]),)) if each.no == agent else each
            for each in state.citizens
        )
        later = replace(state, citizens=citizens)
        acts, *_ = AgoraBot().by_night(beliefs(later, agent), Random(number))
        assert acts["target"] != turned[-1]
    # Of bots of one strength the one who sat down last is the most probable.
    assert Counter(turned).most_common(1)[0][0] == Counter(read).most_common(1)[0][0] == 6
    assert 15 <= sum(a == b for a, b in zip(turned, read, strict=True)) <= 36
    assert len({*turned}) > 3


def test_agora_who_was_killed_by_night_was_no_mafia_and_a_vote_follows_the_own_word() -> None:
    town = Town()
    victim, citizen, sheriff = (
        town.one(Role.DETECTIVE),
        town.one(Role.CITIZEN),
        town.one(Role.SHERIFF),
    )
    about = next(no for no in town.alive if no not in (victim, citizen, sheriff))
    town.night(mafioso=victim)
    mind = beliefs(town.state, citizen, (victim, f"I am the sheriff and p{about} is mafia."))
    assert mind.dead_sides == {victim: False}
    # Two claim to be the sheriff; the murdered one is believed.
    rival = (sheriff, f"I am the sheriff and p{about} is not mafia.")
    told = beliefs(town.state, citizen, (victim, f"I am the sheriff and p{about} is mafia."), rival)
    assert told.suspicion[about] > beliefs(town.state, citizen).suspicion[about]
    for number in range(20):
        for side, is_first in (("mafia", True), ("not mafia", False)):
            said = f"I am the sheriff, p{about} is {side}."
            choice = _choice(beliefs(town.state, sheriff), Random(number), said)
            assert (choice == about) == is_first


@pytest.mark.parametrize("play", [agora, dynamite])
def test_bots_answer_all_that_people_ask_and_repeat_nothing(play: Any) -> None:
    for number in range(GAMES // 3):
        game = of_bots(8, number, play, person=PEOPLE["asking"])
        assert (game.repeats, game.refused) == (0, 0)
    assert len(ASKED) >= 10


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
