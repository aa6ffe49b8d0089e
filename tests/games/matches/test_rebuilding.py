import itertools
import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import registry
from games.engine.choices import chosen_options
from games.engine.facts import Fact, SeatNo, Told, as_datetime
from games.engine.structs import plain
from games.matches import services as matches
from games.matches.journal import loading
from games.matches.journal.entries import read_facts, write_facts
from games.matches.journal.loading import match_cache
from games.matches.journal.replay import replay_match
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, WebProcess
from games.matches.processing import outage, writing
from games.matches.processing.submissions import Submission
from tests.forms import form
from tests.games.contract.kit import OF_THE_SITE, options_of
from tests.games.match_kit import new_user

MOST_TOGETHER = 50
TOGETHER = form(20, in_all=30, in_long=MOST_TOGETHER)
#: Games of each kind.
COUNT = form(TOGETHER, in_long=1_000)


class WhoSat(Fact, frozen=True):
    """A fact of this test."""

    seat: SeatNo


class Crowd:
    def __init__(self, game: str, chance: random.Random) -> None:
        self.chance, self.now, self.numbers = chance, timezone.now(), itertools.count(1)
        self.players: dict[int, list[Any]] = {}
        outage.open_process(self.now)
        chosen = chosen_options(registry.table(game).options)
        for _ in range(TOGETHER):
            options = chance.choice([each for each in options_of(game) if each.keys() <= chosen])
            # Nobody may be at more than three tables: the rule is not what is tried here.
            people = [new_user() for _ in range(options.get("seats", 2))]
            match = matches.open_match(opened_by=people[0], game=game, options=options)
            self.players[match.pk] = people
        self.unfinished = set(self.players)

    def begin(self) -> None:
        sits, seated = [], loading.standing(self.players)
        for match_id, people in self.players.items():
            cached = seated[match_id]
            least, _ = cached.table.rules.purse_limits(cached.state.options)
            for seat, user in enumerate(people):
                action = {"kind": "sit", "seat": seat, "purse": max(least, 0) or 0}
                sits.append(self.ask(match_id, user.pk, action))
        self.apply(sits)
        ready = {"kind": "ready", "configuration": 1}
        self.apply(
            [self.ask(pk, user.pk, ready) for pk, people in self.players.items() for user in people]
        )
        waiting = loading.standing(self.players).items()
        self.pass_clocks([self.late(*each) for each in waiting if each[1].state.stage == "open"])
        assert len(self.running()) == len(self.players)

    def ask(self, match_id: int, user_id: int, action: dict[str, Any]) -> Submission:
        return Submission(match_id, action, f"random-{next(self.numbers):06d}", user_id)

    def apply(self, batch: list[Submission]) -> None:
        """Apply a batch, in which weapons may be wanted that nobody owns; half a second passes."""
        answers = writing.apply_batch(batch, self.now).answers if batch else []
        refused = [answer.error for answer in answers if answer.error is not None]
        unowned = {"ledger/insufficient_stock", "action/not_in_stock"}
        assert {each.code for each in refused} <= unowned, refused[:3]
        self.now += timedelta(seconds=0.5)

    def running(self) -> dict[int, Snapshot]:
        found = loading.standing(self.unfinished)
        running = {pk: cached for pk, cached in found.items() if cached.state.stage == "running"}
        self.unfinished = set(running)
        return running

    def play(self) -> bool:
        """Make one seat of each game act, or its clock; return whether any game continues."""
        acting, passing = [], []
        for match_id, cached in self.running().items():
            play, rules = cached.state.play, cached.table.rules
            due_at = cached.table.deadline(cached.state)
            # Before a late action the clock would act, after which it may be none any more.
            is_late = due_at is not None and as_datetime(due_at) <= self.now
            if is_late or self.chance.random() < 0.04 or not rules.pending_seats(play):
                passing.append(self.late(match_id, cached))
                continue
            seat = self.chance.choice(rules.pending_seats(play))
            legal = [plain(action) for action in rules.legal_actions(play, seat)]
            # Who leaves ends a game that is to be played.
            kinds = [a for a in legal if a["kind"] not in ("leave", "resign", "suspend")] or legal
            acting.append(self.ask(match_id, cached.seating.users[seat], self.chance.choice(kinds)))
        self.apply(acting)
        self.pass_clocks(passing)
        return bool(acting or passing)

    def late(self, match_id: int, cached: Snapshot) -> Submission:
        due_at = cached.table.deadline(cached.state)
        assert due_at is not None
        return writing.house(match_id, "deadline", f"deadline-{next(self.numbers)}", due_at=due_at)

    def pass_clocks(self, wanted: list[Submission]) -> None:
        for each in wanted:
            at = as_datetime(each.action["due_at"]) + timedelta(milliseconds=1)
            WebProcess.objects.filter(closed_at=None).update(beat_at=at)
            writing.apply_batch([writing.house(each.match_id, "deadline", each.action_id)], at)
        WebProcess.objects.filter(closed_at=None).update(beat_at=self.now)


def require_same(match_id: int) -> int:
    """Compare every way to a match's state; return how many entries the checkpoint is behind."""
    row = Match.objects.get(pk=match_id)
    replay = replay_match(row)
    assert replay.is_same
    rebuilt = loading.load([match_id])[match_id]
    assert rebuilt.table.encode(rebuilt.state) == (replay.table, replay.state)
    for cached in match_cache.get([match_id]).values():
        assert cached.table.encode(cached.state) == (replay.table, replay.state)
        assert cached.lines == rebuilt.lines
    return row.action_count - row.state_no


@pytest.mark.slow
@pytest.mark.timeout(form(600, in_long=7_200))
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", sorted(OF_THE_SITE))
def test_rebuilding_random_games_from_their_checkpoints_gives_the_same_bytes(game: str) -> None:
    chance = random.Random(f"rebuilding {game}")
    played = behind = 0
    while played < COUNT:
        crowd = Crowd(game, chance)
        crowd.begin()
        while crowd.play():
            # Each game is compared as often, however many are played together.
            if chance.random() >= TOGETHER / MOST_TOGETHER:
                continue
            watched = chance.choice(list(crowd.players))
            behind += require_same(watched) > 0
            if chance.random() < 0.2:
                # As if this process had just been started.
                match_cache.drop([watched])
        for match_id in crowd.players:
            require_same(match_id)
        played += len(crowd.players)
    assert behind > COUNT / 20


def test_rebuilding_facts_are_read_as_they_were_written_and_never_without_an_audience() -> None:
    told = [Told(WhoSat(SeatNo(1))), Told(WhoSat(SeatNo(0)), [SeatNo(1), SeatNo(0)])]
    read = [("who_sat", {"seat": 1}, None), ("who_sat", {"seat": 0}, (0, 1))]
    assert read_facts(write_facts(told)) == read
    with pytest.raises(ValueError, match="Expected `array`"):
        read_facts('[[{"kind":"threw","seat":0}]]')
