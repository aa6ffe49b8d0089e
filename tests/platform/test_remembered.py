"""Kits whose rows are remembered: what a test may rely on."""

import time
from datetime import timedelta
from types import SimpleNamespace
from unittest import mock

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.matches.processing import outage
from tests import remembered
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


def test_kits_of_one_test_open_at_one_time():
    """A remembered match is some seconds old; one that is new beside it must not be younger."""
    if connection.vendor != "sqlite":
        pytest.skip("nothing is remembered on PostgreSQL")
    process_id = outage.own_process_id()
    with transaction.atomic():
        before = TableKit(new_user("remembered"), seats=2)
        transaction.set_rollback(True)
    outage._own.process_id = process_id
    remembered.memory.begin(is_replacing=False)
    later = SimpleNamespace(monotonic=lambda: time.monotonic() + 20)
    with mock.patch.object(remembered, "time", later):
        first = TableKit(new_user("remembered"), seats=2)
        second = TableKit(new_user("not remembered"), seats=2)
    assert first.now == before.now
    assert timezone.now() - second.now > timedelta(seconds=20)
