import copy
import json
import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.api.operations import allowances
from games.arena.models import Player, Round
from games.arena.personal import forget_old_rounds
from games.arena.resolving import _fixed
from games.arena.rules.actions import Prefer
from games.arena.rules.options import OPTIONS, Preference
from games.arena.rules.scores import BEST_CHOICE_DOWN_TO
from games.engine.draws import digest_of_round, hash_of_parts
from games.proofs.commitments import sequence
from tests.forms import form
from tests.games.arena.kit import allow, playing
from tests.games.proofs.test_proofs import VERIFY, changes, holds, with_change
from tests.hostile.kit import browser
from tests.js.test_verifiers import VERIFIERS, said_of

pytestmark = pytest.mark.django_db

COUNT = form(16, in_all=32, in_long=1_000)
#: The parts that are kept for a week.
GONE = dict.fromkeys(("choices", "how", "moves", "teams", "candidates", "bots"), "")


def verified(proof: Any) -> list[str]:
    return list(VERIFY["verify"](json.loads(json.dumps(proof))))


def proof_of(no: int | str) -> Any:
    allowances.clear()
    return browser().get(reverse("arena_round_proof", args=[no])).json()


def fought(count: int, people: int = 7) -> list[Any]:
    chance = random.Random(count)
    allow(plain_rounds=0)
    kit, proofs = playing(people), []
    for number in range(count):
        # The options come on one after the other, and go off in the same order.
        turn, place = divmod(number, len(OPTIONS))
        for user in kit.people:
            kit.do(user, Prefer(OPTIONS[place], Preference("off" if turn % 2 else "on")))
        lowest = [user.pk for user in chance.sample(kit.people, min(3, people))]
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
    wrong = [with_change(proof, path) for proof in proofs[-4:] for path in changes(proof)]
    assert len(wrong) > 100
    assert [changed for changed in wrong if holds(changed)] == []
    for verifier in VERIFIERS:
        assert said_of(verifier, proofs, tmp_path) == [None] * len(proofs)
        said = said_of(verifier, wrong, tmp_path)
        assert [changed for changed, why in zip(wrong, said, strict=True) if why is None] == []


def with_digest(proof: Any) -> Any:
    parts = hash_of_parts(proof["choices"], proof["candidates"], proof["bots"])
    proof["parts"] = parts if proof["choices"] else proof["parts"]
    told = {name: proof[name] for name in ("at", "chooser", "options", "parts")}
    return proof | {"digest": digest_of_round(proof["round"], told)}


def bot_chooses_otherwise(proof: Any) -> Any:
    place = proof["bots"].index("b")
    move = "p" if proof["choices"][place] == "r" else "r"
    for name in ("choices", "moves"):
        proof[name] = proof[name][:place] + move + proof[name][place + 1 :]
    proof["counts"] = [proof["moves"].count(letter) for letter in "rps"]
    table = VERIFY["table_of"](proof["counts"], proof["options"])
    proof["table"] = [["TWL"[sign] for sign in row] for row in table]
    return with_digest(proof)


def another_one_is_drawn(proof: Any) -> Any:
    proof["chooser"][0] = (proof["chooser"][0] + 1) % proof["chooser"][1]
    return with_digest(proof)


def nobody_is_drawn_for_an_option(proof: Any) -> Any:
    proof["candidates"] = proof["candidates"].replace("c", "-")
    proof["options"]["blitz"] = True
    return with_digest(proof | {"chooser": None})


def another_option_held(proof: Any) -> Any:
    proof["options"]["blitz"] = not proof["options"]["blitz"]
    return proof


def test_proof_of_a_round_with_bots_holds_and_no_tampering_before_its_digest(tmp_path) -> None:
    proofs = fought(len(OPTIONS), people=2)
    assert all("b" in proof["bots"] for proof in proofs)
    honest = next(proof for proof in proofs if proof["chooser"] and not proof["options"]["team"])
    tampered = (bot_chooses_otherwise, another_one_is_drawn, nobody_is_drawn_for_an_option)
    wrong = [each(copy.deepcopy(honest)) for each in (*tampered, another_option_held)]
    wrong.append(with_digest(honest | GONE))
    assert [holds(proof) for proof in wrong] == [False] * len(wrong)
    for verifier in VERIFIERS:
        assert said_of(verifier, proofs, tmp_path) == [None] * len(proofs)
        assert None not in said_of(verifier, wrong, tmp_path)
    assert holds(with_digest(copy.deepcopy(honest)))


def test_proof_of_a_round_from_before_holds_as_then() -> None:
    (proof,) = fought(1)
    no, choices = proof["round"], proof["choices"]
    # As the older code has stored it.
    older = {"candidates": None, "chooser": None}
    Round.objects.filter(no=no).update(**older, parts=None, digest=digest_of_round(no, choices))
    old = proof_of(no)
    assert (old["format"], set(old["options"])) == (1, {"count", "inverted", "team"})
    assert len(verified(old)) == len(VERIFY["ROUND"])
    # One that began before an upgrade is counted so.
    running = Round(no=no, options="{}", **older)
    assert _fixed(running, "rp", "--") == {"choices": "rp", "digest": digest_of_round(no, "rp")}


def test_proof_of_a_round_says_when_the_parts_of_its_players_are_gone(monkeypatch) -> None:
    (proof,) = fought(1)
    later = datetime.fromtimestamp(proof["at"] / 1000, UTC) + timedelta(days=8)
    forget_old_rounds(later)
    left = proof_of(proof["round"])
    assert left == proof | GONE
    assert not holds(left)
    monkeypatch.setattr(time, "time", later.timestamp)
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
