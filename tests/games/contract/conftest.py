"""Every test that asks for ``game`` is run for each table game."""

import pytest

from tests.games.contract.kit import SLUGS, Tried, tried


@pytest.fixture(params=SLUGS, scope="session")
def game(request: pytest.FixtureRequest) -> Tried:
    return tried(request.param)
