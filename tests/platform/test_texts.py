"""Texts of people, found in forms, admin, frames, actions and views, are read by one rule."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django import forms
from django.contrib import admin
from django.urls import reverse

from accounts.models import User
from economy.texts import WrittenField
from games import registry
from games.jsonrpc.generated import interface_of
from games.mafia.common.posts import Noted, Written
from games.moderation import reports
from games.posts.queries import posts_between
from games.realtime import protocol
from tests.accounts.kit import browser, confirm_password, make_user
from tests.architecture.code import PACKAGES, ROOT, modules, tree, where
from tests.games.contests.kit import ContestKit
from tests.games.mafia.agora.kit import town
from tests.games.match_kit import new_user
from tests.hostile.odd_text import routes
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

#: Turned round, empty, stacked: each is refused in every field.
UNFIT = ("\u202eabc", "\u3164\u200b", "a" + "\u0301" * 30)
#: Fields of forms that hold no text to be shown: what proves who one is, and names that are looked
#: for or have a form of their own.
OTHER_FIELDS = {
    *("password", "password1", "password2", "oldpassword", "code", "credential", "email", "key"),
    *("player", "opponent", "username", "token", "time_zone", "login"),
}
#: Parameters of forms that views read by hand: of reasons and names of tokens the rule takes care.
BY_HAND = {
    "accounts/settings_pages.py name", "accounts/settings_pages.py value",
    "accounts/views.py avatar", "accounts/views.py message", "accounts/views.py name",
    "accounts/views.py next", "accounts/views.py reminders", "accounts/views.py theme",
    "accounts/views.py until", "games/arena/views.py name", "games/arena/views.py reason",
    "games/contests/views.py salt", "games/duel/views.py opponent", "games/duel/views.py revision",
    "games/jsonrpc/programs.py delete", "games/jsonrpc/programs.py name",
    "games/jsonrpc/programs.py token", "games/mafia/common/posts.py reason",
    "games/mafia/common/postmortem.py give", "games/mafia/common/postmortem.py take",
    "games/mafia/common/views.py seat", "games/mafia/common/views.py setup",
    "games/mafia/common/views.py strength", "games/matches/views.py salt_hash",
    "games/moderation/views.py reason", "games/own_data/views.py name",
    "games/people/views.py do", "games/people/views.py next",
    "games/showdown/views.py ante", "rpsite/errors.py next",
}  # fmt: skip
#: Texts without a pattern in frames, actions and bodies. The first are of people; the others name
#: a room, a phrase, a hand or a bot, and must be one of those.
WRITTEN = {"text", "notes"}
NAMES = {"room", "phrase", "read_to", "hand", "bot", "action"}


def forms_of_ours(kind: type = forms.BaseForm) -> Iterator[type[forms.BaseForm]]:
    for each in kind.__subclasses__():
        if each.__module__.partition(".")[0] in PACKAGES:
            yield each
        yield from forms_of_ours(each)


def texts_in(form: type[forms.BaseForm]) -> dict[str, forms.Field]:
    found = getattr(form, "base_fields", {}).items()
    return {name: field for name, field in found if isinstance(field, forms.CharField)}


def test_a_field_of_a_form_for_texts_is_a_written_field() -> None:
    assert routes(), "all forms are there"
    made = list(forms_of_ours())
    assert len(made) > 30
    for form in made:
        for name, field in texts_in(form).items():
            assert isinstance(field, WrittenField) or name in OTHER_FIELDS, (form, name)
    # Those that a form makes of itself are in no class.
    calls = {
        where(path, node.lineno)
        for path in modules(*PACKAGES)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "forms.CharField"
    }
    assert {call.partition(":")[0] for call in calls} == {
        "accounts/adjustment_admin.py", "accounts/person_admin.py", "games/duel/views.py",
    }  # fmt: skip


def test_a_field_of_the_admin_for_texts_is_a_written_field(rf: Any, admin_user: User) -> None:
    request = rf.get("/")
    request.user = admin_user
    found = set()
    for model, pages in admin.site._registry.items():
        # Sessions are a library's; nobody makes one by hand.
        if model.__name__ == "UserSession" or not pages.has_change_permission(request):
            continue
        kept = set(pages.get_readonly_fields(request, model()))
        for name, field in texts_in(pages.get_form(request, model())).items():
            found.add(f"{model.__name__}.{name}")
            assert isinstance(field, WrittenField) or {name} <= OTHER_FIELDS | kept, (model, name)
    assert "Group.name" in found


def test_a_text_that_a_view_reads_by_hand_is_known() -> None:
    found = {
        f"{path.relative_to(ROOT)} {name}"
        for path in modules(*PACKAGES)
        for name in re.findall(r'\.POST(?:\.get\(|\[)"(\w+)"', path.read_text("utf-8"))
    }
    assert found == BY_HAND


def fields_with_text(info: Any, name: str = "") -> Iterator[str]:
    """Yield the fields below a type that hold a text without a pattern."""
    kinds = msgspec.inspect
    match info:
        case kinds.Metadata():
            yield from fields_with_text(info.type, name)
        case kinds.StrType() if info.pattern is None:
            yield name
        case kinds.StructType():
            for field in info.fields:
                yield from fields_with_text(field.type, field.encode_name)
        case kinds.UnionType():
            for each in info.types:
                yield from fields_with_text(each, name)
        case kinds.DictType():
            yield from fields_with_text(info.key_type, name)
        case kinds.ListType() | kinds.VarTupleType():
            yield from fields_with_text(info.item_type, name)


def test_a_text_in_a_frame_an_action_or_a_call_is_written_or_a_name() -> None:
    games = registry.tables()
    methods = [method for game in games for method in interface_of(game.slug).methods.values()]
    taken = [*protocol.FRAMES.values(), *(game.newest.Action for game in games), Written, Noted]
    found = {
        name
        for kind in (*taken, *(method.takes for method in methods))
        for name in fields_with_text(msgspec.inspect.type_info(kind))
    }
    assert found == WRITTEN | NAMES


@pytest.mark.plain
@pytest.mark.parametrize("text", UNFIT, ids=["turned", "empty", "stacked"])
def test_an_unfit_text_is_refused_and_nothing_is_kept(text: str) -> None:
    kit = town(7, phase_seconds=600, last_wills=True)
    ann = kit.people[0]
    for action in ({"kind": "post", "room": "town"}, {"kind": "write_will"}):
        assert kit.code(ann, text=text, **action) == "bad_field"
    address = reverse("mafia_posts", args=[kit.match.public_id, "town"])
    body = {"id": "test-texts-1", "phase": kit.row.phase, "text": text}
    answer = browser(ann).post(address, json.dumps(body), "application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "bad_field")
    address = reverse("mafia_notebook", args=[kit.match.public_id])
    answer = browser(ann).post(address, json.dumps({"no": 1, "notes": text}), "application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "bad_field")
    assert kit.play.citizens[0].will == ""
    for frame in ({"type": "say", "room": "table"}, {"type": "command"}):
        with pytest.raises(protocol.MalformedFrame) as refusal:
            protocol.parse(json.dumps({"id": "test-texts-2", "text": text, **frame}))
        assert (refusal.value.code, refusal.value.detail) == ("bad_field", {"field": "text"})


@pytest.mark.parametrize("text", UNFIT, ids=["turned", "empty", "stacked"])
def test_an_unfit_text_of_a_form_stays_in_it_beside_what_is_wrong(text: str) -> None:
    kit, bob = ContestKit(5), new_user()
    row, ann = kit.row, kit.people[1]
    client, owner = browser(ann), browser(make_user())
    confirm_password(owner)
    pages = (
        (reverse("contest_new"), "name"),
        (reverse("contest_propose", args=[row.public_id]), "reason"),
        (reverse("person_report", args=[bob.username]), "reason"),
        (reverse("account_tokens"), "name"),
    )
    for address, name in pages:
        asking = owner if "tokens" in address else client
        page = asking.post(address, {name: text}).content.decode()
        assert text in page, address
        assert "aria-invalid" in page, address
    with refuses("bad_field"):
        reports.report_player(user=ann, name=bob.username, reason=text)


@pytest.mark.plain
def test_a_post_loses_what_nobody_sees_and_a_repeat_is_known_by_what_was_sent() -> None:
    kit = town(7, phase_seconds=600, last_wills=True)
    kit.run_out()
    text = "a\u200b\u0645\u200c\u0646\n b\u2066 "
    action = {"action_id": "test-texts-3", "kind": "post", "room": "town", "text": text}
    answers = [kit.answer(kit.people[0], **action) for _ in range(2)]
    assert [(answer.error, answer.repeated) for answer in answers] == [(None, False), (None, True)]
    assert [post.text for post in posts_between(kit.match, "town", 1, 9)] == [
        "a\u0645\u200c\u0646\n b"
    ]


#: Fields on pages that hold no text of people: secrets, addresses, names and numbers.
PLAIN_FIELD = re.compile(
    r'readonly|type="(?!text"|search")|spellcheck="false"|inputmode="numeric"'
    r'|id="(?:name|delete-name|program-name|console-[\w-]+)"|name="as"'
)


def test_a_field_on_a_page_for_texts_is_written_in_its_own_direction() -> None:
    paths = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static" / "js").rglob("*.js")]
    fields = [
        (path.name, field)
        for path in paths
        for field in re.findall(r"<(?:input|textarea) (?:[^<>]|=>)+", path.read_text("utf-8"))
        if not PLAIN_FIELD.search(field)
    ]
    assert len(fields) > 5
    assert [field for field in fields if 'dir="auto"' not in field[1]] == []


#: Script that draws -> the place on the page that it draws into.
DRAWN = {
    "arena/main.js": 'id="board"', "arena/round.js": 'id="floor"',
    "arena/rules.js": "data-calculator", "board/stage.js": 'id="board"',
    "lobby.js": "data-lobby-rows", "showdown/demo.js": "data-demo-mount",
}  # fmt: skip


def test_what_a_script_draws_again_is_not_translated_by_browsers() -> None:
    scripts = ROOT / "static" / "js"
    drawing = {
        str(path.relative_to(scripts))
        for path in scripts.rglob("*.js")
        if re.search(r"import \{[^}]*\brender\b[^}]*\} from \"preact\"", path.read_text("utf-8"))
    }
    # The page of a story is drawn once.
    assert drawing - {"mafia/story.js"} == DRAWN.keys()
    places = "|".join(set(DRAWN.values()))
    tags = [
        tag
        for path in (ROOT / "templates").rglob("*.html")
        for tag in re.findall(rf"<[^>]*(?:{places})[^>]*>", path.read_text("utf-8"))
    ]
    assert len(tags) > len(DRAWN)
    assert all('translate="no"' in tag for tag in tags), tags
