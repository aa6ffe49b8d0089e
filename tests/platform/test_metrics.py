import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from asgiref.sync import sync_to_async
from channels.testing import HttpCommunicator
from django.utils import timezone
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import User
from economy import overview
from games.matches.models import Match, SelfCheck
from games.matches.processing import repair
from games.matches.processing.status import note_check, note_working
from games.realtime import measures
from games.realtime.protocol import Close
from rpsite.env import ROOT
from rpsite.metrics import Metrics
from tests.boot import PATIENCE
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tests.games.socket_kit import make_table, opened, running_site, until_true
from tools.rolling import other_port, ports_in

PROMETHEUS = ROOT / "deploy/prometheus"
(_group,) = yaml.safe_load((PROMETHEUS / "rules.yml").read_text())["groups"]
RULES = _group["rules"]
BOARD = ROOT / "deploy/grafana/rock-and-racket.json"
#: Type, name and labels of what a process of 1.2.0 tells.
RELEASED = Path(__file__).with_name("metrics.txt").read_text("utf-8").splitlines()
#: The names of metrics in the board's questions.
OURS = re.compile(r"\b(?:rr|process)_[a-z_]+")


async def nothing(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def ask(path: str = "/metrics", peer: str = "127.0.0.1", **headers: str) -> tuple[int, str]:
    given = {"host": "127.0.0.1:8001", **headers}
    sent = [(name.replace("_", "-").encode(), text.encode()) for name, text in given.items()]
    line = HttpCommunicator(Metrics(nothing), "GET", path, headers=sent)
    line.scope["client"] = (peer, 4711)
    answer = await line.get_response(PATIENCE)
    return answer["status"], answer["body"].decode()


def lacking(asked: list[dict[str, Any]], text: str) -> set[str]:
    """Return the metrics that are asked for and that a scrape does not give."""
    wanted = {name for each in asked for name in OURS.findall(each["expr"])}
    assert len(wanted) >= 12
    told = re.findall(r"^(?:# TYPE (\w+) |(\w+)(?:{.*})? \S+$)", text, re.MULTILINE)
    return wanted - {name for pair in told for name in pair}


def told(name: str, **labels: str) -> float:
    """Return a number that this process has counted."""
    value = REGISTRY.get_sample_value(name, labels)
    assert value is not None
    return value


def prepared() -> tuple[Match, list[User], list[str]]:
    """Return a table, after an audit, a restore test and a note that parts work."""
    overview.record_audit(timezone.now(), 0)
    note_check(SelfCheck.Kind.RESTORE, "all is well")
    note_working(["web", "worker"])
    return make_table(seats=2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
async def test_metrics_tell_what_a_web_process_does_and_all_that_the_board_asks(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("rpsite.backups.made", lambda: [tmp_path])
    match, users, cookies = await sync_to_async(prepared)()
    before = told("rr_answer_seconds_count")
    async with running_site() as running:
        page = await opened(match, cookies[0])
        assert (await page.act(kind="sit", seat=0, purse=50))["type"] == "ack"
        await until_true(lambda: told("rr_answer_seconds_count") > before)
        await until_true(lambda: running.bus.is_listening)
        status, text = await ask()
        await page.leave()
    assert status == 200
    panels = json.loads(BOARD.read_text())["panels"]
    assert lacking([target for panel in panels for target in panel["targets"]], text) == set()
    for line in ('rr_sockets{kind="match"} 1.0', "rr_database_up 1.0", "rr_redis_connected 1.0"):
        assert line in text
    assert 'rr_component_timestamp_seconds{component="worker"}' in text
    for secret in (users[0].username, match.public_id, match.seed):
        assert secret not in text


def series(text: str) -> set[str]:
    """Return each type with a name and the names of its labels."""
    return {
        f"{family.type} {sample.name}{{{','.join(sorted(sample.labels))}}}"
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.django_db(transaction=True)
async def test_metrics_have_the_names_labels_and_types_of_the_release_and_no_others():
    match, _, cookies = await sync_to_async(prepared)()
    async with running_site() as running:
        await opened(match, cookies[0])
        for socket in [*running.sockets]:
            socket.close(Close.RESTART)
        page = await opened(match, cookies[1])
        _, text = await ask()
        _, other = await ask(accept="application/openmetrics-text; version=1.0.0")
        await page.leave()
    assert series(text) == set(RELEASED)
    assert other.endswith("# EOF\n")
    assert "_created" not in text + other


@pytest.mark.django_db(transaction=True)
async def test_all_metrics_of_the_alerts_are_there_before_the_first_audit(monkeypatch):
    monkeypatch.setattr("rpsite.backups.made", list)
    await sync_to_async(overview.cache.delete)(overview.AUDIT_KEY)
    async with running_site():
        _, text = await ask()
    assert lacking(RULES, text) == set()
    for never in ("rr_audit_timestamp_seconds", 'rr_check_timestamp_seconds{check="restore"}'):
        assert f"\n{never} 0.0\n" in text
    assert "\nrr_audit_violations NaN\n" in text


def test_alerts_fire_on_absence_and_say_what_is_wrong() -> None:
    assert {rule["labels"]["severity"] for rule in RULES} == {"page", "ticket"}
    assert all(rule["annotations"]["summary"].endswith(".") for rule in RULES)
    for rule in RULES:
        for name in re.findall(r"time\(\) - [^(]*(?:\(\w+\) )?\((\w+)", rule["expr"]):
            assert f"absent({name}" in rule["expr"], rule["alert"]
    gone = [rule for rule in RULES if rule["expr"].startswith("absent(rr_process")]
    assert [rule["labels"]["severity"] for rule in gone] == ["page"]


def test_example_of_prometheus_asks_the_ports_of_nginx_and_their_pairs() -> None:
    read = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text())
    (job,) = read["scrape_configs"]
    ports = {int(each.rpartition(":")[2]) for each in job["static_configs"][0]["targets"]}
    served = set(ports_in(ROOT / "deploy/nginx/upstreams.conf"))
    assert served | set(map(other_port, ports)) <= ports
    assert all((PROMETHEUS / name).is_file() for name in read["rule_files"])


@pytest.mark.django_db
async def test_metrics_are_for_this_machine_or_for_who_shows_the_token(settings):
    status, text = await ask()
    assert (status, f'version="{settings.VERSION}"' in text) == (200, True)
    assert (await ask(host="[::1]:8001", peer="::ffff:127.0.0.1"))[0] == 200
    foreign = [{"peer": "192.0.2.7"}, {"x_forwarded_for": "192.0.2.7"}]
    foreign += [{"host": "play.example"}, {"host": "localhost.evil.example"}]
    assert [(await ask(**each))[0] for each in foreign] == [404] * 4
    assert await ask("/metrics/") == (204, "")
    settings.METRICS_TOKEN = "s3cret"
    assert (await ask())[0] == 404
    assert (await ask(authorization="Bearer s3cre"))[0] == 404
    assert (await ask(peer="192.0.2.7", authorization="Bearer s3cret"))[0] == 200


@pytest.mark.django_db
async def test_hostile_90_a_public_site_shows_metrics_to_nobody_without_the_token(settings):
    """A proxy here that passes bytes on, with a Host of the client's choice."""
    settings.METRICS_HERE = False
    assert (await ask())[0] == 404
    settings.METRICS_TOKEN = "s3cret"
    assert (await ask(authorization="Bearer s3cret"))[0] == 200


@pytest.mark.django_db
def test_deadline_that_fires_tells_by_how_much_it_was_late():
    kit = DuelKit(new_user(), new_user())
    kit.start()
    kit.now = kit.row.due_at + timedelta(seconds=2)
    kit.beat()
    assert repair.fire_due([kit.match.pk], kit.now).late == [2.0]


def test_histogram_counts_by_upper_bound():
    def jobs() -> list[float]:
        bounds = [told("rr_batch_jobs_bucket", le=bound) for bound in ("1.0", "2.0", "4.0", "+Inf")]
        return [*bounds, told("rr_batch_jobs_sum")]

    before = jobs()
    for size in (1, 1, 2, 300):
        measures.batches.observe(size)
    assert [now - then for now, then in zip(jobs(), before, strict=True)] == [2, 3, 3, 4, 304]
