import json
import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from msgspec.structs import replace

from accounts.models import User
from economy.audit import find_recent_violations, find_violations
from economy.models import Account, Setting
from economy.units import Unit
from games.api.operations import allowances
from games.archives import archiving
from games.archives.tasks import archive as archive_task
from games.engine.structs import canonical
from games.matches.journal import reading
from games.matches.journal.entries import BrokenArchive, pack, unpack
from games.matches.journal.loading import load, match_cache
from games.matches.journal.reading import Range, Sought
from games.matches.journal.replay import replay_match
from games.matches.journal.story import Holders, facts_after
from games.matches.models import ArchivedJournal, Entry, Match, PostReport, Seat
from games.matches.models.archives import JOURNAL_GUARDS
from games.matches.models.matches import cause_of
from games.matches.processing import writing
from games.moderation.reports import hide, report_post
from games.own_data.deletion import delete_account
from games.own_data.personal_data import SECTIONS
from games.people import records
from games.posts import queries as posts
from games.proofs.commitments import check_old_matches, sequence
from games.proofs.queries import proofs
from games.replays.recording import recordings
from games.standings.rewards import games_played, turns_of
from tests.games.finished import GAMES, finished
from tests.games.match_kit import MatchKit

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

#: What differs from one answer to the next: tokens of forms, nonces, and the server's time.
_FLEETING = re.compile(
    rb'csrf[^"]*": ?"[^"]*"|csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"|"now": ?\d+'
)
PAGES = (
    "match_watch",
    "match_history",
    "match_analysis",
    "match_export",
    "match_card",
    "match_log",
    "match_proof",
)


def archive(kit: MatchKit) -> None:
    assert archiving.archive(kit.match.pk) > 0
    assert not Entry.objects.filter(match=kit.match).exists()
    forget()


def forget() -> None:
    allowances.clear()
    match_cache.forget()
    recordings.forget()
    proofs.forget()


def everything(kit: MatchKit, admin: User) -> dict[str, bytes]:
    """Return what each reader says of a finished match, by the reader's name."""
    row, users = kit.row, kit.people
    found: dict[str, bytes] = {}
    public_id = row.public_id
    addresses = [reverse(name, args=[public_id]) for name in PAGES]
    addresses += [f"/matches/{public_id}/replay.json?from=0&as={eyes}" for eyes in ("", 0, "all")]
    addresses += [f"/matches/{public_id}/insight.json", f"/@{users[0].username}/"]
    addresses += [f"/admin/games/match/{row.pk}/change/", f"/api/v1/games/{public_id}/"]
    if row.game in ("agora", "dynamite"):
        addresses += [f"/mafia/{public_id}/{part}/" for part in ("story", "votes", "posts/town")]
    for user in (None, users[0], admin):
        client = Client()
        if user is not None:
            client.force_login(user)
        for address in addresses:
            answer = client.get(address, follow=True)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            body = _FLEETING.sub(b"", body)
            found[f"{address} for {user}"] = str(answer.status_code).encode() + body
    calls: dict[str, Callable[[], object]] = {
        "story": lambda: str(facts_after(row.pk, 3, row.action_count, Holders({}))),
        "range": lambda: reading.read_entries([Range(row.pk, 2, row.action_count - 1)])[row.pk],
        "some": lambda: list(reading.all_entries(row.pk, 4)),
        "state": lambda: load([row.pk])[row.pk].table.encode(load([row.pk])[row.pk].state),
        "replay": lambda: str(replay_match(row)),
        "insight": lambda: [records.insight(row, user.pk) for user in users],
        "turns": lambda: [turns_of(seat) for seat in Seat.objects.filter(match=row).order_by("no")],
        "played": lambda: [games_played(user.pk) for user in users],
        "bots' posts": lambda: str(posts.posts_by_room(row)),
        "posts": lambda: posts.posts_between(row, "town", 2, 5, with_hidden=True),
        "count": lambda: posts.count_posts(row, "town"),
        "numbers": lambda: posts.entry_numbers(row, "town"),
        "authors": lambda: [posts.author_of(row, "town", no) for no in (0, 1, 2, 10_000)],
        "games": lambda: [str(list(SECTIONS["games"](user))) for user in users],
        "audit": lambda: find_violations() + find_recent_violations(kit.now - timedelta(days=1)),
        "sample": check_old_matches,
    }
    return found | {name: canonical(call()).encode() for name, call in calls.items()}


@pytest.mark.parametrize("game", GAMES)
def test_every_reader_says_the_same_of_an_archived_match(game: str) -> None:
    kit = finished(game)
    sequence(kit.now)
    admin = User.objects.create_superuser("chief", password="a long password")
    forget()
    before = everything(kit, admin)
    assert before["audit"] == before["sample"] == b"[]"
    assert sum(body.startswith(b"200") for body in before.values()) >= 20
    archive(kit)
    after = everything(kit, admin)
    assert after.keys() == before.keys()
    for name, body in before.items():
        assert after[name] == body, name


@pytest.mark.plain
def test_a_reported_and_hidden_post_stays_so_and_a_deleted_user_loses_the_others() -> None:
    kit = finished("agora")
    admin = User.objects.create_superuser("chief", password="a long password")
    report_post(kit.row, kit.people[0], ("town", 2), "rude")
    archive(kit)
    report_post(kit.row, kit.people[0], ("town", 3), "rude")
    for report in PostReport.objects.order_by("no"):
        hide(report)
    shown = posts.posts_between(kit.row, "town", 1, 4)
    assert [post.is_hidden for post in shown] == [False, True, True, False]
    author = posts.author_of(kit.row, "town", 1)
    delete_account(user_id=author)
    name = User.objects.get(pk=author).username
    assert name.startswith("deleted-")
    mine = [post for post in posts.posts_between(kit.row, "town", 1, 99) if post.name == name]
    assert mine
    assert all(post.is_hidden for post in mine)
    assert admin.pk not in {posts.author_of(kit.row, "town", no) for no in range(1, 9)}
    assert find_violations() == []


@pytest.mark.plain
def test_what_is_asked_for_later_stands_after_the_archived_entries() -> None:
    kit = finished("duel")
    last = kit.row.action_count
    throw = Entry.objects.filter(match=kit.match, actor=kit.people[0]).latest("no")
    archive(kit)
    later = writing.apply_batch(
        [kit.submission(kit.people[0], kind="rematch")], kit.now + timedelta(days=9)
    )
    assert later.answers[0].error is None
    row = kit.row
    assert row.action_count == last + 1
    assert [entry.no for entry in reading.all_entries(row.pk, last + 1)] == [*range(1, last + 2)]
    ranged = reading.read_entries([Range(row.pk, last, last + 1)])[row.pk]
    assert [entry.no for entry in ranged] == [last, last + 1]
    sought = reading.find_entries([row.pk], Sought(actor_id=kit.people[0].pk))
    assert sought[-1].no == last + 1
    assert sorted(entry.no for entry in sought) == [entry.no for entry in sought]
    forget()
    assert replay_match(row).is_same
    assert find_violations() == []
    # A retry of an archived action is a repetition, and its id is not used for another one.
    action = json.loads(throw.asked or throw.action)
    again = kit.submission(kit.people[0], throw.action_id, **action)
    assert writing.apply_batch([again], kit.now).answers[0].repeated
    other = kit.submission(kit.people[0], throw.action_id, kind="rematch")
    assert writing.apply_batch([other], kit.now).answers[0].error.code == "conflict"


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_a_broken_journal_is_left_as_it_is_and_keeps_no_other_waiting(caplog, monkeypatch) -> None:
    monkeypatch.setattr(archiving, "MATCHES", 1)
    Setting.objects.filter(name="archive.days").update(value=1)
    broken, kit = finished("duel"), finished("duel")
    Match.objects.filter(pk=broken.match.pk).update(ended_at=timezone.now() - timedelta(days=3))
    Match.objects.filter(pk=kit.match.pk).update(ended_at=timezone.now() - timedelta(days=2))
    with JOURNAL_GUARDS.suspended(connection):
        Entry.objects.filter(match=broken.match, no=2).delete()
    archive_task()
    assert "is not complete" in caplog.text
    assert list(ArchivedJournal.objects.values_list("match", flat=True)) == [kit.match.pk]
    assert Entry.objects.filter(match=broken.match).count() == broken.row.action_count - 1
    assert not broken.row.is_archived


@pytest.mark.plain
def test_archiving_waits_and_comes_round_to_everything_also_by_the_command() -> None:
    kits = [finished("duel") for _ in range(3)]
    live, ended = GAMES["duel"](), kits[0].row.ended_at
    assert archiving.archive_due(ended + timedelta(days=6)) == 0
    month_ago = timezone.now() - timedelta(days=30)
    Match.objects.filter(pk__in=[kit.match.pk for kit in kits[:2]]).update(ended_at=month_ago)
    said = StringIO()
    call_command("archive", stdout=said)
    count = sum(kit.row.action_count for kit in kits[:2])
    assert said.getvalue() == f"2 journals archived, {count} entries\n"
    assert [archiving.archive_due(ended + timedelta(days=8)) for _ in range(2)] == [1, 0]
    assert ArchivedJournal.objects.count() == 3
    with pytest.raises(archiving.NotArchived, match="not over"):
        archiving.archive(live.match.pk)
    assert archiving.archive(kits[0].match.pk) == 0
    call_command("replay_match", stdout=StringIO())
    assert find_violations() == []


def test_journals_and_archive_are_neither_changed_nor_deleted() -> None:
    kit, other = finished("duel"), finished("duel")
    archive(kit)
    row, entries = ArchivedJournal.objects.get(), Entry.objects.filter(match=other.match)
    if connection.vendor == "sqlite":
        raw = "REPLACE INTO games_archivedjournal SELECT * FROM games_archivedjournal"
    else:
        raw = "TRUNCATE games_entry"
    for change in (
        lambda: entries.update(facts="[]"),
        lambda: entries.filter(no=1).delete(),
        lambda: ArchivedJournal.objects.update(data=b""),
        row.delete,
        lambda: connection.cursor().execute(raw),
    ):
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            change()
    assert ArchivedJournal.objects.get().data == row.data
    assert other.row.action_count == entries.count()


def _flipped(row: ArchivedJournal) -> dict[str, object]:
    data = bytearray(row.data)
    data[len(data) // 2] ^= 1
    return {"data": bytes(data)}


def _cut(row: ArchivedJournal) -> dict[str, object]:
    return {"last_no": row.last_no - 1}


def _shortened(row: ArchivedJournal) -> dict[str, object]:
    """Return another journal with a digest of its own: only the match tells."""
    other = pack(row.match_id, unpack(row)[:-1])
    return {"data": other.data, "digest": other.digest, "last_no": other.last_no}


def _retold(row: ArchivedJournal) -> dict[str, object]:
    """Return the same entries with a changed fact, and the right digest: only a replay tells."""
    entries = unpack(row)
    entries[1] = replace(entries[1], facts=entries[1].facts.replace("[[", "[ ["))
    other = pack(row.match_id, entries)
    return {"data": other.data, "digest": other.digest}


@pytest.mark.breaks_ledger
@pytest.mark.parametrize("change", [_flipped, _cut, _shortened, _retold])
def test_audit_finds_a_changed_archive(change: Callable[..., dict[str, object]]) -> None:
    kit = finished("duel")
    archive(kit)
    changed = change(ArchivedJournal.objects.get())
    with JOURNAL_GUARDS.suspended(connection):
        ArchivedJournal.objects.update(**changed)
    forget()
    assert any(line.startswith("G1") for line in find_violations())
    # The audit of each minute reads some archived rows; the hourly look plays some again.
    is_unreadable = change in (_flipped, _cut)
    recent = find_recent_violations(kit.now + timedelta(days=1))
    assert any(line.startswith("G1") for line in recent) == is_unreadable
    assert check_old_matches() != []
    if is_unreadable:
        with pytest.raises(BrokenArchive):
            list(reading.all_entries(kit.match.pk, kit.row.action_count))
        address = reverse("match_replay", args=[kit.match.public_id])
        assert Client().get(address).status_code == 503
    with pytest.raises(CommandError, match="1 matches differ"):
        call_command("replay_match", stdout=StringIO())


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_audit_l9_finds_what_an_ended_match_still_holds_and_an_entry_in_both_places() -> None:
    kit = finished("duel")
    escrow = Account.objects.filter(owner=cause_of(kit.match.pk), unit=Unit.POINT)
    assert escrow.update(balance=5) == 1
    held = [f"L9: match {kit.match.pk} holds 5 and is not running"]
    for found in (find_violations(), find_recent_violations(kit.now - timedelta(hours=1))):
        assert [line for line in found if line.startswith("L9")] == held
    twice = Entry.objects.filter(match=kit.match).latest("no")
    archive(kit)
    assert not any("gap in its journal" in line for line in find_violations())
    Entry.objects.bulk_create([twice])
    assert any("gap in its journal" in line for line in find_violations())
