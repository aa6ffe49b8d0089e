"""A process beside the site, by its own services; ``python -m tests.faults.hand`` reads JSON."""

import io
import itertools
import json
import os
import secrets
import sys
import threading
import time
from datetime import datetime, timedelta
from random import Random
from typing import Any

import django
import time_machine

django.setup()

from allauth.account.models import EmailAddress  # noqa: E402 - settings come first
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import override_settings  # noqa: E402
from django.utils import timezone  # noqa: E402
from django.utils.module_loading import import_string  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.tokens import make_token  # noqa: E402
from economy.models import Setting  # noqa: E402
from economy.selectors import balance_of, stock_of  # noqa: E402
from economy.units import Unit  # noqa: E402
from games import registry  # noqa: E402
from games.archives import archiving  # noqa: E402
from games.arena.models import Fight, Lease, Player, Round  # noqa: E402
from games.arena.models import Presence as InArena  # noqa: E402
from games.engine.facts import instant  # noqa: E402
from games.engine.structs import plain  # noqa: E402
from games.ladder.models import PlayedMatch  # noqa: E402
from games.matches import services as matches  # noqa: E402
from games.matches import tasks  # noqa: E402
from games.matches.journal.entries import unpack  # noqa: E402
from games.matches.journal.loading import standing  # noqa: E402
from games.matches.journal.snapshots import Snapshot  # noqa: E402
from games.matches.journal.story import whole_story  # noqa: E402
from games.matches.models import ArchivedJournal, Entry, Match, Presence, Seat, WebProcess  # noqa: E402
from games.matches.processing import outage, repair  # noqa: E402
from games.matches.queries.selectors import presences, snapshot_of  # noqa: E402
from games.showdown import shopping  # noqa: E402
from rpsite import backups  # noqa: E402
from tests.faults import towns  # noqa: E402
from tests.faults.pages import Pages  # noqa: E402
from tests.faults.towns import EARLIER, act, names_of, ready, seated, sow  # noqa: E402
from tests.games.duel.kit import DuelKit  # noqa: E402
from tests.games.finished import play  # noqa: E402
from tests.games.socket_kit import log_in  # noqa: E402
from tests.games.table_kit import TableKit  # noqa: E402

#: Tasks, too.
offer_seat, start_duels = towns.offer_seat, towns.start_duels


def people(names: list[str], password: str | None = None) -> list[dict[str, Any]]:
    users = [User.objects.create_user(name, f"{name}@example.org", password) for name in names]
    return [{"id": u.pk, "name": u.username, "cookie": log_in(u)} for u in users]


def programs(names: list[str]) -> list[dict[str, Any]]:
    users = [User.objects.create_user(name) for name in names]
    return [{"name": u.username, "token": make_token(user=u, name="a test")[1]} for u in users]


def climbers(names: list[str], **numbers: int) -> list[dict[str, Any]]:
    """Make program accounts, and set numbers of the ladder."""
    for name, value in numbers.items():
        Setting.objects.update_or_create(name=f"ladder.{name}", defaults={"value": value})
    made = programs(names)
    User.objects.filter(username__in=names).update(is_program=True)
    return made


def ladder_matches() -> list[dict[str, Any]]:
    fields = ("first__user__username", "second__house", "reason", "forfeit", "throws", "ratings")
    figures = ("won_first", "won_second", "thought_first_ms")
    return list(PlayedMatch.objects.order_by("pk").values(*fields, *figures))


def claim(address: str, names: list[str]) -> None:
    for name in names:
        user = User.objects.create_user(name, address, "a long password")
        EmailAddress.objects.create(user=user, email=address, primary=True)


def confirm(user: int) -> None:
    row = User.objects.get(pk=user)
    row.set_password("a long password")
    row.save()
    EmailAddress.objects.create(user=row, email=row.email, verified=True, primary=True)


def allow(**numbers: int) -> None:
    """Change the site's numbers; a double underscore stands for the dot of a name."""
    for name, value in numbers.items():
        Setting.objects.filter(name=name.replace("__", ".")).update(value=value)


def leave_alone(public_id: str) -> None:
    seen_at = timezone.now() - 2 * repair.ABSENCE
    Seat.objects.filter(match__public_id=public_id).update(seen_at=seen_at)


def open_table(
    opener: int, seed: str | None = None, at: datetime | None = None, **options: Any
) -> dict[str, Any]:
    opener = User.objects.get(pk=opener)
    match = matches.open_match(opened_by=opener, options=options, game="showdown", at=at)
    sow(match, seed)
    return names_of(match)


def start_game(
    users: list[int], stage: str = "round", ago: float = 0, **options: Any
) -> dict[str, Any]:
    """Play a table as far as ``open``, ``round`` or another stage, ``ago`` seconds in the past."""
    at = timezone.now() - timedelta(seconds=ago) if ago else None
    match = seated("showdown", users, (at or timezone.now()) - EARLIER, **options)
    ready(match, users[:-1] if stage == "open" else users, at)
    while stage == "round" and (turn := _state(match.pk).state.play.turn) is not None:
        act(match, users[turn], at, kind="call")
    return names_of(match)


def start_town(users: list[int], **options: Any) -> int:
    match = seated("agora", users, timezone.now() - EARLIER, **options)
    ready(match, users)
    return match.pk


def act_by_chance(match: int, seed: str) -> None:
    snapshot, chance = _state(match), Random(seed)
    rules, play = registry.rules_of(snapshot.match.game), snapshot.state.play
    for no in rules.pending_seats(play):
        if _state(match).state.play.phase != play.phase:
            return  # A majority has ended the day.
        legal = [action for action in rules.legal_actions(play, no) if action.kind != "leave"]
        do(match, snapshot.sitters[no].user_id, plain(chance.choice(legal)))


def gather_town(users: list[int], bots: int, **options: Any) -> dict[str, Any]:
    """Seat people, then bots; all but the last, whose readiness starts it, are ready since long."""
    at = timezone.now() - 2 * EARLIER
    match = seated("agora", users, at, bots, **options)
    ready(match, users[:-1], at)
    return names_of(match)


def night(match: int) -> dict[str, Any]:
    """Return who is what in a town's first night, who acted when, when it began and ended, in s."""
    rows = list(Entry.objects.filter(match=match, phase__gte=1).order_by("no"))
    done = [(row.seat, json.loads(row.action)["kind"], row.at_ms / 1000) for row in rows]
    return {
        "roles": [citizen.role for citizen in _state(match).state.play.citizens],
        "acts": [(seat, at) for seat, kind, at in done if kind in ("choose", "done", "undone")],
        "began": done[0][2],
        "ended": next((at for _, kind, at in done if kind == "deadline"), None),
    }


def call_off(public_id: str) -> None:
    if Match.objects.get(public_id=public_id).is_live:
        # A public name may begin with a hyphen.
        command(["void_match", "--reason", "a test has seen enough", "--", public_id])


def do(match: int, user: int, action: dict[str, Any]) -> None:
    act(Match(pk=match), user, **action)


def buy(user: int, unit: str, quantity: int) -> None:
    action_id = f"hand-{time.monotonic_ns()}"
    shopping.buy_weapon(user_id=user, unit=Unit(unit), quantity=quantity, action_id=action_id)


def owned(user: int) -> dict[str, int]:
    return {"POINT": balance_of(user), **{str(u): n for u, n in stock_of(user).items()}}


def match(match: int) -> dict[str, Any]:
    row = Match.objects.get(pk=match)
    due = None if row.due_at is None else (row.due_at - timezone.now()).total_seconds()
    return {
        "status": row.status,
        "phase": row.phase,
        "seq": row.seq,
        "due_in": due,
        "stalled": row.stalled_at is not None,
    }


def command(words: list[str], **settings: Any) -> str:
    said = io.StringIO()
    with override_settings(**settings):
        call_command(*words, stdout=said)
    return said.getvalue()


def call(function: str, given: dict[str, Any]) -> Any:
    """Call a function by its dotted name; games that it starts wait for no sequencer."""
    with override_settings(DEAL_AFTER_LOG=False):
        return import_string(function)(**given)


def finish_duels(count: int) -> list[int]:
    found = []
    for _ in range(count):
        names = (f"p{secrets.token_hex(4)}" for _ in range(2))
        kit = DuelKit(*map(User.objects.create_user, names), best_of=3, stake=10)
        kit.start()
        found.append(play(kit).match.pk)
    return found


def archive(matches: list[int], pause: float = 0) -> None:
    for match in matches:
        time.sleep(pause)
        assert archiving.archive(match) > 0


def archived() -> dict[int, str]:
    """Return the digests of the archived journals by match, after a look at what they say."""
    rows = list(ArchivedJournal.objects.order_by("pk"))
    matches = Match.objects.filter(is_archived=True).values_list("pk", flat=True)
    assert {row.pk for row in rows} == set(matches)
    assert all(unpack(row) for row in rows)
    return {row.pk: row.digest for row in rows}


def backup_if_due(kept: int) -> bool:
    """Do what beat asks for; whether a copy of the database was made."""
    with override_settings(BACKUPS_KEPT=kept):
        return backups.make_if_due() is not None


def clock(match: int) -> dict[str, Any]:
    """Return, in ms, when a match's clock passes, and when outages stopped and resumed it."""
    rows = Entry.objects.filter(match=match, actor=None).order_by("no")
    done = [(json.loads(row.action)["kind"], row.at_ms) for row in rows]
    due_at = Match.objects.values_list("due_at", flat=True).get(pk=match)
    return {
        "due_at": due_at and instant(due_at),
        "stalled": [at for kind, at in done if kind == "stall"],
        "resumed": [at for kind, at in done if kind == "resume"],
    }


def has_passed(due_at: int) -> bool:
    return instant(timezone.now()) > due_at


def action_ids(match: int) -> list[str]:
    rows = Entry.objects.filter(match=match).exclude(actor=None).order_by("no")
    return list(rows.values_list("action_id", flat=True))


def house_actions(match: int) -> list[str]:
    rows = Entry.objects.filter(match=match, actor=None).order_by("no")
    return [json.loads(action)["kind"] for action in rows.values_list("action", flat=True)]


def present(match: int) -> dict[str, Any]:
    return presences([match])[match]


def processes(matches: list[int]) -> dict[str, list[list[int]]]:
    rows = list(Presence.objects.filter(match__in=matches, process__closed_at=None))
    return {
        str(match): [json.loads(row.seats) for row in rows if row.match_id == match]
        for match in matches
    }


def web_processes(matches: list[int]) -> int:
    rows = Presence.objects.filter(match__in=matches, process__closed_at=None)
    return rows.values("process").distinct().count()


def facts(match: int) -> list[str]:
    return [fact.kind for fact in whole_story(Match.objects.get(pk=match))]


def fate(match: int) -> list[str]:
    """Return the first turn's events: calls, folds and passed clocks, with their times."""
    told = whole_story(Match.objects.get(pk=match))
    seat = next(fact.data["seat"] for fact in told if fact.kind == "turn_passed")
    kinds = ("called", "raised", "folded")
    return [fact.kind for fact in told if fact.kind in kinds and fact.data["seat"] == seat]


def be_web() -> None:
    """Write the heartbeats of a web process from now on: clocks may act."""

    def work() -> None:
        while True:
            outage.beat()
            time.sleep(0.5)

    outage.open_process()
    threading.Thread(target=work, daemon=True).start()


def texts(matches: list[int]) -> list[list[str]]:
    found = standing(matches)
    return [list(found[pk].table.encode(found[pk].state)) for pk in sorted(matches)]


def sweep() -> None:
    tasks.sweep()


def sweep_together(at: float, threads: int) -> list[str]:
    """Sweep in many threads at one instant; return the errors."""
    problems: list[str] = []

    def work() -> None:
        try:
            for part in repair.SWEEP:
                part()
        except Exception as problem:
            problems.append(repr(problem))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(threads)]
    time.sleep(max(0.0, at - time.time()))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return problems


def heartbeats() -> dict[str, int]:
    rows = WebProcess.objects.all()
    return {"open": rows.filter(closed_at=None).count(), "lost": rows.filter(lost=True).count()}


def play_game(names: list[str], seed: str, at: str, **options: Any) -> int:
    """Play a whole game by the bots' policies, from an instant on, and return its match."""
    users = [User.objects.create_user(name) for name in names]
    with time_machine.travel(datetime.fromisoformat(at), tick=False):
        kit = TableKit(*users, seats=len(users), **options)
    sow(kit.match, seed)
    kit.start()
    kit.play_to_the_end()
    return kit.match.pk


def log_in_again(address: str, seconds: float, names: list[str]) -> list[float]:
    """Log visitors in by the page, one after the other; return how long each answer took."""
    pages, path, taken = Pages(address), "/accounts/login/", []
    until, visitors = time.monotonic() + seconds, itertools.cycle(names)
    while time.monotonic() <= until:
        pages.forget()
        form, token = {"login": next(visitors), "password": "a long password"}, pages.token(path)
        begun = time.monotonic()
        assert pages.post(path, form, token) == 302
        taken.append(time.monotonic() - begun)
    return taken


def write_sessions(seconds: float) -> list[float]:
    taken = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        SessionStore().create()
        taken.append(time.monotonic() - begun)
        time.sleep(0.02)
    return taken


def arena_leader() -> str:
    """Return the name of the process that leads the arena; the second part is its number."""
    return str(Lease.objects.values_list("holder", flat=True).get())


def arena_rounds() -> list[dict[str, Any]]:
    rows = Round.objects.order_by("no").values("no", "state", "began_at", "ends_at")
    at = ("began_at", "ends_at")
    return [{**row, **{name: row[name].timestamp() for name in at}} for row in rows]


def arena_fights() -> list[dict[str, Any]]:
    fields = ("round_no", "user", "move", "how", "result", "score_delta")
    return list(Fight.objects.order_by("pk").values(*fields))


def arena_state() -> list[str]:
    rows: list[Any] = [
        *Lease.objects.values_list(),
        *InArena.objects.values_list("process", "users", "beat_at"),
        *Player.objects.values_list("user", "is_in", "watching", "gone_since", "idle_rounds"),
    ]
    return [str(timezone.now()), *map(str, rows)]


def arena_players() -> dict[str, dict[str, Any]]:
    fields = ("user", "score", "round_wins", "round_losses", "round_ties")
    return {str(row["user"]): row for row in Player.objects.values(*fields)}


def _state(match: int) -> Snapshot:
    return snapshot_of(Match.objects.get(pk=match))


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # All other output goes to the log.
    for line in sys.stdin:
        name, given = json.loads(line)
        result = globals()[name](**given)
        out.write(json.dumps(result) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
