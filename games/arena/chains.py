"""The seeds of rounds: a chain of hashes, used backwards, mixed with the round before.

Each link is the hash of the next round's, so that one published anchor commits to all rounds to
come.  The digest of the round before is mixed in, so that a chain cannot be picked for its draws.

Source: docs/explanation/proof.md "The arena".
"""

import secrets
from datetime import datetime
from functools import lru_cache
from typing import Final

from games.arena import SLUG
from games.arena.models import Chain
from games.engine.draws import hash_of_seed
from games.matches.models import Pledge

#: The rounds of a chain.  The next one is published when half of them are played: more than a day.
LENGTH: Final = 50_000


def link_of(no: int, at: datetime) -> str:
    """Return the secret link of a round, and publish the next chain in time. Call it in the
    leader's transaction.
    """
    chain = chain_of(no)
    if chain is None:
        # The arena's first round, or the first after a chain that nobody followed up.
        chain = _publish(no, at)
    if no >= chain.first_no + chain.length // 2:
        following = chain.first_no + chain.length
        if not Chain.objects.filter(first_no=following).exists():
            _publish(following, at)
    return links(chain.pledge.seed, chain.length)[no - chain.first_no]


def chain_of(no: int) -> Chain | None:
    """Return the chain to which a round belongs."""
    found = Chain.objects.select_related("pledge").filter(first_no__lte=no)
    chain = found.order_by("-first_no").first()
    return chain if chain is not None and no < chain.first_no + chain.length else None


@lru_cache(maxsize=2)
def links(root: str, length: int) -> tuple[str, ...]:
    """Return a chain's links in the order of rounds; the hash of the first is the anchor."""
    made = [root]
    while len(made) < length:
        made.append(hash_of_seed(made[-1]))
    return tuple(reversed(made))


def _publish(first_no: int, at: datetime) -> Chain:
    root = secrets.token_hex(32)
    pledge = Pledge.objects.create(
        public_id=f"{SLUG}-{first_no}",
        game=SLUG,
        rules_version=1,
        seed=root,
        seed_commitment=hash_of_seed(links(root, LENGTH)[0]),
        pledged_at=at,
    )
    return Chain.objects.create(first_no=first_no, length=LENGTH, pledge=pledge)
