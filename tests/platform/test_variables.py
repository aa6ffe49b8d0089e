import contextlib
import io
import os
import tempfile
from pathlib import Path

import pytest
from allauth.core.internal.ratelimit import parse_rates
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpsite import variables
from rpsite.variables import CANNOT_START, VARIABLES, judge_all, read
from tests.forms import form
from tests.platform import forks
from tests.platform.site import environment

#: Variable -> values that are refused; "-" is the empty one.
REFUSED = """
ACCOUNT_EMAIL_VERIFICATION  - perhaps
BACKUPS_KEPT                - -1 1.5 many
DATABASE_URL                - db.example oracle://host/name postgres://site@host:port/site
DEFAULT_FROM_EMAIL          - nobody @host a@b@c
DISK_LEAST_FREE             -1 1GB
EMAIL_URL                   - mail.example smtp:// smtp://host:no http://host smtp://u:a/b@host
EMAIL_URL                   smtp://u:12/b@host smtp://u:a#b@host smtp+tls://u:p@host:99999
HINT_BUS_URL                - redis.example http://host
HOUSE_BOTS                  - 41 500 -1
LOG_JSON                    perhaps
LOG_LEVEL                   - LOUD 20
METRICS_TOKEN               tökén
PUBLIC_URL                  - foo ftp://host https:// https://host/path https://u@host https://host:0
REDIS_URL                   - redis.example redis://host/name redis://host:port unix://
RESTORE_TEST_URL            db.example sqlite:///file
SECURITY_CONTACT            somebody http://host javascript:x
SIGNUP_RATE                 - lots 0/h/ip 3/h 3/h/planet 3/x/ip 3/h/ip,lots
SITE_HOSTS                  * http://host host:80 a/b
SITE_VAR                    - /etc/passwd/var
SOCKET_RATE                 - -5 0 many 1_0
TRUST_PROXY                 perhaps
VAPID_PRIVATE_KEY           abc AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ÄÖ
WATCHDOG_SECONDS            - -1 soon
"""
#: Variable -> values that are taken.
TAKEN = """
ACCOUNT_EMAIL_VERIFICATION  mandatory
DATABASE_URL                postgres://site:word@host/site sqlite:////tmp/a.sqlite3
DEFAULT_FROM_EMAIL          noreply@localhost Rock<noreply@play.example>
EMAIL_URL                   smtp+tls://user:p%2Fw@host:587 consolemail:// filemail:///tmp/mail smtp://[::1]:25
LOG_LEVEL                   WARNING debug
PUBLIC_URL                  https://play.example http://127.0.0.1:8000/ http://[::1]:8000
REDIS_URL                   redis://:word@host:6379/2 rediss://host unix:///run/valkey.sock
RESTORE_TEST_URL            - postgres://u@host/name
SECURITY_CONTACT            - mailto:a@b.example https://play.example/x
SIGNUP_RATE                 3/h/ip 2/d/ip,10/15m/ip
SITE_HOSTS                  - localhost,play.example,203.0.113.2,[::1],fe80::1%eth0,my_host
TRUST_PROXY                 - 1 off
VAPID_PRIVATE_KEY           - AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE
"""


def cases(table: str) -> list[tuple[str, str]]:
    lines = [line.split() for line in table.splitlines() if line]
    return [(name, "" if word == "-" else word) for name, *words in lines for word in words]


@pytest.fixture
def judged(monkeypatch, capsys):
    """Judge the environment with a variable that has a wrong value; return the sentence."""

    def judge(name: str, text: str) -> str:
        monkeypatch.setenv(name, text)
        with pytest.raises(SystemExit) as ended:
            judge_all()
        assert ended.value.code == CANNOT_START
        return capsys.readouterr().err

    return judge


@pytest.mark.plain
@pytest.mark.parametrize(("name", "text"), cases(REFUSED))
def test_wrong_value_is_refused_with_its_name_and_without_the_value(name, text, judged):
    assert judged(name, text) == f"{name} must be {VARIABLES[name].kind.what}.\n"


@pytest.mark.parametrize(("name", "text"), cases(TAKEN))
def test_right_value_is_taken(name, text, monkeypatch):
    monkeypatch.setenv(name, text)
    judge_all()
    assert read(name) is not None


def test_every_default_is_a_value_of_its_kind():
    for variable in VARIABLES.values():
        for default in (variable.default, variable.public or None):
            assert default is None or variable.read(default) is not None


EXAMPLES = form(30, in_all=300, in_long=3_000)
#: Texts near to values, so that the fuzz passes the first looks.
NEAR = st.sampled_from([text for _, text in cases(REFUSED + TAKEN)])
PIECES = st.sampled_from([*"/:@#?%[],.-\n\0 ", "smtp://", "redis://", "postgres://", "0", "é", "x"])


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_any_text_is_a_value_or_is_refused_in_one_sentence(name):
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.text() | st.builds(str.__add__, NEAR, PIECES) | st.lists(PIECES).map("".join))
    def fuzz(text: str) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                value = VARIABLES[name].read(text)
            except SystemExit as ended:
                assert ended.code == CANNOT_START  # noqa: PT017 - either way is right
                assert said.getvalue() == f"{name} must be {VARIABLES[name].kind.what}.\n"
            else:
                assert said.getvalue() == ""
                # Where a library reads a value, it takes what is taken here.
                for rate in parse_rates(str(value)) if name == "SIGNUP_RATE" else ():
                    assert min(rate.amount, rate.duration) > 0

    fuzz()


def test_directory_that_may_not_be_written_to_is_refused(judged):
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        was = os.geteuid()
        if was == 0:
            # Root may write everywhere.
            os.seteuid(65534)
        try:
            sentence = judged("SITE_VAR", f"{name}/var")
        finally:
            os.seteuid(was)
    assert sentence.startswith("SITE_VAR must be a directory that can be written to")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DJANGO_SETTINGS_MODULE", "rpsite.settings.nothing"),
        ("DJANGO_SETTINGS_MODULE", "json"),
        ("DJANGO_SETTINGS_MODULE", ".odd"),
        ("DATABASE_URL", "postgres://site:hunter2@127.0.0.1:1/site"),
        ("EMAIL_URL", "smtp://site:hun/ter2@host"),
    ],
)
@pytest.mark.parametrize("command", [("migrate",), ("up", "--port", "0")], ids=lambda each: each[0])
def test_command_that_cannot_start_says_one_sentence(tmp_path, name, text, command):
    refused = forks.plain("manage.py", *command, env=environment(tmp_path, **{name: text}))
    assert refused.returncode == CANNOT_START, refused.stderr
    (sentence,) = refused.stderr.splitlines()
    assert sentence.startswith(f"{name} must be ")
    assert text not in sentence


def test_module_of_settings_that_lacks_a_package_says_which(monkeypatch, tmp_path):
    (tmp_path / "broken_settings.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "broken_settings")
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        variables.require_settings()
