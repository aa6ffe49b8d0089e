"""Every test that asks for ``game`` is run for each table game."""

import pytest

from tests.games.contract.kit import SLUGS, Tried, tried


@pytest.fixture(params=SLUGS, scope="session")
def game(request: pytest.FixtureRequest) -> Tried:
    """One of the table games."""
    return tried(request.param)
