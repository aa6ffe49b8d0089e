"""Proofs of rounds: ``verify.py`` accepts each, and refuses each change."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.api.operations import allowances
from games.arena.models import Fight, Player, Round
from games.arena.rules.actions import Prefer
from games.arena.rules.options import OPTIONS, Preference
from games.arena.rules.scores import BEST_CHOICE_DOWN_TO
from games.matches.services.commitments import sequence
from tests.forms import form
from tests.games.arena.kit import ArenaKit, allow
from tests.games.matches.test_proofs import VERIFY, changes, holds, with_change
from tests.hostile.kit import browser
from tests.js.test_verifiers import VERIFIERS, said_of

pytestmark = pytest.mark.django_db

COUNT = form(16, in_all=32, in_long=1_000)


def verified(proof: Any) -> list[str]:
    """Return what the program says of a proof."""
    return list(VERIFY["verify"](json.loads(json.dumps(proof))))


def proof_of(no: int | str) -> Any:
    """Return what the address of a round's proof gives; the allowance is a new one."""
    allowances.clear()
    return browser().get(reverse("arena_round_proof", args=[no])).json()


def fought(count: int) -> list[Any]:
    """Return the proofs of rounds with all options, random choices and low streaks."""
    chance = random.Random(count)
    allow(plain_rounds=0)
    kit = ArenaKit(7)
    kit.begin()
    proofs = []
    for number in range(count):
        # The options come on one after the other, and go off in the same order.
        turn, place = divmod(number, len(OPTIONS))
        for user in kit.people:
            kit.do(user, Prefer(OPTIONS[place], Preference("off" if turn % 2 else "on")))
        lowest = [user.pk for user in chance.sample(kit.people, 3)]
        Player.objects.filter(pk__in=lowest).update(streak=BEST_CHOICE_DOWN_TO)
        # Under Survivor two sit out, even when all have just got their health.
        Player.objects.filter(pk__in=lowest[1:]).update(health=0)
        kit.choose(*(chance.choice(("rock", "paper", "scissors", "", "")) for _ in kit.people))
        over = kit.end()
        sequence(kit.now)
        proofs.append(proof_of(over.no))
    return proofs


def test_proof_of_every_round_holds_and_no_change_of_it(tmp_path: Path) -> None:
    proofs = fought(COUNT)
    for proof in proofs:
        assert len(verified(proof)) == len(VERIFY["ROUND"])
    # Everything that chance decides is among them.
    assert {how for proof in proofs for how in proof["how"]} == set("crb-")
    assert {team for proof in proofs for team in proof["teams"]} == set("01-")
    wrong = [
        with_change(proof, path)
        for proof in proofs[-4:]
        for path in changes(proof)
        # With some counts another option gives the same table.
        if path not in (("options", "count"), ("options", "inverted"))
    ]
    plain = next(proof for proof in proofs if not proof["options"]["count"])
    wrong.append(with_change(plain, ("options", "inverted")))
    assert len(wrong) > 100
    assert [changed for changed in wrong if holds(changed)] == []
    for verifier in VERIFIERS:
        assert said_of(verifier, proofs, tmp_path) == [None] * len(proofs)
        said = said_of(verifier, wrong, tmp_path)
        assert [changed for changed, why in zip(wrong, said, strict=True) if why is None] == []


def test_proof_of_a_round_says_when_the_parts_of_its_players_are_gone() -> None:
    (proof,) = fought(1)
    no = proof["round"]
    Fight.objects.all().delete()
    Round.objects.filter(no=no).update(is_full=False, choices="")
    left = proof_of(no)
    assert left == proof | {"choices": "", "how": "", "moves": "", "teams": ""}
    assert "what each player did is no longer kept" in verified(left)


def test_proof_of_a_round_names_nobody_and_does_not_exist_before_its_end() -> None:
    (proof,) = fought(1)
    running = Round.objects.get(no=proof["round"] + 1)
    for no in (running.no, 0, "x", 10**30):
        assert proof_of(no)["error"]["code"] == "not_found"
    text = json.dumps(proof)
    for user in User.objects.all():
        assert user.username not in text
    assert running.link not in text
