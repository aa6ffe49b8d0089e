"""A Merkle tree over texts, as of RFC 6962: one root for many, and a short proof for each.
Source: docs/explanation/proof.md "The log".
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from games.engine.structs import canonical

#: Prefixes keep a leaf's hash and a node's apart.
LEAF, NODE = b"\x00", b"\x01"
#: The ``head`` before the first day.
FIRST_HEAD: Final = "0" * 64


def leaf_hash(text: str) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(LEAF + text.encode()).digest()


def root_and_path(leaves: Sequence[bytes], index: int = 0) -> tuple[str, list[str]]:
    """Return the root over some leaves' hashes, and the path from one of them, both in hex.

    A level's nodes are joined two by two from the left; a last one alone moves up unchanged.  The
    path has the sibling of each level that has one, from the leaf upwards.

    >>> root_and_path([leaf_hash("a")]) == (leaf_hash("a").hex(), [])
    True

    Args:
        leaves: at least one.
        index: the place of the leaf, from 0.
    """
    level, path = list(leaves), []
    while len(level) > 1:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling].hex())
        pairs = zip(level[::2], level[1::2], strict=False)
        joined = [hashlib.sha256(NODE + left + right).digest() for left, right in pairs]
        level = joined + level[2 * len(joined) :]
        index //= 2
    return level[0].hex(), path


def head_of(previous: str, day: str, count: int, root: str) -> str:
    """Return the hash that chains a day to all days before. ``previous``: the head of the day with
    leaves before, ``FIRST_HEAD`` for the first. ``day``: as 2026-11-25.
    """
    text = canonical(["rock-and-racket/day", previous, day, count, root])
    return hashlib.sha256(text.encode()).hexdigest()
