import asyncio
import json
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.test import Client
from django.utils import timezone
from post_office.models import Email

from accounts import tokens
from accounts.models import PushChoice, PushSubscription, Relation, User
from accounts.names import is_reserved
from accounts.people import choose_avatar, relate
from economy.models import Account, Transfer
from economy.selectors import balance_of
from economy.transfers import TREASURY
from economy.units import Unit
from games.api.operations import allowances
from games.arena.models import Player
from games.contests.models import Contest, Party
from games.engine.structs import canonical
from games.matches.journal.replay import replay_match
from games.matches.models import Notebook, Post
from games.own_data import deletion, personal_data
from games.own_data.deletion import BLANK, StillNeeded, delete_account
from games.posts.chat import say
from games.posts.queries import posts_between
from games.proofs.commitments import pledge, sequence
from games.replays.histories import public_log
from tests.accounts.kit import PASSWORD, browser, confirm_password, log_in, make_user
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit

pytestmark = pytest.mark.django_db


def parts_of(stream: Any) -> list[Any]:

    async def read() -> list[Any]:
        return [part async for part in stream]

    return asyncio.run(read())


def exported(user: User) -> str:
    return "".join(parts_of(personal_data.export_of(user)))


def played_town() -> TownKit:
    """Return a finished town in which the first two people posted, took notes and acted."""
    kit = town(5)
    for no, user in enumerate(kit.people[:2]):
        Notebook.objects.create(match=kit.match, user=user, notes=f"note {no} of a town")
    kit.run_out()
    for no, user in enumerate(kit.people[:2]):
        kit.act(user, kind="post", room="town", text=f"post {no} of a town")
    while kit.row.is_live:
        kit.run_out()
    return kit


def table_with_talk(*people: User) -> TableKit:
    kit = TableKit(*people)
    kit.seat_everybody()
    for user in people:
        said = {"text": f"hello of {user.pk}", "action_id": f"say-{user.pk:08d}"}
        say(match_id=kit.match.pk, user_id=user.pk, room="table", **said)
    return kit


@pytest.mark.django_db(transaction=True)
def test_export_holds_all_sections_and_ones_own_words_and_actions() -> None:
    kit = played_town()
    user = kit.people[0]
    choose_avatar(user_id=user.pk, avatar="tnt")
    relate(user_id=user.pk, other_id=kit.people[1].pk, kind=Relation.Kind.FOLLOW)
    PushChoice.objects.create(user=user, quiet_from=22, quiet_until=7)
    found = json.loads(exported(User.objects.get(pk=user.pk)))
    assert (found["profile"][0]["name"], found["profile"][0]["picture"]) == (user.username, "tnt")
    assert found["people"][0]["name"] == kit.people[1].username
    assert [line["amount"] for line in found["points"]][:1] == [100]
    (game,) = found["games"]
    assert game["status"] == "over"
    assert {"kind": "post", "room": "town", "text": "post 0 of a town"} in game["actions"]
    assert found["notes"][0]["notes"] == "note 0 of a town"
    choices = {each["what"]: each["choice"] for each in found["consents"]}
    assert choices["notifications"]
    assert choices["rated games with programs"] is False
    assert found["profile"][0]["is_program"] is False
    assert set(found) >= {"settings", "email", "log_ins", "stock", "ratings", "arena", "contests"}


@pytest.mark.django_db(transaction=True)
def test_export_holds_nothing_of_other_people() -> None:
    kit = played_town()
    user, other, stranger = kit.people[:3]
    for no, each in enumerate((user, other, stranger)):
        address = f"address{no}@example.org"
        EmailAddress.objects.create(user=each, email=address, verified=True, primary=True)
        PushSubscription.objects.create(
            user=each, session_key=f"session{no}", endpoint=f"https://push{no}.example/secret{no}",
            p256dh=f"key{no}", auth=f"auth{no}", created_at=timezone.now(),
        )  # fmt: skip
    relate(user_id=other.pk, other_id=user.pk, kind=Relation.Kind.BLOCK)
    relate(user_id=stranger.pk, other_id=user.pk, kind=Relation.Kind.FOLLOW)
    _, secret = tokens.make_token(user=user, name="mine")
    text = exported(user)
    assert "address0@example.org" in text
    assert "push0.example" in text
    foreign = (other.username, stranger.username, "address1", "address2", "push1")
    words = ("post 1 of a town", "note 1 of a town")
    own_secrets = (user.password, secret, "secret0", "key0", "auth0", "session0")
    assert not [each for each in (*foreign, *words, *own_secrets) if each in text]


@pytest.mark.django_db(transaction=True)
def test_export_holds_no_secret_of_a_running_game() -> None:
    kit = town(5)
    match = kit.row
    for user in kit.people:
        Notebook.objects.create(match=match, user=user, notes="I am the marker of a role")
        kit.act(user, kind="done")
    kit.run_out()
    for user in kit.people:
        kit.act(user, kind="post", room="town", text="words of a running game")
    table = table_with_talk(*kit.people[:2])
    roles = ("mafioso", "sheriff", "doctor", "detective", "agent")
    hidden = (match.seed, table.row.seed, "marker of a role", "words of a running", "hello of")
    for user in kit.people:
        text = exported(user)
        games = {game["id"]: game["actions"] for game in json.loads(text)["games"]}
        assert games[match.public_id] is None
        assert not [secret for secret in (*hidden, *roles) if secret in text]


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_export_is_sent_as_a_file_after_the_password(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    path = "/settings/data/export.json"
    for asked in (path, "/settings/data/"):
        assert client.get(asked)["Location"].startswith("/accounts/reauthenticate/")
    confirm_password(client)
    assert path in client.get("/settings/data/").content.decode()
    answer = client.get(path)
    assert answer["Content-Disposition"] == 'attachment; filename="tessio.json"'
    assert "no-store" in answer["Cache-Control"]
    assert (
        json.loads(b"".join(parts_of(answer.streaming_content)))["profile"][0]["name"] == "tessio"
    )
    assert Client().get(path)["Location"].startswith("/accounts/login/")


def cells_with(*texts: str) -> list[str]:
    return [
        f"{model._meta.label}.{name}"
        for model in apps.get_models()
        if model._meta.label != "admin.LogEntry" and model._meta.managed
        for row in model._default_manager.values()
        for name, value in row.items()
        if isinstance(value, str) and any(text in value for text in texts)
    ]


@pytest.mark.plain
@pytest.mark.both_databases
def test_deletion_blanks_all_that_names_the_user_and_keeps_games_and_ledger() -> None:
    kit = played_town()
    user, other = kit.people[:2]
    name = user.username
    table = table_with_talk(user, other)
    table.act(user, kind="stand")
    table.act(other, kind="stand")
    EmailAddress.objects.create(user=user, email="me@example.org", verified=True, primary=True)
    Email.objects.create(from_email="x@example.org", to=["me@example.org"], subject="s")
    choose_avatar(user_id=user.pk, avatar="tnt")
    relate(user_id=other.pk, other_id=user.pk, kind=Relation.Kind.FOLLOW)
    tokens.make_token(user=user, name="mine")
    log_before = [line for line in public_log(kit.row) if line["kind"] != "posted"]
    assert refused(user) == "A table that you left is still open. Try again when it has closed."
    table.pass_time(3600)
    assert not table.row.is_live
    held, house = balance_of(user.pk), treasury()
    rows = Transfer.objects.count()
    delete_account(user_id=user.pk)
    gone = User.objects.get(pk=user.pk)
    assert re.fullmatch(r"deleted-\d+", gone.username)
    assert (gone.is_active, gone.has_usable_password(), gone.avatar) == (False, False, "")
    assert gone.deleted_at is not None
    assert cells_with(name, "me@example.org") == []
    assert (balance_of(user.pk), treasury()) == (0, house + held)
    assert Transfer.objects.count() == rows + 1
    delete_account(user_id=user.pk)
    assert Transfer.objects.count() == rows + 1, "once is enough"
    assert Post.objects.get(user=user).text == BLANK
    assert Post.objects.get(user=other).text == f"hello of {other.pk}"
    shown = posts_between(kit.row, "town", 1, 100)
    assert [(each.name, each.text) for each in shown if each.text.startswith("post")] == [
        (other.username, "post 1 of a town")
    ]
    log = [line for line in public_log(kit.row) if line["kind"] != "posted"]
    assert log == json.loads(canonical(log_before).replace(name, gone.username))
    replay_match(kit.row)
    assert not Relation.objects.exists()
    assert not Notebook.objects.filter(user=user).exists()
    assert Notebook.objects.filter(user=other).exists()


def treasury() -> int:
    ref = TREASURY(Unit.POINT)
    return Account.objects.get(owner=ref.owner, kind=ref.kind, unit=ref.unit).balance or 0


def refused(user: User) -> str:
    with pytest.raises(StillNeeded) as refusal:
        delete_account(user_id=user.pk)
    assert User.objects.get(pk=user.pk).username == user.username
    return refusal.value.message


@pytest.mark.plain
def test_deletion_is_refused_in_games_arena_and_contests_and_to_staff_frozen_and_bots() -> None:
    for flag in ("is_staff", "is_frozen", "is_bot"):
        user = new_user()
        User.objects.filter(pk=user.pk).update(**{flag: True})
        refused(user)
    running, waiting = DuelKit(new_user(), new_user()), new_user()
    running.start()
    assert refused(running.ann) == "You sit in a game. Finish or leave it first."
    kit = TableKit(waiting)
    kit.seat_everybody()
    refused(waiting)
    kit.act(waiting, kind="stand")
    kit.pass_time(3600)
    ann, bob, cat = new_user(), new_user(), new_user()
    Player.objects.create(user=ann, is_in=True)
    assert "arena" in refused(ann)
    at = timezone.now()
    contest = Contest.objects.create(
        name="Cup", game="agora", founder=cat, master=bob, settings="{}", founded_at=at,
        idle_since=at, pledge=pledge("agora", at),
    )  # fmt: skip
    Party.objects.create(contest=contest, user=cat, joined_at=at)
    assert "Cup" in refused(bob)
    assert "Cup" in refused(cat)
    Contest.objects.update(closed_at=at)
    Player.objects.update(is_in=False)
    for user in (waiting, ann, bob, cat):
        delete_account(user_id=user.pk)


#: Columns that name a user -> what deletion does; all that is not deleted has no name of its own.
REFERENCES = {
    "blanked or deleted": """
        account.EmailAddress.user accounts.ApiToken.user accounts.BlockedName.user
        accounts.Device.user accounts.HabitsChoice.user accounts.PushChoice.user
        accounts.PushSubscription.user
        accounts.Relation.other accounts.Relation.user accounts.StaffMessage.user
        accounts.StaffNote.user arena.Choice.user games.Notebook.user games.Notification.user
        games.DuelFigures.user games.Habits.user games.Online.user games.Post.user
        games.ReachedGoal.user games.Reminder.user games.SealedRead.user games.Thumb.giver
        games.Thumb.receiver mfa.Authenticator.user usersessions.UserSession.user
    """,
    "kept, since games, ledger or moderation rely on it": """
        accounts.StaffMessage.by accounts.StaffNote.by accounts.User.invited_by accounts.User.owner
        accounts.User_groups.user accounts.User_user_permissions.user admin.LogEntry.user
        arena.DayFigures.user arena.Fight.user arena.Grant.user arena.Player.user
        arena.Round.drawn arena.SeasonFigures.user contests.Contest.founder
        contests.Contest.master contests.Line.user contests.Objection.user contests.Party.user
        contests.Proposal.by events.Entrant.user events.Event.founder games.DailyPlay.user
        games.Entry.actor games.Entry.sitter
        games.Flag.claimed_by games.Flag.closed_by games.Flag.users games.Flag_users.user
        games.Match.invited games.Match.opened_by games.Mute.by games.Mute.user
        games.PairLoss.loser games.PairLoss.winner games.PostReport.author games.PostReport.by
        games.Rating.user games.RatingChange.user games.Replaced.user games.Seat.user
        ladder.Entrant.user
    """,
}


def test_each_column_that_refers_to_a_user_is_considered() -> None:
    found = {
        f"{field.related_model._meta.label}.{field.field.name}"
        for field in User._meta.get_fields(include_hidden=True)
        if field.auto_created and not field.concrete
    }
    assert found == {*" ".join(REFERENCES.values()).split()}


@pytest.mark.plain
def test_deletion_asks_for_the_password_and_the_name_and_logs_out_everywhere() -> None:
    client, other = Client(), Client()
    user = make_user()
    log_in(other, "tessio", PASSWORD)
    client.force_login(user)
    path = "/settings/delete/"
    assert client.get(path)["Location"].startswith("/accounts/reauthenticate/")
    confirm_password(client)
    assert client.get(path).status_code == 200
    assert client.post(path, {"name": "Tessio"}).status_code == 422
    assert User.objects.get(pk=user.pk).is_active
    assert client.post(path, {"name": "tessio"})["Location"] == "/"
    assert not User.objects.get(pk=user.pk).is_active
    for each in (client, other):
        assert each.get("/wallet/").status_code == 302
    assert log_in(Client(), "tessio", PASSWORD).status_code == 200, "no such user any more"
    gone = User.objects.get(pk=user.pk).username
    for name in ("tessio", gone):
        assert Client().get(f"/@{name}/").status_code == 404
    assert is_reserved(gone)
    assert is_reserved("deleted-1")
    assert make_user("tessio").username == "tessio", "the name is left to others"


@pytest.mark.plain
def test_the_name_of_a_deleted_account_does_not_tell_its_id(monkeypatch: Any) -> None:
    kit = DuelKit(make_user("ann"), make_user("bob"))
    kit.start()
    sequence(kit.now)
    kit.win(kit.ann)
    sequence(kit.now)
    gone, other = kit.people
    # The second number is somebody's already.
    drawn = iter([5, 5, 77])
    monkeypatch.setattr(deletion.secrets, "randbelow", lambda most: next(drawn))
    delete_account(user_id=make_user("cyd").pk)
    delete_account(user_id=gone.pk)
    assert User.objects.get(pk=gone.pk).username == "deleted-77"
    client = browser(other)
    named = {"export of the other": exported(other)}
    for pattern in (
        *("/api/v1/matches/{}", "/api/v1/matches/{}/log", "/api/v1/matches/{}/history"),
        *("/api/v1/matches/{}/proof", "/matches/{}/replay/", "/matches/{}/replay.json"),
        *("/matches/{}/history.txt", "/matches/{}/export.json", "/tables/{}/log.json"),
    ):
        allowances.clear()
        answer = client.get(pattern.format(kit.match.public_id), follow=True)
        assert answer.status_code == 200, pattern
        named[pattern] = answer.content.decode()
    for place, text in named.items():
        assert re.search(rf"deleted-{gone.pk}\b", text) is None, place
    assert len(named) == 10
    nameless = {place for place, text in named.items() if "deleted-77" not in text}
    assert nameless == {"/api/v1/matches/{}/proof", "export of the other"}
