"""Celery's application. Tasks take no arguments and store no results."""

import logging.config
import os
import time
import warnings
from typing import Any

from celery import Celery
from celery.signals import (
    beat_init,
    before_task_publish,
    celeryd_init,
    heartbeat_sent,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
    worker_ready,
)

from games.realtime import access
from games.realtime.access import new_id, trace
from rpsite.processes.signs import die_with_parent, leave_with_parent, sign
from rpsite.variables import require_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.prod")
require_settings()

application = Celery("rpsite")
application.config_from_object("django.conf:settings", namespace="CELERY")
application.autodiscover_tasks()

# Only JSON is accepted, so a message cannot run code; the warning is about pickle.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")


@setup_logging.connect
def _use_the_sites_logging(**_: Any) -> None:
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


#: The worker's process id; a fork does not change it in pool processes.
_worker = os.getpid()


@celeryd_init.connect
@beat_init.connect
def _end_with_the_runner(**_: Any) -> None:
    if runner := os.environ.get("SITE_RUNNER"):
        leave_with_parent(int(runner), patience=10.0)


@before_task_publish.connect
def _pass_the_id_on(headers: dict[str, Any], **_: Any) -> None:
    """Give a task the id of the request or frame that sends it; one from beat gets a new one."""
    headers["trace"] = trace.get() or new_id()


@task_prerun.connect
def _take_the_id(task: Any, **_: Any) -> None:
    trace.set(getattr(task.request, "trace", None) or new_id())
    task.request.begun = time.monotonic()


@task_postrun.connect
def _note_the_task(task: Any, state: str, **_: Any) -> None:
    ms = access.milliseconds(time.monotonic() - task.request.begun)
    access.note("task", task=task.name, result=state.lower(), ms=ms)


@heartbeat_sent.connect
def _note_the_worker(**_: Any) -> None:
    """Note every now and then that the worker is connected to the broker; it sends each 2 s."""
    from rpsite.pulse import WORKER

    sign()
    WORKER.beat()


@worker_ready.connect
def _look_at_the_mail(**_: Any) -> None:
    """Note that mail works as soon as a worker is back, not when beat asks: it was no outage."""
    application.send_task("rpsite.watch_mail", expires=20)


@worker_process_init.connect
def _begin_in_the_pool(**_: Any) -> None:
    from rpsite.db import limit_statements
    from rpsite.processes.limits import let_collector_rest

    die_with_parent(_worker)
    limit_statements()
    let_collector_rest()
