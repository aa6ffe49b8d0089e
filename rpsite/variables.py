"""The variables of the environment, all judged when a process starts;
``docs/reference/environment.md`` is made of this. A value that cannot be used ends the process with
one sentence, which never holds the value.
"""

import base64
import ipaddress
import os
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

import environ
from django.core.validators import validate_email

#: The exit code of a process that cannot use its environment.
CANNOT_START: Final = 2
#: Characters of a public site's secret.
LEAST_SECRET: Final = 50
ENGINES: Final = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
_ON: Final = frozenset(("true", "on", "ok", "y", "yes", "1"))
_OFF: Final = frozenset(("false", "off", "n", "no", "0", ""))
_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_RATE: Final = re.compile(r"[1-9]\d{0,6}/[1-9]?\d{0,4}[smhd]/(ip|user|key)")
_HOST: Final = re.compile(r"\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
#: The order of the curve of a VAPID key: RFC 8292, NIST P-256.
_CURVE: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def refuse(sentence: str) -> NoReturn:
    """End this process, which has no usable environment, whether manage.py or Celery runs it."""
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(CANNOT_START)


@dataclass(frozen=True, slots=True)
class Kind:
    """``what`` a value must be, and how it is read; ``read`` raises anything for a wrong text."""

    what: str
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; ``default`` is a text of its kind, None where the settings make the value;
    ``public`` that of ``rpsite.settings.prod`` where it is another one; "": none.
    """

    name: str
    kind: Kind
    default: str | None
    meaning: str
    public: str | None = None

    def read(self, text: str) -> Any:
        """Return the value of a text; end the process if it has none."""
        try:
            return self.kind.read(text)
        except Exception:
            # Without the cause, which may quote the value.
            refuse(f"{self.name} must be {self.kind.what}.")


def number(least: int, most: int) -> Kind:
    """Return the kind of whole numbers within bounds."""

    def read(text: str) -> int:
        found = int(text) if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text) else None
        if found is None or not least <= found <= most:
            raise ValueError
        return found

    return Kind(f"a number from {least} to {most}", read)


def _require(is_right: object) -> None:
    if not is_right:
        raise ValueError


def _switch(text: str) -> bool:
    _require(text.lower() in _ON | _OFF)
    return text.lower() in _ON


def _line(text: str) -> str:
    _require(text.isprintable())
    return text


def _token(text: str) -> str:
    _require(all("!" <= character <= "~" for character in text))
    return text


def one_of(*words: str) -> Kind:
    """Return the kind of some words, in any case."""

    def read(text: str) -> str:
        return {word.lower(): word for word in words}[text.lower()]

    return Kind(f"{', '.join(words[:-1])} or {words[-1]}", read)


def _folder(text: str) -> Path:
    _require(text and "\0" not in text)
    path = Path(text).resolve()
    # A first start makes it.
    there = next(each for each in (path, *path.parents) if each.exists())
    _require(there.is_dir() and os.access(there, os.W_OK | os.X_OK, effective_ids=True))
    return path


def _database(text: str) -> dict[str, Any]:
    with warnings.catch_warnings():
        # The library warns of what is refused here.
        warnings.simplefilter("ignore")
        settings = dict(environ.Env.db_url_config(text))
    _require(settings.get("ENGINE") in ENGINES and settings["NAME"])
    return settings


def _other_database(text: str) -> str:
    _require(not text or _database(text)["ENGINE"] == ENGINES[1])
    return text


def _redis(text: str) -> str:
    parts = urlsplit(text)
    _require(parts.port is None or parts.port)
    number = parts.path.strip("/")
    is_server = parts.scheme in ("redis", "rediss") and (not number or number.isdecimal())
    _require(is_server or (parts.scheme == "unix" and parts.path))
    return text


def _mail_server(text: str) -> dict[str, Any]:
    settings = dict(environ.Env.email_url_config(text))
    if settings["EMAIL_BACKEND"].endswith("smtp.EmailBackend"):
        # A password with "/", "?" or "#" would end the host early.
        parts = urlsplit(text)
        _require(_HOST.fullmatch(settings["EMAIL_HOST"]) or ":" in settings["EMAIL_HOST"])
        _require(parts.path in ("", "/") and not parts.fragment and parts.port != 0)
    return settings


def _sender(text: str) -> str:
    _require(text.isprintable())
    validate_email(parseaddr(text)[1])
    return text


def _site_address(text: str) -> str:
    parts = urlsplit(text)
    _require(parts.scheme in ("http", "https") and _is_host(parts.hostname or ""))
    _require(parts.path in ("", "/") and parts.port != 0 and text.isprintable())
    _require(not (parts.query or parts.fragment or parts.username is not None))
    return text.rstrip("/")


def _is_host(text: str) -> bool:
    if _HOST.fullmatch(text):
        return True
    ipaddress.ip_address(text.strip("[]").partition("%")[0])
    return True


def _hosts(text: str) -> list[str]:
    hosts = [host.strip() for host in text.split(",") if host.strip()]
    _require(all(_is_host(host) for host in hosts))
    return hosts


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _rate(text: str) -> str:
    _require(all(_RATE.fullmatch(part.strip()) for part in text.split(",")))
    return text


def _push_key(text: str) -> str:
    if text:
        padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
        key = base64.b64decode(padded, altchars=b"-_", validate=True)
        _require(len(key) == 32 and 0 < int.from_bytes(key) < _CURVE)
    return text


def _contact(text: str) -> str:
    _require(not text or (_line(text) and re.match(r"(mailto|https|tel):[^\s]+$", text)))
    return text


SWITCH: Final = Kind("on or off", _switch)
LINE: Final = Kind("one line of text", _line)
SECRET: Final = Kind("a text", str)
SECRETS: Final = Kind("texts, separated by commas", _words)
TOKEN: Final = Kind("letters, digits and signs of ASCII without spaces", _token)
FOLDER: Final = Kind("a directory that can be written to", _folder)
DATABASE: Final = Kind("a database's address, like postgres://user:password@host/name", _database)
OTHER: Final = Kind(
    "empty or PostgreSQL's address, like postgres://user@host/name", _other_database
)
REDIS: Final = Kind("a server's address, like redis://host:6379", _redis)
MAIL: Final = Kind("a mail server, like smtp+tls://user:password@host:587", _mail_server)
SENDER: Final = Kind("an e-mail address, like noreply@play.example", _sender)
ADDRESS: Final = Kind("the site's address, like https://play.example", _site_address)
HOSTS: Final = Kind("host names, separated by commas", _hosts)
RATE: Final = Kind("a rate, like 20/h/ip", _rate)
PUSH_KEY: Final = Kind("empty or 32 bytes in base64 for URLs", _push_key)
CONTACT: Final = Kind("empty, mailto:… or https://…", _contact)

_TABLE: Final = (
    Variable(
        "ACCESS_LOG",
        SWITCH,
        "on",
        "Whether files in `SITE_VAR`/access tell of each request, socket, action and task",
    ),
    Variable(
        "ACCOUNT_EMAIL_VERIFICATION",
        one_of("mandatory", "optional", "none"),
        "optional",
        "`mandatory` requires a confirmed address, `optional` does not",
    ),
    Variable(
        "BACKUPS_KEPT",
        number(0, 10_000),
        "24",
        "Copies of the database kept in `var/backups/`; 0: beat makes none",
    ),
    Variable("BAD_FRAMES", number(1, 10**9), "10", "Malformed frames in 10 s that close a socket"),
    Variable("DATABASE_URL", DATABASE, None, "By default a SQLite file in `SITE_VAR`"),
    Variable(
        "DEFAULT_FROM_EMAIL", SENDER, None, "The sender; by default `noreply@` and the site's host"
    ),
    Variable(
        "DISK_LEAST_FREE",
        number(0, 10**15),
        str(64 * 2**20),
        "Bytes of free disk below which `/healthz` answers 503; a warning comes at ten times that",
    ),
    Variable(
        "DRAIN_SECONDS",
        number(0, 3600),
        "0",
        "Seconds over which a web process that ends closes its sockets; 0: all at once",
    ),
    Variable("EMAIL_URL", MAIL, "filemail:///", "Mail server; by default files in `var/mail/`"),
    Variable(
        "HINT_BUS_URL",
        REDIS,
        None,
        "The hint bus; by default database 1 of `REDIS_URL`, Celery uses database 0",
    ),
    Variable(
        "HOUSE_BOTS",
        number(0, 40),
        "40",
        "Number of bots; the largest table needs one fewer than its seats",
    ),
    Variable(
        "HSTS_SECONDS",
        number(0, 10**9),
        "31536000",
        "Seconds for which browsers use HTTPS only; `prod` alone",
    ),
    Variable("LOG_JSON", SWITCH, "off", "One JSON object a line"),
    Variable("LOG_LEVEL", one_of(*_LEVELS), "INFO", "The least level of messages"),
    Variable(
        "METRICS_HERE",
        SWITCH,
        None,
        "Whether this machine may read `/metrics` without a token; by default only where "
        "`PUBLIC_URL` is this machine's: a proxy here that sets no header looks like this machine",
    ),
    Variable(
        "METRICS_TOKEN",
        TOKEN,
        "",
        "The token that `/metrics` asks for; without one see `METRICS_HERE`",
    ),
    Variable(
        "PRACTICE_PER_ADDRESS", number(0, 10**6), "10", "Practice tables of guests from one address"
    ),
    Variable(
        "PRACTICE_TABLES", number(0, 10**6), "200", "Practice tables of guests in one web process"
    ),
    Variable(
        "PUBLIC_URL",
        ADDRESS,
        "http://localhost:8000",
        "The site's address, for links in mails that no request sends; `prod` wants `https://`",
        public="",
    ),
    Variable("REDIS_URL", REDIS, None, "If unset, `manage.py up` starts a Valkey in `SITE_VAR`"),
    Variable(
        "RESTORE_TEST_URL",
        OTHER,
        "",
        "PostgreSQL for the nightly restore test, whose user may create databases; by default"
        " `DATABASE_URL`",
    ),
    Variable(
        "SECRET_KEY",
        SECRET,
        "",
        f"`prod` wants {LEAST_SECRET} characters or more; `site` makes one in `SITE_VAR` if there"
        " is none",
    ),
    Variable(
        "SECRET_KEY_OLD",
        SECRETS,
        "",
        "Former keys: what they signed stays valid, and nothing new is signed",
    ),
    Variable(
        "SECURITY_CONTACT",
        CONTACT,
        "",
        "Where to report a vulnerability; makes `/.well-known/security.txt`",
    ),
    Variable("SIGNUP_RATE", RATE, "20/h/ip", "Sign-ups", public="3/h/ip"),
    Variable(
        "SITE_CONTACT",
        LINE,
        "",
        "The contact for banned users and for deletion of data, an address or a sentence: on the"
        " pages about privacy and closed accounts",
    ),
    Variable("SITE_HOSTS", HOSTS, "", "Further host names"),
    Variable(
        "SITE_VAR",
        FOLDER,
        None,
        "The directory of files that the site writes, by default `var/`: database, secret, mail,"
        " static files, sockets",
    ),
    Variable(
        "SOCKETS_PER_ADDRESS",
        number(1, 10**9),
        "60",
        "Sockets of one address at once, in one web process",
    ),
    Variable(
        "SOCKETS_PER_USER",
        number(1, 10**9),
        "16",
        "Sockets of one user and of one kind at once, in one web process",
    ),
    Variable(
        "SOCKET_BURST", number(1, 10**9), "40", "Frames at once of a socket; guests have half"
    ),
    Variable(
        "SOCKET_RATE", number(1, 10**9), "20", "Frames a second of a socket; guests have half"
    ),
    Variable(
        "SOCKET_UNSENT",
        number(1024, 10**9),
        str(512 * 1024),
        "Bytes that a socket may leave unread; guests have a quarter",
    ),
    Variable(
        "TRUST_PROXY",
        SWITCH,
        "off",
        "Believe `X-Forwarded-Proto`, `-For` and `-Port`; only behind a proxy that removes them"
        " from clients' requests",
    ),
    Variable(
        "VAPID_PRIVATE_KEY",
        PUSH_KEY,
        "",
        "The site's key for notifications (RFC 8292); without one there are none. `site` makes one"
        " in `SITE_VAR`",
    ),
    Variable(
        "WATCHDOG_SECONDS",
        number(0, 3600),
        "60",
        "Seconds without a sign of life after which `manage.py up` ends and replaces a process;"
        " 0: never",
    ),
)
VARIABLES: Final[Mapping[str, Variable]] = {each.name: each for each in _TABLE}


def read(name: str, *, is_public: bool = False) -> Any:
    """Return the value of a variable; None if it is unset and the settings make its default."""
    variable = VARIABLES[name]
    default = variable.default
    if is_public and variable.public is not None:
        default = variable.public
    text = os.environ.get(name, default)
    return None if text is None else variable.read(text)


def judge_all() -> None:
    """Judge every variable that is set, also those that these settings do not use."""
    for name, variable in VARIABLES.items():
        if name in os.environ:
            variable.read(os.environ[name])


def require_settings() -> None:
    """Refuse a DJANGO_SETTINGS_MODULE that is no module of settings."""
    name = os.environ.get("DJANGO_SETTINGS_MODULE", "")
    try:
        module = import_module(name) if not name.startswith(".") else None
    except (ModuleNotFoundError, ValueError) as problem:
        missing = getattr(problem, "name", None)
        if missing and not f"{name}.".startswith(f"{missing}."):
            raise
        module = None
    if not hasattr(module, "INSTALLED_APPS"):
        refuse("DJANGO_SETTINGS_MODULE must be a module of settings, like rpsite.settings.prod.")
