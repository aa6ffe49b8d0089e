"""Chance as a function of a seed, to be checked with any HMAC tool, and the hashes of the public
log.
Source: docs/explanation/decisions, "Draws"; docs/explanation/proof.md "The log".
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, TypeVar

from games.engine.structs import canonical

Item = TypeVar("Item")

#: A draw is one of this many numbers before it is reduced modulo its bound.
SPAN: Final = 2**64
MOST: Final = 2**32
MOST_ATTEMPTS: Final = 128
#: The number of values of a byte, and the bytes in a block of a stream.
BYTES, BLOCK = 256, 32


class Draw(NamedTuple):
    """A draw: what it is for, the exclusive upper limit, and the number that came."""

    label: str
    bound: int
    result: int


_recording: Final[ContextVar[list[Draw] | None]] = ContextVar("recording", default=None)


def commitment(seed: str, *about: str | int) -> str:
    """Return the hash in hex that is published before a seed is used: SHA-256 of canonical
    ``["rock-and-racket/seed", …about, seed]``; of a match ``about`` is its public id and rules
    version.
    """
    return _sha256(["rock-and-racket/seed", *about, seed])


def hash_of_seed(seed: str) -> str:
    """Return the SHA-256 of a seed's text, in hex; the arena commits to a round with it."""
    return hashlib.sha256(seed.encode()).hexdigest()


def hash_of_salt(salt: str) -> str:
    """Return the hash that a player gives with readiness, before the salt; in hex.
    >>> hash_of_salt("00" * 32)
    '8ad5737652147caee8177c6defe65f97fda954cfe9f63029a1833ce5cf0e4bab'
    """
    return _sha256(["rock-and-racket/salt", salt])


def salted(seed: str, salts: Sequence[tuple[int, str]]) -> str:
    """Return the key of a game's draws: HMAC-SHA-256 in hex, with the seed's text as key, over
    canonical ``["rock-and-racket/salts", [[seat, salt], …]]`` by seat; without salts the seed
    itself.
    """
    if not salts:
        return seed
    message = canonical(["rock-and-racket/salts", salts]).encode()
    return hmac.digest(seed.encode(), message, "sha256").hex()


def mixed_seed(link: str, number: int, digest: str) -> str:
    """Return the seed of an arena round: HMAC-SHA-256 in hex, with the link's text as key, over
    canonical ``["rock-and-racket/arena", number, digest]``; ``digest`` is of the round before,
    empty if none.
    """
    message = canonical(["rock-and-racket/arena", number, digest]).encode()
    return hmac.digest(link.encode(), message, "sha256").hex()


def digest_of_round(number: int, told: Mapping[str, Any] | str) -> str:
    """Return the hash of what is fixed when a round's selection ends; before 1.2, its choices."""
    return _sha256(["rock-and-racket/round", number, told])


def hash_of_parts(choices: str, candidates: str, bots: str) -> str:
    """Return the hash of the players' parts of a round: texts with a letter for each player."""
    return _sha256(["rock-and-racket/parts", choices, candidates, bots])


def _sha256(value: object) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def draw_below(seed: str, label: str, bound: int) -> int:
    """Return an unbiased number below ``bound`` (1 to 2**32, else ValueError), unique by label: the
    first 8 bytes, big endian, of HMAC-SHA-256 with the seed's text as key over canonical ``[label,
    attempt]``, modulo the bound; an attempt that would favour small numbers is rejected.
    """
    if not 1 <= bound <= MOST:
        raise ValueError(f"bound must be in [1, 2**32], got {bound}")
    limit = SPAN - SPAN % bound
    for attempt in range(MOST_ATTEMPTS):
        message = canonical([label, attempt]).encode()
        digest = hmac.digest(seed.encode(), message, "sha256")
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            if (draws := _recording.get()) is not None:
                draws.append(Draw(label, bound, number % bound))
            return number % bound
    raise AssertionError("128 rejections in a row: probability below 2**-128")


@contextmanager
def recorded() -> Iterator[list[Draw]]:
    """Collect the draws of ``draw_below`` in this context, in order; for proofs."""
    draws: list[Draw] = []
    token = _recording.set(draws)
    try:
        yield draws
    finally:
        _recording.reset(token)


def draw_many_below(seed: str, label: str, bound: int, number: int) -> bytes:
    """Return numbers below ``bound`` (1 to 256, else ValueError), a byte each, from blocks of
    HMAC-SHA-256 over canonical ``[label, "block", n]``, modulo the bound; bytes that would favour
    small numbers are left out. More numbers only lengthen the stream.
    """
    if not 1 <= bound <= BYTES:
        raise ValueError(f"bound must be in [1, 256], got {bound}")
    limit = BYTES - BYTES % bound
    table, rejected = bytes(byte % bound for byte in range(BYTES)), bytes(range(limit, BYTES))
    key, found, block = seed.encode(), bytearray(), 0
    while len(found) < number:
        missing = (number - len(found)) // BLOCK + 1
        blocks = (
            hmac.digest(key, canonical([label, "block", block + ahead]).encode(), "sha256")
            for ahead in range(missing)
        )
        found += b"".join(blocks).translate(table, rejected)
        block += missing
    return bytes(found[:number])


def draw_one(seed: str, label: str, items: Sequence[Item]) -> Item:
    """Return one of the items, each as likely; raises ValueError without items."""
    return items[draw_below(seed, label, len(items))]


#: Prefixes keep a leaf's hash and a node's apart.
LEAF, NODE = b"\x00", b"\x01"
#: The ``head`` before the first day.
FIRST_HEAD: Final = "0" * 64


def leaf_hash(text: str) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(LEAF + text.encode()).digest()


def root_and_path(leaves: Sequence[bytes], index: int = 0) -> tuple[str, list[str]]:
    """Return the root over leaves' hashes (at least one) and the siblings on one leaf's path, in
    hex, as of RFC 6962. Nodes are joined two by two from the left; a last one alone moves up
    unchanged.
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
    """Return the hash that chains a day (2026-11-25) to the ``previous`` day with leaves, or
    FIRST_HEAD.
    """
    text = canonical(["rock-and-racket/day", previous, day, count, root])
    return hashlib.sha256(text.encode()).hexdigest()
