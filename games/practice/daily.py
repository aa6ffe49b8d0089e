"""The daily table: the same deal and bots for everybody, one try a day, kept as actions."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import msgspec
from django.db import transaction
from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from accounts.models import User
from games import registry
from games.contract import Bot, Lesson, TableGame, TimedBots
from games.engine.choices import clean_options
from games.engine.draws import commitment
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, instant
from games.engine.structs import canonical
from games.goals.reaching import DAILY, DAILY_DAYS, reach
from games.matches.models import DailyPlay, DailyTable
from games.matches.processing.submissions import Answer
from games.matches.services import default_options
from games.practice.memory import CHIPS
from games.practice.tables import PERSON, Plan, PracticeTable, practice_of
from games.realtime.protocol import Act

#: The most rows of a day's result.
SHOWN: Final = 20
SQUARES: Final = str.maketrans("WDL", "■◧□")
#: The person's own actions at a table that go on after the game; a day has one game.
_REFUSED: Final = frozenset({"rematch", "ready"})


class OutOfStep(IllegalAction):
    """The play went on elsewhere, is over, or its day is; the page has to be loaded again."""

    code = "stale"


class SeededBot:
    """A game's bot with a generator for each decision, so that nobody's pace changes any."""

    def __init__(self, bot: Bot, seed: str) -> None:
        self._bot, self._seed = bot, seed
        self.cast = bot.cast

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        seat, phase = view["you"]["seat"], view["phase"]
        return self._bot.choose(view, Random(f"{self._seed}/bot/{seat}/{phase}"))

    def has_decision(self, state: Any, seat: int) -> bool:
        return self._bot.has_decision(state, seat)

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        return self._bot.think_milliseconds(state, seat, chance)


class DailyPractice(PracticeTable):
    """One user's table of a day. ``known`` counts the stored actions; ``turn`` lets one at a time
    be stored.
    """

    def __init__(self, plan: Plan, play: DailyPlay, now: Instant) -> None:
        super().__init__(plan, play.user.username, now)
        self.play, self.known, self.turn = play, 0, asyncio.Lock()
        self.match.public_id = f"daily-{play.pk}"

    def act(
        self, action: Mapping[str, Any], action_id: str, phase: int | None, now: Instant
    ) -> Answer:
        """Settle the table, then apply the person's action."""
        if action.get("kind") in _REFUSED:
            return Answer(OutOfStep("the daily table is played once"))
        self.settle(now)
        return super().act(action, action_id, phase, now)

    def view(self, seat: int | None = PERSON) -> dict[str, Any]:
        view = super().view(seat)
        # Others still play this deal today.
        view["match"]["seed"] = None
        view["you"]["may"] = [kind for kind in view["you"]["may"] if kind not in _REFUSED]
        return view

    @property
    def marks(self) -> str:
        """The person's mark in each round: W, D or L."""
        mark = practice_of(self.plan.game).mark
        assert mark is not None
        return "".join(filter(None, (mark(told.fact, PERSON) for told in self.told)))


@dataclass(frozen=True, slots=True)
class Result:
    """One row of a day's table; ``net`` is in chips."""

    place: int
    name: str
    net: int
    squares: str


def daily_game() -> TableGame | None:
    """Return the first game that can mark its rounds."""
    return next((game for game in registry.tables() if game.practice and game.practice.mark), None)


def today() -> date:
    """Return the day of the current table (UTC)."""
    return timezone.now().date()


def table_of(day: date, game: TableGame) -> DailyTable:
    """Return a day's table; the first who asks draws its seed."""
    found = DailyTable.objects.filter(day=day).first()
    if found is not None:
        return found
    # No page, view or log shows the seed before the day is over.
    seed = secrets.token_hex(32)
    drawn = {
        "game": game.slug,
        "rules_version": game.version,
        "options": canonical(default_options(game.slug, practice_of(game).options)),
        "seed": seed,
        "seed_commitment": commitment(seed, "daily", day.isoformat()),
    }
    return DailyTable.objects.get_or_create(day=day, defaults=drawn)[0]


def play_of(user_id: int, day: date) -> DailyPlay | None:
    """Return a user's play of a day."""
    plays = DailyPlay.objects.select_related("table", "user")
    return plays.filter(user=user_id, table__day=day).first()


def begin(user: User, game: TableGame) -> DailyPlay:
    """Return the user's play of today; begin it once."""
    table = table_of(today(), game)
    return DailyPlay.objects.get_or_create(
        table=table, user=user, defaults={"started_at": timezone.now()}
    )[0]


def rebuilt(play: DailyPlay, now: Instant) -> DailyPractice:
    """Return the table of a play after its stored actions."""
    game = registry.table(play.table.game)
    practice, seed = practice_of(game), play.table.seed
    assert not isinstance(game.bot, TimedBots), "practice has no posts"
    lesson = Lesson(
        seed, SeededBot(game.bot, seed), practice.options, practice.stock, practice.bots
    )
    options = clean_options(game.options, msgspec.json.decode(play.table.options))
    plan = Plan(game, options, lesson, f"Daily table, {play.table.day:%-d %B}")
    table = DailyPractice(plan, play, now)
    table.start(now)
    for line in play.actions.splitlines():
        asked = msgspec.json.decode(line)
        table.act(asked["action"], asked["id"], asked["phase"], now)
    table.known = play.action_count
    return table


def table_of_today(user_id: int, now: Instant) -> DailyPractice | None:
    """Return the table of a user who has begun today's play."""
    play = play_of(user_id, today())
    return None if play is None else rebuilt(play, now)


def record(play: DailyPlay, act: Act, known: int) -> Answer:
    """Judge an action against the stored play, of which its sender's process has seen ``known``
    actions, and store an accepted one. Raises OutOfStep.
    """
    plays = DailyPlay.objects.select_related("table", "user")
    fresh = plays.filter(pk=play.pk).first()
    if fresh is None or fresh.table.day != today():
        raise OutOfStep("this day's table is closed")
    if fresh.action_count != known:
        # Two windows must not try two choices.
        raise OutOfStep("the play went on elsewhere")
    now = instant(timezone.now())
    table = rebuilt(fresh, now)
    answer = table.act(act.action, act.id, act.phase, now)
    if answer.error is not None or answer.repeated:
        return answer
    line = canonical({"action": dict(act.action), "id": act.id, "phase": act.phase})
    table.settle(now)
    changes: dict[str, Any] = {
        "actions": f"{fresh.actions}{line}\n",
        "action_count": known + 1,
    }
    if table.state.is_finished:
        ended = {"ended_at": timezone.now(), "net": table.chips - CHIPS, "marks": table.marks}
        changes |= ended
    with transaction.atomic():
        mine = DailyPlay.objects.filter(pk=fresh.pk, action_count=known, ended_at=None)
        if not mine.update(**changes):
            raise OutOfStep("the play went on elsewhere")
        if "net" in changes:
            _keep_streak(fresh.user_id, play.table.day)
    return answer


def _keep_streak(user_id: int, day: date) -> None:
    user = User.objects.select_for_update().get(pk=user_id)
    streak = user.streak(day) + (user.daily_on != day)
    User.objects.filter(pk=user_id).update(daily_on=day, daily_streak=streak)
    if streak == DAILY_DAYS:
        reach([(user_id, DAILY)], timezone.now())


def squares(marks: str) -> str:
    """Return the marks of rounds as squares.
    >>> squares("WLD")
    '■□◧'
    """
    return marks.translate(SQUARES)


def _listed() -> QuerySet[DailyPlay]:
    """Return the finished plays of people: a program plays, but not for a place."""
    return DailyPlay.objects.filter(net__isnull=False, user__is_active=True, user__is_program=False)


def results(day: date) -> list[Result]:
    """Return the best finished plays of people on a day, the earlier first among equals."""
    plays = _listed().filter(table__day=day).order_by("-net", "ended_at")
    rows = plays.values_list("user__username", "net", "marks")
    return [
        Result(place, name, net or 0, squares(marks))
        for place, (name, net, marks) in enumerate(rows[:SHOWN], start=1)
    ]


def place_of(play: DailyPlay) -> tuple[int, int] | None:
    """Return a finished play's place, and the number of listed plays; a program has none."""
    order = [F("net").desc(), F("ended_at").asc()]
    plays = _listed().filter(table=play.table_id)
    places = dict(
        plays.annotate(place=Window(RowNumber(), order_by=order)).values_list("user", "place")
    )
    place = places.get(play.user_id)
    return None if place is None else (place, len(places))


def shared(play: DailyPlay, url: str) -> str:
    """Return a finished play as text to pass on; it tells nothing of the deal."""
    place = place_of(play)
    streak = play.user.streak(play.table.day)
    of_day = [f"Place {place[0]} of {place[1]}"] if place else []
    of_day += [f"streak {streak}"] if streak > 1 else []
    lines = [
        f"Rock & Racket daily {play.table.day.isoformat()}",
        f"{play.net:+d} chips {squares(play.marks)}".rstrip(),
        ", ".join(of_day),
        url,
    ]
    return "\n".join(filter(None, lines))


def yesterday() -> date:
    """Return the day before."""
    return today() - timedelta(days=1)
