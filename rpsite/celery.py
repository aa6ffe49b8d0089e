"""Celery's application.  It says when, never what: tasks take no arguments and keep no results."""

import logging.config
import os
import warnings
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init, setup_logging, worker_process_init

from rpsite.processes.parent import die_with_parent, leave_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.prod")

application = Celery("rpsite")
application.config_from_object("django.conf:settings", namespace="CELERY")
application.autodiscover_tasks()

# Only JSON is accepted, so a message cannot run code; the warning is meant for pickle.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")


@setup_logging.connect
def _use_the_sites_logging(**_: Any) -> None:
    """Let worker and beat write the same lines as Django."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


#: The worker itself, as its pool processes know it: a fork leaves this as it is.
_worker = os.getpid()


@celeryd_init.connect
@beat_init.connect
def _end_with_the_runner(**_: Any) -> None:
    """Let neither worker nor beat outlive a runner that was killed."""
    if runner := os.environ.get("SITE_RUNNER"):
        leave_with_parent(int(runner), patience=10.0)


@worker_process_init.connect
def _begin_in_the_pool(**_: Any) -> None:
    """Let no pool process outlive a worker that was killed, nor wait long for the database."""
    from rpsite.processes.memory import let_collector_rest
    from rpsite.serving import limit_statements

    die_with_parent(_worker)
    limit_statements()
    let_collector_rest()
