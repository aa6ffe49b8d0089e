from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import BlockedName, StaffNote, User
from accounts.retention import delete_old
from economy.models import AdminRecord
from games.matches.models import Match
from games.own_data.deletion import delete_account, finish_renames
from games.posts.chat import require_voice
from tests.accounts.admin_kit import REASON, administrator
from tests.accounts.kit import browser, confirm, log_in, logged_in_as, make_user, sign_up
from tests.games.match_kit import new_user
from tests.games.own_data.test_personal_data import cells_with, exported
from tests.games.table_kit import TableKit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db
PAGE = "/accounts/message/"


@pytest.fixture
def moderator() -> Client:
    rights = ("view_user", "change_user", "add_staffnote", "view_staffnote")
    accounts = [f"accounts.{right}" for right in rights]
    return browser(administrator("moderator", *accounts, "games.view_flag"))


@pytest.fixture
def rude() -> User:
    user = make_user("Rude_Name")
    confirm(user)
    return user


def do(client: Client, user: User, verb: str, **fields: str) -> int:
    given = {"reason": REASON, **fields}
    status = client.post(f"/admin/accounts/user/{user.pk}/{verb}/", given).status_code
    user.refresh_from_db()
    return status


def read(user: User, **fields: str) -> int:
    message = user.staff_messages.filter(read_at=None).first()
    status = browser(user).post(PAGE, {"message": str(message.pk), **fields}).status_code
    user.refresh_from_db()
    return status


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_warning_is_on_every_page_and_silences_until_read(moderator: Client, rude: User) -> None:
    assert do(moderator, rude, "warn", reason="short") == 200
    assert do(moderator, rude, "warn") == 302
    for page in ("/", "/tables/", "/settings/", PAGE):
        assert REASON in browser(rude).get(page).content.decode()
    assert REASON not in browser(new_user()).get("/").content.decode()
    with refuses("message_unread"):
        require_voice(rude.pk)
    assert REASON in mail.outbox[-1].body
    assert read(rude, next="/tables/") == 302
    require_voice(rude.pk)
    assert REASON not in browser(rude).get("/").content.decode()
    shown = moderator.get(f"/admin/accounts/user/{rude.pk}/change/").content.decode()
    assert f"warning · by moderator · {REASON} · read" in shown
    record = AdminRecord.objects.get(action="user_warned")
    assert (record.actor_name, record.target) == ("moderator", f"user:{rude.pk}")


def test_nobody_reads_the_message_of_another_or_takes_a_name(moderator: Client, rude: User) -> None:
    do(moderator, rude, "warn")
    message = rude.staff_messages.get()
    for number in (str(message.pk), "x", "9" * 30, "²"):
        browser(new_user()).post(PAGE, {"message": number})
    assert Client().post(PAGE, {"message": message.pk}).status_code == 302
    refused = browser(rude).post(PAGE, {"message": message.pk, "take": "1", "name": "better"})
    assert refused.status_code == 422
    rude.refresh_from_db()
    message.refresh_from_db()
    assert (rude.username, message.read_at) == ("Rude_Name", None)
    assert rude.warned_at is not None
    do(moderator, rude, "warn", reason="and another warning")
    read(rude)
    assert rude.warned_at is not None, "the second one waits"
    read(rude)
    assert rude.warned_at is None


@pytest.mark.plain
@pytest.mark.both_databases
def test_offensive_name_is_replaced_at_once_and_never_given(moderator: Client, rude: User) -> None:
    assert do(moderator, rude, "rename") == 302
    neutral = rude.username
    assert neutral.startswith("player-")
    record = AdminRecord.objects.get(action="user_renamed")
    assert (record.before, record.after) == ('{"name":"Rude_Name"}', f'{{"name":"{neutral}"}}')
    assert "It is called" in mail.outbox[-1].body
    for name in ("Rude_Name", "rudename", "RUDE-NAME"):
        assert sign_up(Client(), name).status_code == 422
    for name in ("rude-name", "admin", "a_bot"):
        assert read(rude, take="1", name=name) == 422
    assert neutral in browser(rude).get("/").content.decode()
    assert read(rude, take="1", name="Polite") == 302
    assert (rude.username, rude.warned_at) == ("Polite", None)
    again = {"message": "1", "take": "1", "name": "Again"}
    assert browser(rude).post(PAGE, again).status_code == 302
    rude.refresh_from_db()
    assert rude.username == "Polite", "once"


def test_who_was_renamed_logs_in_by_the_old_name_until_the_news_is_read(moderator, rude, client):
    do(moderator, rude, "rename")
    log_in(client, "rude_NAME")
    assert logged_in_as(client) == rude.username
    read(rude)
    assert log_in(Client(), "Rude_Name").status_code != 302
    for _ in range(2):
        finish_renames()
    assert BlockedName.objects.get().user is None


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_rename_is_told_in_finished_games_and_later_in_those_that_ran(moderator: Client) -> None:
    ann, bob = make_user("Rude_Name"), new_user()
    over, running = TableKit(ann, bob), TableKit(ann, bob)
    over.start(purse=5)
    over.play_to_the_end()
    running.start(purse=5)
    do(moderator, ann, "rename")
    texts = Match.objects.filter(pk=over.match.pk).values_list("recent", "summary").get()
    assert "Rude_Name" not in "".join(texts)
    assert ann.username in "".join(texts)
    assert ann.username in str(running.view()), "lines that were told stay until the end"
    running.play_to_the_end()
    finish_renames()
    read(ann)
    finish_renames()
    left = set(cells_with("Rude_Name")) - {"economy.AdminRecord.before"}
    assert left == {"accounts.BlockedName.name"}


@pytest.mark.parametrize("verb", ["rename", "warn"])
def test_bots_superusers_and_oneself_get_no_warning_or_name(moderator: Client, verb: str) -> None:
    robot = User.objects.create_user("robot", is_bot=True)
    chief = administrator("chief", superuser=True)
    own = User.objects.get(username="moderator")
    assert [do(moderator, user, verb) for user in (robot, chief, own)] == [200, 403, 403]
    assert (robot.username, chief.username, robot.warned_at) == ("robot", "chief", None)


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_notes_are_read_by_staff_alone_and_go_after_a_year_or_with_the_account(moderator, rude):
    page, text = f"/admin/accounts/user/{rude.pk}/change/", "may be the brother of another"
    assert do(moderator, rude, "add_note", text=text) == 302
    assert text in moderator.get(page).content.decode()
    clerk = browser(administrator("clerk", "accounts.view_user"))
    assert text not in clerk.get(page).content.decode()
    assert do(clerk, rude, "add_note", text=text) == 403
    assert text not in "".join(f"{r.reason}{r.after}" for r in AdminRecord.objects.all())
    assert AdminRecord.objects.get().action == "note_added"
    for verb in ("warn", "rename"):
        do(moderator, rude, verb)
    found = exported(rude)
    assert REASON in found
    assert text not in found
    assert "moderator" not in found.replace('"moderation"', "")
    StaffNote.objects.update(at=timezone.now() - timedelta(days=366))
    delete_old()
    assert not StaffNote.objects.exists()
    do(moderator, rude, "add_note", text=text)
    delete_account(user_id=rude.pk)
    assert not rude.staff_messages.exists()
    assert not rude.staff_notes.exists()
    assert BlockedName.objects.get().user is None
