"""Mails about the account: each is the site's own."""

from pathlib import Path

import allauth
import pytest
from allauth.account.adapter import get_adapter
from allauth.core import context
from django.apps import apps
from django.core import mail
from django.template.loader import get_template
from django.utils import timezone

from accounts.browsers import name_of_browser
from accounts.mails import tell_owner
from tests.accounts.kit import confirm, make_user

ROOT = Path(__file__).parents[2]
TEMPLATES = Path(allauth.__file__).parent / "templates"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15"
SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6"
FIREFOX = f"{WINDOWS} rv:143.0) Gecko/20100101 Firefox/143.0"
#: What the library gives its templates: https://docs.allauth.org/en/latest/account/email.html
GIVEN = {
    "activate_url": "https://site.example/confirm/",
    "password_reset_url": "https://site.example/reset/",
    "signup_url": "https://site.example/signup/",
    "from_email": "old@example.org",
    "to_email": "new@example.org",
    "deleted_email": "gone@example.org",
    "sentence": "All other sessions have been ended.",
    "ip": "203.0.113.7",
}
#: Mails about an address that was typed; all others are about a change, with what to do then.
ASKED = {
    *("account/email/account_already_exists", "account/email/email_confirmation"),
    *("account/email/email_confirmation_signup", "account/email/login_code"),
    *("account/email/password_reset_code", "account/email/password_reset_key"),
    "account/email/unknown_account",
}


def names_of_mails() -> list[str]:
    """Return the prefixes of all mails of the library's installed applications, and our notice."""
    found = (path.relative_to(TEMPLATES) for path in TEMPLATES.rglob("email/*_subject.txt"))
    installed = (path for path in found if apps.is_installed(f"allauth.{path.parts[0]}"))
    names = sorted(path.as_posix().removesuffix("_subject.txt") for path in installed)
    return [*names, "account/email/notice"]


def files_of_mails() -> list[str]:
    """Return each text of the library's mails, also the ones that others extend."""
    found = (path.relative_to(TEMPLATES) for path in TEMPLATES.rglob("email/*") if path.is_file())
    return sorted(
        path.as_posix() for path in found if apps.is_installed(f"allauth.{path.parts[0]}")
    )


def rendered(rf, prefix: str, **more: object):
    """Render a mail as the adapter does; return it."""
    request = rf.get("/", HTTP_USER_AGENT=FIREFOX)
    request.user = make_user()
    with context.request_context(request):
        given = GIVEN | {"timestamp": timezone.now()} | more
        get_adapter(request).send_mail(prefix, "me@example.org", given)
    return mail.outbox[-1]


def test_the_library_has_mails_to_replace():
    assert len(names_of_mails()) >= 18
    assert {Path(name).name for name in files_of_mails()} >= {
        *("base_message.txt", "base_notification.txt"),
        *("totp_activated_message.txt", "password_reset_key_message.txt"),
    }


@pytest.mark.parametrize("name", files_of_mails())
def test_no_text_of_a_mail_is_the_librarys_own(name):
    origin = Path(get_template(name).origin.name)
    assert origin.is_relative_to(ROOT / "templates")
    assert not origin.is_relative_to(TEMPLATES)


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", names_of_mails())
def test_a_mail_names_the_site_the_browser_and_what_to_do(rf, settings, prefix):
    settings.SITE_CONTACT = "help@site.example"
    sent = rendered(rf, prefix, user=make_user("sonny"))
    subject, text = sent.subject, sent.body
    assert subject.startswith("[Rock & Racket] ")
    assert len(subject) > len("[Rock & Racket] ")
    assert text.startswith("Hello")
    assert "Rock & Racket" in text
    assert settings.PUBLIC_URL in text
    assert "Firefox on Windows" in text
    assert " not" in text.partition("Firefox on Windows")[2]
    assert not sent.alternatives, "the site's mails are plain text"
    if prefix not in ASKED:
        assert "203.0.113.7" in text
        assert "/accounts/password/reset/" in text
        assert "help@site.example" in text


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["unknown_account", "account_already_exists"])
def test_a_mail_to_an_unknown_reader_names_nobody_who_is_logged_in(rf, prefix):
    text = rendered(rf, f"account/email/{prefix}").body
    assert text.startswith("Hello,")
    assert "tessio" not in text


@pytest.mark.django_db
def test_a_notice_is_plain_text_of_this_site_and_nothing_of_the_browsers(rf):
    user = make_user("sonny")
    confirm(user)
    request = rf.get("/", HTTP_USER_AGENT="Visit http://evil.example now", REMOTE_ADDR="::1")
    request.user = user
    with context.request_context(request):
        tell_owner(request, user, "A & B")
    text = mail.outbox[-1].body
    assert text.startswith("Hello sonny,\n\nA & B\n")
    assert "Unknown browser, ::1" in text
    assert "evil" not in text


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Windows"),
        (f"{WINDOWS} {CHROME} Safari/537.36 Edg/140.0.0.0", "Edge on Windows"),
        (f"{WINDOWS} {CHROME} Safari/537.36 OPR/123.0.0.0", "Opera on Windows"),
        (f"{MAC} {CHROME} Safari/537.36", "Chrome on Mac"),
        (f"{MAC} {SAFARI} Safari/605.1.15", "Safari on Mac"),
        (f"{IPHONE} Version/18.6 Mobile/15E148 Safari/604.1", "Safari on iPhone"),
        (f"{IPHONE} CriOS/140.0 Mobile/15E148 Safari/604.1", "Chrome on iPhone"),
        (f"{IPHONE} FxiOS/143.0 Mobile/15E148 Safari/605.1.15", "Firefox on iPhone"),
        (
            f"Mozilla/5.0 (Linux; Android 10; K) {CHROME} Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {CHROME} Safari/537.36", "Chrome on ChromeOS"),
        ("curl/8.5.0", "Unknown browser"),
        ("Mosaic on a fridge, Linux", "Unknown browser on Linux"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_named_by_its_maker_and_its_system(user_agent, name):
    assert name_of_browser(user_agent) == name
