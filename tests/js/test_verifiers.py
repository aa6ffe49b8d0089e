"""The verifiers in JavaScript: the page's own, and one written from the documents alone."""

import copy
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from tests.games.proofs.proof_games import PLAYED, logged_days_ago, played
from tests.games.proofs.tamperings import tampered
from tests.games.proofs.test_proofs import changes, with_change
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db

HERE = Path(__file__).resolve().parent
VERIFIERS = ("second_verifier", "browser_verifier")


def said_of(verifier: str, proofs: list[Any], folder: Path) -> list[str | None]:
    """Return what a verifier says of each proof, None where it holds."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    path = folder / "proofs.json"
    path.write_text(json.dumps(proofs))
    hooks = ["--import", str(HERE / "hooks.mjs")] if verifier == "browser_verifier" else []
    done = subprocess.run(
        [node, *hooks, str(HERE / f"{verifier}.mjs"), str(path)],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        env=os.environ | {"CONFIG": "{}"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[str | None] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_verifier_accepts_random_games_and_refuses_each_change(verifier, tmp_path) -> None:
    matches = [played(game, seed, is_old=seed % 2 > 0) for game in PLAYED for seed in range(5)]
    proofs = logged_days_ago(matches)
    assert said_of(verifier, proofs, tmp_path) == [None] * len(proofs)
    wrong = []
    # One of every game.
    for proof in proofs[::5]:
        kinds: dict[Any, Any] = {}
        for path in changes(proof):
            kinds.setdefault(tuple(key for key in path if isinstance(key, str)), path)
        wrong += [with_change(proof, path) for path in kinds.values()]
        if proof["draws"]:
            wrong += [{**copy.deepcopy(proof), "draws": proof["draws"][1:]}]
        wrong += [{**copy.deepcopy(proof), "entries": proof["entries"][:-1]}]
    assert len(wrong) > 40 * len(PLAYED)
    assert None not in said_of(verifier, wrong, tmp_path)


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_verifier_refuses_what_was_tampered_with_before_it_was_logged(verifier, tmp_path) -> None:
    names, honest, wrong = zip(*tampered(), strict=True)
    assert said_of(verifier, list(honest), tmp_path) == [None] * len(names)
    said = zip(names, said_of(verifier, list(wrong), tmp_path), strict=True)
    assert [name for name, why in said if why is None] == []


@pytest.mark.plain
def test_page_of_proofs_names_the_match_and_says_what_is_claimed() -> None:
    match = played("duel", 1)
    logged_days_ago([match])
    page = browser().get(f"{reverse('proof')}?match={match.public_id}").content.decode()
    claim = (
        "Nobody can choose a draw unless the site itself plays or aborts, and aborts are counted"
    )
    for text in (match.public_id, claim, "verify.py", "noscript", "css/proof.css"):
        assert text in page
