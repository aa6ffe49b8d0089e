"""Functions that browser tests call behind the site's pages, in its hand."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any, Self
from unittest import mock

from django.db import transaction
from django.utils import timezone

from accounts.models import HabitsChoice, User
from economy.ledger import TREASURY, wallet
from economy.models import Account
from games.arena.models import Choice, Round
from games.arena.rounds import newest_round
from games.duel.habits import fill
from games.duel.rules.state import LETTERS
from games.engine.errors import NotInPhase
from games.engine.facts import Instant, as_datetime
from games.engine.structs import canonical
from games.engine.table import COUNTDOWN
from games.events.models import Event
from games.ladder.archiving import draw_figures
from games.ladder.models import Entrant
from games.ladder.results import house_entrants
from games.mafia.agora.rules.roles import Role
from games.matches.journal.reading import all_entries
from games.matches.models import DuelFigures, Habits, Match, SealedRead
from games.matches.processing import outage, writing
from games.matches.queries import selectors
from games.matches.queries.addresses import replay_url
from games.moderation import flags, reports
from games.reads import scoring
from games.realtime.leases import moment
from tests.boot import PATIENCE
from tests.games.duel.kit import DuelKit
from tests.games.finished import finished
from tests.games.ladder.kit import new_program, stored
from tests.games.mafia.agora.kit import TownKit
from tests.games.mafia.common.kit import want_substitutes
from tests.games.match_kit import new_user


class Town(TownKit):
    """A town beside the running site, which writes its own heartbeats."""

    @classmethod
    def found(cls, public_id: str) -> Self:
        kit = cls.__new__(cls)
        kit.match = Match.objects.get(public_id=public_id)
        kit.now = as_datetime(Instant(kit.match.at_ms))
        kit.people = [seat.user for seat in kit.match.seats.order_by("no").select_related("user")]
        return kit

    def beat(self) -> None:
        """Leave the site's own heartbeat alone."""


def eventually(found: Callable[[], object], wanted: str) -> None:
    until = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < until, wanted
        time.sleep(0.05)


def held() -> dict[str, int]:
    """Return what everybody has by the ledger, the treasury under an empty name."""

    refs = {user.username: wallet(user.pk) for user in User.objects.all()} | {"": TREASURY()}
    rows = Account.objects.values_list("owner", "kind", "unit", "balance")
    balances = {tuple(key): balance for *key, balance in rows}
    return {name: balances.get((r.owner, r.kind, r.unit), 0) for name, r in refs.items()}


def play_over(game: str) -> tuple[str, list[str]]:
    """Play a match of a game to its end; return its replay's address and its players."""
    # The site's clocks see the end only.
    with transaction.atomic():
        kit = finished(game)
    return replay_url(kit.row), [user.username for user in kit.people]


def duel_over(hands: str, names: tuple[str, str] | None = None, **options: Any) -> str:
    """Play a duel with these pairs of letters, then give it up; return its replay's address."""
    with transaction.atomic():
        people = [User.objects.get(username=name) for name in names or ()]
        kit = DuelKit(*(people or map(new_user, ("una", "ben"))), **options)
        kit.start()
        for first, second in hands.split():
            kit.throw(LETTERS.get(first), LETTERS.get(second))
        kit.end("resigned")
    return replay_url(kit.row)


def journal(public_id: str) -> list[tuple[str, int, int]]:
    """Return each entry of a match: the id of its action, the phases before and after it."""
    match = Match.objects.get(public_id=public_id)
    found = [(entry.action_id, entry.phase) for entry in all_entries(match.pk, match.action_count)]
    return [(name, was, phase) for (_, was), (name, phase) in pairwise([("", 0), *found])]


def begin(idle: str, role: str = "citizen", phase_seconds: int = 600) -> dict[str, Any]:
    """Begin a town that wants substitutes, in which a user has a role."""
    # From now on its clock is ahead of the site's, which may not go back.
    user = User.objects.get(username=idle)
    others = [new_user("town") for _ in range(4)]
    while True:
        # They sat down so long ago that nobody counts down.
        kit = Town(user, *others, age=COUNTDOWN / 1000, seats=5, phase_seconds=phase_seconds)
        want_substitutes(kit.match)
        kit.seat_everybody(purse=0)
        kit.now = timezone.now()
        for each in kit.people:
            kit.act(each, kind="ready", configuration=kit.row_revision)
        assert kit.row.status == "running"
        if kit.play.citizens[0].role == role:
            break
        void = writing.house(kit.match.pk, "void", "another-deal", reason="another deal")
        writing.apply([void], kit.now)
    (mafioso,) = (c.no for c in kit.play.citizens if c.role == Role.MAFIOSO)
    return {
        "public_id": kit.match.public_id, "title": kit.match.title,
        "mafioso": kit.people[mafioso].username, "others": [user.username for user in others],
    }  # fmt: skip


def roles(public_id: str) -> dict[str, str]:
    kit = Town.found(public_id)
    citizens = zip(kit.people, kit.play.citizens, strict=True)
    return {user.username: str(citizen.role.value) for user, citizen in citizens}


def act(public_id: str, without: list[str], choice: str | None = None) -> None:
    """All others check in for the night, or vote: for one player, or each for another."""
    kit = Town.found(public_id)
    stage, names = kit.play.stage.value, [user.username for user in kit.people]
    for no, user in enumerate(kit.people):
        voted = (no + 1) % len(names) if choice is None else names.index(choice)
        wanted = {"kind": "vote", "choice": voted} if stage == "day" else {"kind": "done"}
        if user.username not in without and kit.row.status == "running":
            # Each step has a kit of its own, which begins to count its actions again.
            action_id = f"town-{kit.row.phase}-{user.pk}"
            writing.submit(kit.submission(user, action_id, **wanted), kit.now)


def lynch(public_id: str, choice: str) -> None:
    """By day the living vote for one player, bots too, until that one is lynched."""
    kit = Town.found(public_id)
    seat = [user.username for user in kit.people].index(choice)
    for citizen in kit.play.living:
        if kit.row.status == "running" and kit.play.stage == "day":
            user = kit.people[citizen.no]
            action_id = f"lynch-{kit.row.phase}-{user.pk}"
            # The site's bots may have ended the day meanwhile.
            with suppress(NotInPhase):
                writing.submit(kit.submission(user, action_id, kind="vote", choice=seat), kit.now)


def wait_for_bots(public_id: str) -> None:
    """Wait until the living bots are done for the night."""
    kit = Town.found(public_id)
    bots = [no for no, user in enumerate(kit.people) if user.is_bot]

    def are_done() -> bool:
        return all(c.is_done for c in kit.play.living if c.no in bots)

    eventually(are_done, "a bot is not done for the night")


def run_out(public_id: str) -> None:
    """End the phase by its clock, without an outage, even if the site is late."""
    kit = Town.found(public_id)
    with mock.patch.object(outage, "LOST", timedelta(days=1)):
        kit.run_out()


def whether_there(public_id: str, seat: int, is_there: bool) -> bool:
    pk = Match.objects.get(public_id=public_id).pk
    eventually(
        lambda: (seat in selectors.there([pk], timezone.now()).get(pk, ())) == is_there,
        "the site does not get to know it",
    )
    return is_there


def ask(public_id: str, seat: int) -> None:
    """Ask a seat of a quick duel to press again, as the house does when its page is hidden."""
    match = Match.objects.get(public_id=public_id)
    writing.apply([writing.house(match.pk, "ask", f"ask-{seat}", seats=[seat])])


def complain(public_id: str, moderator: str, mafioso: str, rude: str) -> dict[str, Any]:
    """The mafioso posts, then by day a rude citizen; both posts and a name are reported."""
    # Also makes a user a superuser. Returns the user whose name is reported.
    User.objects.filter(username=moderator).update(is_staff=True, is_superuser=True)
    kit = Town.found(public_id)
    people = {user.username: user for user in kit.people}
    posts = ((mafioso, "mafia", "a secret plan"), (rude, "town", "rude words"))
    for name, room, text in posts:
        kit.act(people[name], kind="post", room=room, text=text)
        assert reports.report_post(kit.row, people[mafioso], (room, 1), "an insult", kit.now)
        if room == "mafia":
            run_out(public_id)
            kit = Town.found(public_id)
    named = new_user("rude_name")
    assert flags.open_flag(flags.reported(people[rude].pk, named.pk, "an insult too", kit.now))
    return {"named": named.username}


def end_selection(round_no: int, choices: Mapping[str, str] | None = None) -> None:
    """End the selection of a round of the arena, if it runs; the leader sees it within a second."""
    # The choices, name -> move, are stored first, because pages show a choice at once.
    wanted = set((choices or {}).items())
    stored = Choice.objects.filter(round_no=round_no).values_list("user__username", "move")
    eventually(lambda: wanted <= set(stored.all()), f"not stored: {wanted}")
    rounds = Round.objects.filter(no=round_no, state=Round.State.SELECTING)
    rounds.update(ends_at=moment())


def choices(round_no: int) -> dict[str, str]:
    return dict(Choice.objects.filter(round_no=round_no).values_list("user__username", "move"))


def empty_arena() -> None:
    """End round after round until nobody is in: the leader drops those whose page is closed."""

    def is_empty() -> bool:
        newest = newest_round()
        if newest is None or not newest.is_under_way:
            return True
        end_selection(newest.no)
        return False

    eventually(is_empty, "somebody stays in the arena")


def seal_reads(public_id: str, count: int) -> None:
    """Seal reads of others for the first two days of a town, as from other addresses."""
    match = Match.objects.get(public_id=public_id)
    for no in range(count):
        user = User.objects.create_user(f"reader{no}x{match.pk}")
        for day in (1, 2):
            strengths = canonical({str(seat): (seat * day + no // 2) % 7 // 2 for seat in range(7)})
            SealedRead.objects.create(
                match=match, user=user, day=day, strengths=strengths, hidden=2, at=timezone.now()
            )


def score_reads() -> None:
    scoring.score_ended()


class Beside(DuelKit):
    """A duel beside the running site, which writes its own heartbeats."""

    def beat(self) -> None:
        """Leave the site's own heartbeat alone."""


def throw_in(public_id: str, throws: int) -> None:
    """Make both players of a duel throw rock, which counts for nobody."""
    match = Match.objects.get(public_id=public_id)
    people = [seat.user for seat in match.seats.order_by("no").select_related("user")]
    kit = Beside.of(match, *people, now=as_datetime(Instant(match.at_ms)))
    for _ in range(throws):
        kit.throw("rock", "rock")


def habits_of(name: str, other: str) -> None:
    """Give a player, who shows them, duels of three months with another one, who was not asked."""
    people = [User.objects.get(username=each) for each in (name, other)]
    chance = Random(3)
    for age in (70, 40, 1):
        kit = Beside(*people, best_of=61, no_ties=True)
        kit.start()
        hand = "rock"
        while kit.row.is_live:
            kit.throw(hand, theirs := chance.choice(["rock", "paper", "scissors"]))
            hand = {"rock": "paper", "paper": "scissors", "scissors": "rock"}[theirs]
        ended_at = timezone.now() - timedelta(days=age)
        Match.objects.filter(pk=kit.match.pk).update(ended_at=ended_at)
    for model in (Habits, DuelFigures):
        model.objects.all().delete()
    for _ in fill():
        pass
    HabitsChoice.objects.get(user=people[1]).delete()


def bring_forward(public_id: str) -> None:
    """Bring the start of an event forward to now."""
    Event.objects.filter(public_id=public_id).update(starts_at=timezone.now())


def play_ladder(name: str) -> str:
    """Play a program of this name against the house and three others; return the last match."""
    program = Entrant.objects.create(user=User.objects.get(username=name))
    others = [*house_entrants(), *(Entrant.objects.get(user=new_program()) for _ in range(3))]
    for no, other in enumerate(others):
        match = stored(program, other, throws=205 + no)
    while draw_figures():
        pass
    return match.public_id
