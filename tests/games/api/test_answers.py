"""The answers of every operation are those that were recorded before django-ninja."""

from pathlib import Path
from typing import Any

import pytest

from tests.games.api.recorder import recorded

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ANSWERS = Path(__file__).with_name("answers.txt")


def test_api_answers_are_the_recorded_ones(tmp_path: Path, clock: Any) -> None:
    found = tmp_path / ANSWERS.name
    found.write_text(recorded(), "utf-8")
    assert found.read_text("utf-8").splitlines() == ANSWERS.read_text("utf-8").splitlines(), (
        f"if they may differ: cp {found} {ANSWERS}"
    )
