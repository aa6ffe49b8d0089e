"""Changes that browser tests make to a town behind its pages, in the command process.

Each step is a command's argument; its result is printed as JSON after ``TOWN``.
"""

import json
from datetime import timedelta
from typing import Any
from unittest import mock

from tests.e2e.commands import manage
from tests.platform.site import Site

STEP = "from tests.e2e.town_hand import step; step({arguments!r})"


def ask(site: Site, name: str, **given: Any) -> dict[str, Any]:
    """Run a step on the site's data; return its result."""
    arguments = json.dumps({"name": name, **given})
    said = manage(site, "shell", "-c", STEP.format(arguments=arguments))
    (line,) = [line for line in said.splitlines() if line.startswith("TOWN ")]
    found: dict[str, Any] = json.loads(line.removeprefix("TOWN "))
    return found


def step(arguments: str) -> None:
    """Do one step, in the process that ``ask`` has started."""
    given = json.loads(arguments)
    steps = {"begin": begin, "act": act, "run_out": run_out, "complain": complain}
    print("TOWN", json.dumps(steps[given.pop("name")](**given)))


def begin(idle: str, role: str = "citizen") -> dict[str, Any]:
    """Begin a town that wants substitutes, in which a user has a role.

    From now on its clock is ahead of the site's, which may not go back.
    """
    from django.utils import timezone

    from accounts.models import User
    from games.engine.table import COUNTDOWN
    from games.mafia.agora.rules.roles import Role
    from games.matches.processing import repair, writing
    from tests.games.mafia.agora.kit import want_substitutes
    from tests.games.match_kit import new_user

    user = User.objects.get(username=idle)
    others = [new_user("town") for _ in range(4)]
    while True:
        # They sat down so long ago that nobody counts down.
        kit = _kit()(user, *others, age=COUNTDOWN / 1000, seats=5, phase_seconds=600)
        want_substitutes(kit.match)
        kit.seat_everybody(purse=0)
        kit.now = timezone.now()
        for each in kit.people:
            kit.act(each, kind="ready", configuration=kit.row_revision)
        assert kit.row.status == "running"
        if kit.play.citizens[0].role == role:
            break
        void = writing.house(kit.match.pk, "void", "another-deal", reason="another deal")
        repair.apply([void], kit.now)
    (mafioso,) = (c.no for c in kit.play.citizens if c.role == Role.MAFIOSO)
    return {
        "public_id": kit.match.public_id,
        "title": kit.match.title,
        "mafioso": kit.people[mafioso].username,
        "others": [user.username for user in others],
    }


def act(public_id: str, without: list[str], choice: str | None = None) -> dict[str, Any]:
    """All others check in for the night, or vote: for one player, or each for another."""
    from games.matches.processing import writing

    kit = _found(public_id)
    stage, acting = kit.play.stage.value, [u for u in kit.people if u.username not in without]
    seats = {user.username: no for no, user in enumerate(kit.people)}
    for user in acting:
        wanted: dict[str, Any] = {"kind": "done"}
        if stage == "day":
            voted = (seats[user.username] + 1) % len(seats) if choice is None else seats[choice]
            wanted = {"kind": "vote", "choice": voted}
        if kit.row.status == "running":
            # Each step is a process, which begins to count its actions again.
            action_id = f"town-{kit.row.phase}-{user.pk}"
            writing.submit(kit.submission(user, action_id, **wanted), kit.now)
    return {"stage": stage}


def run_out(public_id: str) -> dict[str, Any]:
    """End the phase by its clock, without an outage, even if the site is late."""
    from games.matches.processing import outage

    kit = _found(public_id)
    with mock.patch.object(outage, "LOST", timedelta(days=1)):
        kit.run_out()
    return {"phase": kit.row.phase}


def complain(public_id: str, moderator: str, mafioso: str, rude: str) -> dict[str, Any]:
    """The mafioso posts, then by day a rude citizen; both posts and a name are reported.

    Also makes a user a superuser.  Returns the user whose name is reported.
    """
    from accounts.models import User
    from games.matches.services import flags, reports
    from tests.games.match_kit import new_user

    User.objects.filter(username=moderator).update(is_staff=True, is_superuser=True)
    kit = _found(public_id)
    people = {user.username: user for user in kit.people}
    posts = ((mafioso, "mafia", "a secret plan"), (rude, "town", "rude words"))
    for name, room, text in posts:
        kit.act(people[name], kind="post", room=room, text=text)
        assert reports.report_post(kit.row, people[mafioso], (room, 1), "an insult", kit.now)
        if room == "mafia":
            run_out(public_id)
            kit = _found(public_id)
    named = new_user("rude_name")
    assert flags.open_flag(flags.reported(people[rude].pk, named.pk, "an insult too", kit.now))
    return {"named": named.username}


def _kit() -> Any:
    from tests.games.mafia.agora.kit import TownKit

    class Beside(TownKit):
        """A town beside the running site, which writes its own heartbeats."""

        def beat(self) -> None:
            """Leave the site's own heartbeat alone."""

    return Beside


def _found(public_id: str) -> Any:
    from games.engine.facts import Instant, as_datetime
    from games.matches.models import Match

    kit = _kit().__new__(_kit())
    kit.match = Match.objects.get(public_id=public_id)
    kit.now = as_datetime(Instant(kit.match.at_ms))
    kit.people = [seat.user for seat in kit.match.seats.order_by("no").select_related("user")]
    return kit
