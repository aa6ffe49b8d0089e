"""The contents of a stored database, and how it is played on: ``python -m tests.upgrades.scenes``.

``make`` fills an empty, migrated database: running matches of all five games, an open table, an
open contest, finished and archived matches, posts, a Train in its first station, a match of the
ladder.  ``play_on SEED`` plays all of it to its end by
random legal actions, archives it, and prints what it found as JSON.  ``DATABASE_URL`` names the
database.
"""

import json
import os
import sys
from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")

import django

django.setup()

from django.db.models import Max, Q  # noqa: E402 - settings come first

from accounts.models import User  # noqa: E402
from economy.audit import find_violations  # noqa: E402
from games.archives import archiving  # noqa: E402
from games.arena.models import Player, Round  # noqa: E402
from games.contests import services  # noqa: E402
from games.contests.models import Contest, Party  # noqa: E402
from games.engine.facts import as_datetime  # noqa: E402
from games.events.models import Event  # noqa: E402
from games.ladder.models import Entrant, PlayedMatch  # noqa: E402
from games.matches.journal.loading import standing_of  # noqa: E402
from games.matches.journal.replay import replay_match  # noqa: E402
from games.matches.models import (  # noqa: E402
    Entry,
    Match,
    PostReport,
    Rating,
    RatingChange,
    WebProcess,
)
from games.moderation.reports import hide, report_post  # noqa: E402
from games.proofs.commitments import check_old_matches, sequence  # noqa: E402
from games.standings.rating import rate_again  # noqa: E402
from tests.games.arena.kit import ArenaKit  # noqa: E402
from tests.games.contests.kit import ContestKit  # noqa: E402
from tests.games.duel.kit import DuelKit  # noqa: E402
from tests.games.events.kit import EventKit  # noqa: E402
from tests.games.finished import finished, play  # noqa: E402
from tests.games.ladder import kit as ladder  # noqa: E402
from tests.games.mafia.agora.kit import town  # noqa: E402
from tests.games.mafia.dynamite.kit import band  # noqa: E402
from tests.games.match_kit import MatchKit, new_user  # noqa: E402
from tests.games.table_kit import TableKit  # noqa: E402
from tests.numbers import set_numbers  # noqa: E402

#: Rounds of the arena that are played on.
ROUNDS: Final = 2


def make() -> dict[str, Any]:
    """Fill the database; return how many matches there are by game and status."""
    set_numbers()
    archived = [finished("duel"), finished("showdown"), finished("dynamite")]
    told = finished("agora")
    report_post(told.row, told.people[0], ("town", 2), "rude")
    hide(PostReport.objects.get())
    sequence(told.now)
    for kit in archived:
        archiving.archive(kit.match.pk)

    duel = DuelKit(new_user("una"), new_user("ben"), best_of=5, stake=10)
    duel.start()
    duel.throw("rock", "paper")
    duel.throw("rock", None)
    table = TableKit(*(new_user("una") for _ in range(3)), seats=3)
    table.start()
    table.call_all()
    _act_once(table, 1)
    night = town(6, last_wills=True)
    night.act(night.people[0], kind="write_will", text="It was not me.")
    _act_once(night, 2)
    day = band(6)
    day.act(day.people[0], kind="post", room="town", text="Who was where?")
    _act_once(day, 2)
    waiting = TableKit(new_user("una"), new_user("ben"), seats=2)
    waiting.act(waiting.people[0], kind="sit", seat=0, purse=20)
    contest = ContestKit(5, wanted=5, phase_seconds=600)
    contest.ready(*contest.people[:2])
    arena = ArenaKit(4)
    arena.begin()
    arena.choose("rock", "paper", "", "")
    train = EventKit(4)
    # Its start is no later than what else happens here: an open table waits for minutes only.
    Event.objects.update(starts_at=train.now)
    train.start()
    train.pass_time(6)
    train.win(train.meetings[0].match, 0)
    ladder.stored(*(Entrant.objects.get(user=ladder.new_program()) for _ in range(2)))
    sequence(arena.now)
    # A dump names no machine.
    WebProcess.objects.update(name="web")
    User.objects.filter(is_bot=False).update(password="!")
    assert find_violations() == []
    return _census()


def _act_once(kit: MatchKit, count: int) -> None:
    """Act with some of the seats that are to act, so that others are still awaited."""
    snapshot, phase = kit.snapshot, kit.row.phase
    for seat in snapshot.table.rules.pending_seats(snapshot.state.play)[:count]:
        for action in kit.choose_like_bot(snapshot, seat):
            kit.answer(kit.people[seat], **action)
    assert kit.row.phase == phase, "the phase is not over"


def after(match: Match | None = None) -> datetime:
    """Return an instant after all that is in live matches and this one; others, which are over, may
    have lasted days.
    """
    of = Match.objects.filter(Q(status__in=Match.LIVE) | Q(pk=match and match.pk))
    return as_datetime(of.aggregate(at=Max("at_ms"))["at"]) + timedelta(seconds=1)


class Onward(MatchKit):
    """A stored match, with its people, and a clock that begins where its site stopped."""

    def __init__(self, match: Match, seed: int) -> None:
        self.match, self.chance = match, Random(seed)
        self.now = after(match)
        self.people = [seat.user for seat in match.seats.order_by("no").select_related("user")]
        # A bot's later actions may be refused because of the first one.
        self.act = self.answer  # type: ignore[assignment, method-assign]
        self.beat()


def play_on(seed: int) -> dict[str, Any]:
    """Play on everything that runs or is open; return the census, and what is wrong."""
    before, stored = _census(), Entry.objects.count()
    of_site = Match.objects.filter(contest_game=None, meeting=None).order_by("pk")
    # Open ones first: a town of bots may last for days, after which a table has closed.
    for match in list(of_site.filter(status=Match.Status.OPEN)):
        kit = Onward(match, seed)
        kit.people.append(new_user("late"))
        kit.answer(kit.people[-1], kind="sit", seat=1, purse=20)
        for user in kit.people:
            kit.answer(user, kind="ready", configuration=kit.row_revision)
        kit.pass_time(5.0)
        assert kit.row.status == Match.Status.RUNNING
        play(kit)
    _play_train()
    for match in list(of_site.filter(status=Match.Status.RUNNING)):
        play(Onward(match, seed))
    _play_contest()
    _play_arena()
    sequence()
    wrong_ratings = _rate_again()
    added = Entry.objects.count() - stored
    wrong = wrong_ratings + check_old_matches() + _differing()
    for pk in Match.objects.filter(is_archived=False).values_list("pk", flat=True):
        archiving.archive(pk)
    wrong += _differing()
    return {"before": before, "after": _census(), "entries": added, "wrong": wrong}


def _differing() -> list[str]:
    """Return violations of the ledger, and the matches that do not replay."""
    different = [m.public_id for m in Match.objects.all() if not replay_match(m).is_same]
    return find_violations() + different


def _play_contest() -> None:
    kit = ContestKit.__new__(ContestKit)
    kit.row = Contest.objects.get()
    match = Match.objects.latest("at_ms")
    kit.now = as_datetime(match.at_ms) + timedelta(seconds=1)
    waiting = Party.objects.filter(contest=kit.row, ready_no=0).order_by("pk")
    kit.pass_time(seconds=1)
    kit.ready(*(party.user for party in waiting.select_related("user")))
    kit.play_over()
    assert services.sweep(kit.now) == 1


def _play_train() -> None:
    """Play the Train to its cup; releases before 1.3 have none."""
    for event in Event.objects.all():
        kit = EventKit.__new__(EventKit)
        kit.event = event
        kit.now = after()
        kit.play()
        assert event.entrants.get(place=1)


def _play_arena() -> None:
    kit = ArenaKit.__new__(ArenaKit)
    kit.people = [player.user for player in Player.objects.order_by("pk").select_related("user")]
    kit.here = {user.pk for user in kit.people}
    kit.now = kit.round.ends_at
    for _ in range(ROUNDS):
        kit.end()
        kit.choose(*("rock", "paper", "scissors", "rock"))
    assert Round.objects.count() > ROUNDS


def _rate_again() -> list[str]:
    """Rate Showdown again; say whether all have as many rated games as they fought."""
    changes = list(RatingChange.objects.order_by("pk").values())
    for _ in rate_again("showdown"):
        pass
    fought: Counter[int] = Counter()
    for match in Match.objects.filter(game="showdown", status="over", is_rated=True):
        snapshot = standing_of(match)
        places = snapshot.table.rules.places(snapshot.state.play)
        fought.update(snapshot.seats[no].user_id for no in places.of)
    rows = Rating.objects.filter(game="showdown", games__gt=0)
    rated = dict(rows.values_list("user", "games"))
    assert fought
    is_kept = changes == list(RatingChange.objects.order_by("pk").values())
    return [] if rated == fought and is_kept else [f"rated {rated}, fought {dict(fought)}"]


def _census() -> dict[str, int]:
    matches = Match.objects.order_by("pk").values_list("game", "status")
    found = Counter(f"{game} {status}" for game, status in matches)
    return {
        **found,
        "archived": Match.objects.filter(is_archived=True).count(),
        "trains": Event.objects.count(),
        "ladder": PlayedMatch.objects.count(),
    }


if __name__ == "__main__":
    result = make() if sys.argv[1] == "make" else play_on(int(sys.argv[2]))
    print(json.dumps(result))
