from pathlib import Path

import pytest

from games import registry
from tests.games.contract.kit import OF_THE_SITE
from tests.games.journals import play_again, record, recordings

RECORDED = recordings()


@pytest.mark.parametrize(("game", "version"), RECORDED, ids=str)
def test_journal_of_a_version_comes_out_the_same(game: str, version: int) -> None:
    path: Path = RECORDED[game, version]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert play_again(game, version, lines) == lines, (
        "the rules of a version behave otherwise: a running match could not go on;"
        " give the new behaviour a new version"
    )
    assert sum('"kind":"game_started"' in line for line in lines) >= 3
    assert any('"kind":"deadline"' in line for line in lines)


def test_journal_of_every_version_is_recorded_and_the_same_every_time() -> None:
    wanted = {(slug, version) for slug in OF_THE_SITE for version in registry.table(slug).rules}
    assert wanted == set(RECORDED)
    slug = next(game.slug for game in registry.tables())
    assert list(record(slug)) == list(record(slug))
