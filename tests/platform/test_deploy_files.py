import contextlib
import http.client
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.management import get_commands, load_command_class
from django.urls import URLPattern, URLResolver, get_resolver

from games.matches.models.matches import new_public_id
from rpsite.processes import runner, signs
from rpsite.routing import websocket_urlpatterns
from tests.boot import PATIENCE, ROOT
from tests.platform.site import free_port, wait_until_open
from tools import debian, nginx, rolling

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
PYTHON = "/srv/rock-and-racket/current/.venv/bin/python"
IMAGE = (DEPLOY / "Containerfile").read_text()
SERVICES = (COMPOSE := yaml.safe_load((DEPLOY / "compose.yaml").read_text()))["services"]
WEB = SERVICES["web"]
_page = (ROOT / "docs/reference/environment.md").read_text()
#: The variables of the reference page, and Django's own.
VARIABLES = {*re.findall(r"^\| `([A-Z_]+)` \|", _page, re.MULTILINE), "DJANGO_SETTINGS_MODULE"}


def assert_is_ours(words: list[str]) -> None:
    """The words after ``python`` are a command of this repository with options that it has."""
    if words[0] == "manage.py":
        command = load_command_class(get_commands()[words[1]], words[1])
        command.create_parser("manage.py", words[1]).parse_args(words[2:])
        return
    ours = {"worker": runner.worker({}), "beat": runner.beat({})}
    assert words[:4] == list(ours["beat"].command[1:5])
    rest = [word for word in words[4:] if word != "--quiet"]
    known = [word for word in ours[rest[0]].command[5:] if word != "--quiet"]
    name = known.index("-n") if "-n" in known else len(known)
    assert rest[:name] == known[:name]
    assert rest[name : name + 1] in ([], ["-n"])


def self_signed(directory: Path, name: str) -> None:
    """Write a certificate and its key, as nginx.conf names them."""
    key = ec.generate_private_key(ec.SECP256R1())
    who, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), datetime.now(UTC)
    made = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now).not_valid_after(now + timedelta(days=1))
    pem = serialization.Encoding.PEM
    (directory / "fullchain.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(pem))
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (directory / "privkey.pem").write_bytes(key.private_bytes(pem, *plain))


def said_by(command: list[Any]) -> str:
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    return tried.stderr


@pytest.mark.parametrize("upstreams", ["upstreams.conf", "upstreams-compose.conf"])
@pytest.mark.processes
@pytest.mark.fault_profile
def test_nginx_accepts_its_configuration(tmp_path, upstreams):
    for file in (DEPLOY / "nginx").iterdir():
        shutil.copy(file, tmp_path)
    self_signed(tmp_path, "play.example")
    main = tmp_path / "nginx.conf"
    text = main.read_text().replace("/etc/nginx/tls", str(tmp_path))
    text = text.replace("/run/nginx.pid", str(tmp_path / "nginx.pid"))
    main.write_text(text.replace("include mime.types", "include /etc/nginx/mime.types"))
    # nginx looks names up when it starts; the network of the containers is not here.
    text = (tmp_path / upstreams).read_text().replace("server web:", "server localhost:")
    (tmp_path / "upstreams.conf").write_text(text)
    assert "warn" not in said_by([nginx.ensure(), "-t", "-c", main])


def addresses(patterns: list[Any], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, here)
        elif isinstance(pattern, URLPattern):
            yield "/" + here


@contextlib.contextmanager
def listening(directory: Path, port: int, servers: str) -> Iterator[None]:
    """Run an nginx with these servers, until it accepts connections and beyond."""
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(nginx.command(directory / "nginx", servers), stderr=log)
    try:
        wait_until_open(port, process, directory / "log")
        yield
    finally:
        process.terminate()
        process.wait()


def ask(port: int, path: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as problem:
        return problem.code, ""


def place_of(address: str, public_id: str) -> str:
    """Return what the requests of an address have in common, by which nginx sends them on."""
    if "public_id" in address:
        return public_id
    if address.startswith("/ws/arena/"):
        return "arena"
    if address.startswith(("/rpc/ladder", "/ladder/")):
        return "ladder"
    is_own = address.startswith(("/ws/practice/", "/ws/daily/", "/practice/", "/daily/"))
    return "mine" if is_own else ""


@pytest.mark.processes
@pytest.mark.fault_profile
def test_nginx_knows_the_match_of_every_address_that_has_one(tmp_path):
    no, port = new_public_id(), free_port()
    sockets = [f"/{each.pattern}" for each in websocket_urlpatterns]
    every = [*addresses(get_resolver().url_patterns), *sockets]
    assert sum("public_id" in address for address in every) > 30
    shown = f"server {{ listen 127.0.0.1:{port}; location / {{ return 200 [$own_place]; }} }}"
    with listening(tmp_path, port, shown):
        for address in every:
            path = re.sub(r"<[^>]+>", "7", re.sub(r"<(\w+:)?public_id>", no, address))
            _, said = ask(port, path, Cookie="practice=mine")
            assert (address, said) == (address, f"[{place_of(address, no)}]")


@pytest.mark.processes
@pytest.mark.fault_profile
def test_nginx_takes_a_hundred_requests_of_an_address_at_once_and_refuses_a_flood(tmp_path):
    port, away = free_port(), free_port()
    (tmp_path / "upstreams.conf").write_text(f"upstream web {{ server 127.0.0.1:{away}; }}")

    def said_to(own: str, count: int) -> Counter[tuple[int, str | None]]:
        said: Counter[tuple[int, str | None]] = Counter()
        line = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, source_address=(own, 0))
        for _ in range(count):
            line.request("GET", "/")
            answer = line.getresponse()
            answer.read()
            said[answer.status, answer.getheader("Retry-After")] += 1
        line.close()
        return said

    # Nobody is behind it: what is let through is 502.
    with listening(tmp_path, port, nginx.site(tmp_path, f"127.0.0.1:{port}", tmp_path)):
        assert said_to("127.0.0.2", 100) == {(502, None): 100}
        flood = said_to("127.0.0.3", 2_000)
        assert flood[503, "5"] + flood[502, None] == 2_000
        assert flood[503, "5"] > 0
        assert said_to("127.0.0.1", 1_000) == {(502, None): 1_000}


@pytest.mark.processes
@pytest.mark.fault_profile
def test_nginx_shows_the_copy_of_the_status_while_no_web_process_answers(tmp_path):
    port, nobody = free_port(), free_port()
    home = tmp_path / "nginx"
    home.mkdir()
    (home / "upstreams.conf").write_text(rolling.upstreams([nobody]))
    with listening(tmp_path, port, nginx.site(home, f"127.0.0.1:{port}", tmp_path)):
        assert ask(port, "/status/")[0] == 503
        (tmp_path / "status.html").write_text("as of noon")
        assert ask(port, "/status/") == (200, "as of noon")
        assert ask(port, "/rules/")[0] == 502


CLIENTS = """
2001:db8:1:2::6   2001:db8:1:2:3:4:5:6  2001:db8:1:2:
2001:db8:1::6     2001:db8:1::7         2001:db8:1::
2001:db8::1       2001:db8::1:2:3:4     2001:db8::
2001::1           2001::2:3:4           2001::
::ffff:192.0.2.7  ::ffff:c000:207       ::ffff:192.0.2.7
192.0.2.7         192.0.2.7             192.0.2.7
127.0.0.1         ::1                   -
"""


@pytest.mark.processes
@pytest.mark.fault_profile
def test_hostile_92_nginx_takes_all_addresses_of_a_network_for_one_client(tmp_path):
    port = free_port()
    trusted = "set_real_ip_from 127.0.0.1; real_ip_header X-Address;"
    shown = f"listen 127.0.0.1:{port}; {trusted} location / {{ return 200 [$client]; }}"
    with listening(tmp_path, port, f"server {{ {shown} }}"):
        for *pair, client in map(str.split, CLIENTS.strip().splitlines()):
            said = [ask(port, "/", **{"X-Address": one}) for one in pair]
            assert said == [(200, f"[{client.strip('-')}]")] * 2


@pytest.mark.processes
@pytest.mark.fault_profile
def test_systemd_accepts_the_units(tmp_path):
    def find() -> Path | None:
        return Path(found) if (found := shutil.which("systemd-analyze")) else None

    python = tmp_path / "python"
    python.symlink_to("/bin/true")
    for unit in UNITS:
        name = unit.name.replace("@", "@8001")
        (tmp_path / name).write_text(unit.read_text().replace(PYTHON, str(python)))
    analyze = debian.ensure(find, ["systemd"])
    # It ignores an unknown key, with a line that says so.
    assert said_by([analyze, "verify", *tmp_path.glob("*.service")]) == ""


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_run_the_commands_of_this_repository(unit):
    """All but the migration are watched for signs of life."""
    lines = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        program, *words = shlex.split(line.replace("%i", "8001"))
        assert program == PYTHON
        assert_is_ours(words)
    watched = re.findall(r"^WatchdogSec=(\d+)$", unit.read_text(), re.MULTILINE)
    if unit.name != "migrate.service":
        assert [int(seconds) for seconds in watched] == [runner.hang_limit()]
    assert runner.hang_limit() > 10 * signs.EVERY


def test_example_of_the_environment_names_variables_of_the_settings():
    lines = (DEPLOY / "environment.example").read_text().splitlines()
    pairs = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    assert pairs.keys() - VARIABLES == set()
    assert {"PUBLIC_URL", "SECRET_KEY", "DATABASE_URL", "TRUST_PROXY"} <= pairs.keys()
    web = (DEPLOY / "systemd/web@.service").read_text()
    (patience,) = re.findall(r"^TimeoutStopSec=(\d+)$", web, re.MULTILINE)
    assert int(patience) > int(pairs["DRAIN_SECONDS"]) + 5
    secret = {name for name in pairs if re.search("SECRET|KEY|TOKEN|DATABASE|EMAIL_URL", name)}
    assert {pairs[name] for name in secret} == {""}


def test_compose_runs_all_parts_with_the_commands_of_this_repository():
    parts = {"postgresql", "valkey", "nginx", "migrate", "web", "worker", "beat"}
    assert (set(SERVICES), SERVICES["migrate"]["command"]) == (parts, "python manage.py prepare")
    for name in ("migrate", "web", "worker", "beat"):
        command = SERVICES[name]["command"]
        if command.startswith("sh -c "):
            command = shlex.split(command)[2]
        for part in command.split(" && "):
            assert_is_ours(shlex.split(part)[1:])


def test_compose_names_variables_volumes_and_files_that_exist():
    for name, service in SERVICES.items():
        if name != "postgresql":
            assert service.get("environment", {}).keys() <= VARIABLES
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            is_file = source.startswith("./nginx/")
            known = source in (*COMPOSE["volumes"], "./tls")
            assert (DEPLOY / source).exists() if is_file else known
        assert set(service.get("depends_on", {})) <= set(SERVICES)
    given, database = WEB["environment"], SERVICES["postgresql"]["environment"]
    assert int(WEB["stop_grace_period"].removesuffix("s")) > int(given["DRAIN_SECONDS"]) + 5
    user, name = database["POSTGRES_USER"], database["POSTGRES_DB"]
    assert re.fullmatch(rf"postgres://{user}:\S+@postgresql/{name}", given["DATABASE_URL"])


def test_ports_of_web_proxy_and_image_are_the_same():
    (port,) = set(re.findall(r"--port (\d+)", WEB["command"]))
    assert f"server web:{port} " in (DEPLOY / "nginx/upstreams-compose.conf").read_text()
    assert f"EXPOSE {port}\n" in IMAGE
    assert f"localhost:{port}/healthz" in WEB["healthcheck"]["test"]
    upstreams = (DEPLOY / "nginx/upstreams.conf").read_text()
    assert set(re.findall(r"server 127.0.0.1:(\d+) ", upstreams)) == {"8001", "8002"}


def test_image_holds_what_the_processes_need():
    copied = set(" ".join(re.findall(r"^COPY (.*) \S+$", IMAGE, re.MULTILINE)).split())
    assert all((ROOT / source).exists() for source in copied)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    needed = packages - {"bench", "tests", "tools"} | {"manage.py", "static", "templates"}
    assert needed | {"requirements.txt", "constraints.txt"} <= copied
    assert "tools/referee" in copied
    (arguments,) = re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
    python, *words = yaml.safe_load(arguments)
    assert python == "python"
    assert_is_ours(words)
    newest = re.search(r"NEWEST_TRIED = (\d+)", (ROOT / "run").read_text())
    assert newest is not None
    assert f"FROM docker.io/library/python:3.{newest[1]}-" in IMAGE


def test_image_runs_the_referee(tmp_path: Path) -> None:
    for source in re.findall(r"^COPY (\w+\S*|manage.py LICENSE) \S+$", IMAGE, re.MULTILINE):
        for name in source.split():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).symlink_to(ROOT / name)
    command = [sys.executable, "manage.py", "referee", "arena", "--random", "2"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "rpsite.settings.test"}
    said = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(said.stdout)["ended"] == 2
