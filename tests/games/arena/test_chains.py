import json

import pytest
from django.urls import reverse

from games.arena import rounds
from games.arena.models import Chain, Round
from games.arena.rounds import drop
from games.engine.draws import digest_of_round, hash_of_parts, hash_of_seed, mixed_seed
from games.engine.facts import instant
from games.matches.models import LogLeaf, Pledge
from games.proofs.commitments import sequence
from tests.games.arena.kit import moment, playing
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db


def test_arena_links_lead_back_to_the_published_anchor() -> None:
    kit = playing(4)
    rounds = [kit.play("rock", "paper", "", "scissors") for _ in range(3)]
    chain = Chain.objects.get()
    told = chain.pledge.seed_commitment
    for each in rounds:
        assert hash_of_seed(each.link) == each.commitment == told
        told = each.link
    before = ""
    for each in rounds:
        assert each.seed == mixed_seed(each.link, each.no, before)
        told = {
            "at": instant(each.ends_at),
            "chooser": json.loads(each.chooser or ""),
            "options": json.loads(each.options),
            "parts": hash_of_parts(each.choices, each.candidates or "", "-" * 4),
        }
        assert each.digest == digest_of_round(each.no, told)
        before = each.digest
    assert rounds[0].choices == "rp-s"


@pytest.mark.plain
def test_arena_lost_round_burns_its_link() -> None:
    kit = playing(4)
    lost = kit.round
    drop(lost, kit.now)
    link = rounds.link_of(lost.no + 1, kit.now)
    assert hash_of_seed(link) == lost.link
    assert mixed_seed(link, lost.no + 1, lost.digest) != mixed_seed(link, lost.no + 1, "00")


@pytest.mark.plain
def test_arena_next_chain_is_published_when_half_of_one_is_played(monkeypatch) -> None:
    monkeypatch.setattr(rounds, "LENGTH", 8)
    at = moment()
    seen = [rounds.link_of(no, at) for no in range(1, 21)]
    assert [chain.first_no for chain in Chain.objects.order_by("first_no")] == [1, 9, 17]
    anchors = {chain.first_no: chain.pledge.seed_commitment for chain in Chain.objects.all()}
    for no, link in enumerate(seen, 1):
        assert hash_of_seed(link) == anchors.get(no, seen[no - 2])
    assert rounds.chain_of(25) is None
    assert len(set(seen)) == 20


@pytest.mark.plain
def test_arena_anchor_is_in_the_public_log_and_its_root_nowhere() -> None:
    kit = playing(4)
    sequence(kit.now)
    pledged = Pledge.objects.get(game="arena")
    leaf = LogLeaf.objects.get(commitment=pledged.seed_commitment)
    over = kit.play("rock", "paper", "scissors", "rock")
    current = Round.objects.get(no=over.no + 1)
    page = browser().get(reverse("arena_round", args=[over.no])).content.decode()
    assert {pledged.seed_commitment, over.link, over.seed} <= set(
        page.replace("<", " ").replace(">", " ").split()
    )
    for secret in (pledged.seed, current.link, current.seed):
        assert secret not in page + leaf.text + repr(pledged) + repr(Chain.objects.get())
