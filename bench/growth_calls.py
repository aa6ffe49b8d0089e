"""The work that a site does all the time, and its pages, for the measurement of a large site."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import retention, shared
from accounts.models import User
from bench.growth_rows import MATCHES_FROM, PEOPLE_FROM
from economy.audit import find_recent_violations
from games.archives import archiving
from games.matches.processing import repair
from games.matches.queries import selectors
from games.matches.tasks import sweep
from games.moderation import flags
from games.notices.tasks import notify, remind
from games.own_data import deletion, personal_data
from games.people import activity, profiles
from games.proofs import commitments
from games.standings import award_boards, boards, rewards
from rpsite import backups
from rpsite.backups.journals import list_of
from rpsite.status import status_at

#: Matches archived for a figure of its speed.
ARCHIVED: Final = 500
#: Addresses that everybody opens.
PAGES: Final = (
    *("/", "/play/duel/", "/play/agora/", "/leaderboard/", "/leaderboard/?period=all"),
    *("/leaderboard/?rating=duel", "/leaderboard/awards/", f"/@p{PEOPLE_FROM}/"),
    *(f"/@p{PEOPLE_FROM}/?game=duel&page=20", f"/@p{PEOPLE_FROM}/?game=duel&search=p1010"),
    *(f"/@p{PEOPLE_FROM + 9}/", f"/matches/m{MATCHES_FROM + 5}/log.json", "/status/"),
    *("/mafia/", "/mafia/archive/", "/contests/", "/turns/", "/wallet/", "/people/", "/metrics"),
    f"/seeds/{timezone.now():%Y-%m-%d}/1.json",
)
#: Pages of the admin.
ADMIN: Final = (
    *("games/match/", "games/match/?status__exact=running", "games/match/?q=p1010"),
    *("economy/transfer/", "accounts/user/", "games/flag/", ""),
)


def calls(var: Path) -> Mapping[str, Callable[[], object]]:
    """Return what is measured, by name; a text that a call returns is a note."""
    heavy = User.objects.get(pk=PEOPLE_FROM)
    rights = {"name_key": "chief", "is_staff": True, "is_superuser": True}
    chief, _ = User.objects.get_or_create(username="chief", defaults=rights)
    found: dict[str, Callable[[], object]] = {
        "look of each second": repair.due_check,
        "due matches": lambda: len(selectors.due_matches(timezone.now())),
        "sweep": sweep,
        "reminders": remind,
        "notifications": notify,
        "log of commitments": commitments.sequence,
        "look for abuse": flags.look_for_abuse,
        "prizes": rewards.pay_prizes,
        "referrals": rewards.pay_referrals,
        "audit, 10 minutes": lambda: str(
            find_recent_violations(timezone.now() - timedelta(minutes=10))[:2]
        ),
        "replays of old matches": lambda: str(len(commitments.check_old_matches())),
        "retention": retention.delete_old,
        "lobby": selectors.lobby,
        "front page's activity": lambda: (activity.forget(), activity.activity()),
        "board of the week": lambda: boards.leaderboard("week", heavy.pk, timezone.now()),
        "board of all time": lambda: boards.standings(None),
        "board of awards": lambda: award_boards.leaderboard(award_boards.By.X, heavy.pk),
        "profile, 50,000 games": lambda: profiles.profile_of(heavy, None, {}),
        "status": lambda: status_at(timezone.now()),
        "export, first 1,000 games": lambda: len(
            list(islice(personal_data.SECTIONS["games"](heavy), 1_000))
        ),
        "reason against a deletion": lambda: deletion.reason_against(heavy),
        "archive, due matches": lambda: len(archiving.due()[:200]),
    }
    found |= {address: _page(None, address) for address in PAGES}
    found |= {f"/admin/{page}": _page(chief, f"/admin/{page}") for page in ADMIN}
    folder = var / "backups"
    found["backup, whole"] = lambda: f"{backups.make_whole(folder).stat().st_size:,} bytes"
    found["backup, the first"] = lambda: _backup(folder)
    found["archive of 500 matches"] = _archive
    found["backup, the next"] = lambda: _backup(folder)
    return found


def _backup(folder: Path) -> str:
    copy = backups.make(folder)
    sizes = [path.stat().st_size for path in (copy, list_of(copy))]
    parts = sum(part.stat().st_size for part in (folder / "journals").iterdir())
    return f"{sizes[0]:,} bytes, its list {sizes[1]:,}, all parts {parts:,}"


def _page(user: User | None, address: str) -> Callable[[], str]:
    def look() -> str:
        cache.clear()
        shared.forget()
        activity.forget()
        boards.forget()
        client = Client(raise_request_exception=False, SERVER_NAME="localhost")
        if user is not None:
            client.force_login(user)
        answer: Any = client.get(address, follow=True)
        return "" if answer.status_code == 200 else str(answer.status_code)

    return look


def _archive() -> str:
    counts = list(islice(archiving.archive_each(archiving.due()), ARCHIVED))
    return f"{sum(counts):,} entries"
