"""Chance as a function of a seed: no generator state, no order of calls to replay.

``random.Random`` is not used because its sequences are not promised to stay the
same between Python versions; a draw here can be checked with any HMAC tool.

Source: docs/explanation/decisions, "Draws".
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, TypeVar

from games.engine.structs import canonical

Item = TypeVar("Item")

#: A draw is one of this many numbers before it is reduced modulo its bound.
SPAN: Final = 2**64
MOST: Final = 2**32
MOST_ATTEMPTS: Final = 128
#: The number of values of a byte, and the bytes in a block of a stream.
BYTES, BLOCK = 256, 32


def commitment(seed: str) -> str:
    """Return the SHA-256 of the seed's text, in hex: published before, checked after.

    >>> commitment("00")
    'f1534392279bddbf9d43dde8701cb5be14b82f76ec6607bf8d6ad557f60f304e'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def draw_below(seed: str, label: str, bound: int) -> int:
    """Return an unbiased whole number in ``[0, bound)``, fixed by seed and label.

    The number is the first 8 bytes, big endian, of HMAC-SHA-256 with the
    seed's text as key over canonical ``[label, attempt]``, modulo the bound;
    an attempt that would favour small numbers is rejected and the next taken.

    Args:
        seed: made when the match opens, used for one game; secret until it is over.
        label: what the draw is for, unique within the game: "mine/3".
        bound: exclusive upper limit, 1 to 2**32.

    Raises:
        ValueError: the bound is outside its range.
    """
    if not 1 <= bound <= MOST:
        raise ValueError(f"bound must be in [1, 2**32], got {bound}")
    limit = SPAN - SPAN % bound
    for attempt in range(MOST_ATTEMPTS):
        message = canonical([label, attempt]).encode()
        digest = hmac.digest(seed.encode(), message, "sha256")
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            return number % bound
    raise AssertionError("128 rejections in a row: probability below 2**-128")


def draw_many_below(seed: str, label: str, bound: int, number: int) -> bytes:
    """Return many unbiased numbers in ``[0, bound)``, a byte each, fixed by seed and label.

    They are cut from one stream: block after block of HMAC-SHA-256 with the seed's text as key
    over canonical ``[label, "block", n]``, n from 0.  Each byte is one number, modulo the bound;
    bytes that would favour small numbers are left out.  More numbers only lengthen the stream.

    >>> draw_many_below("00", "coins", 2, 3) == draw_many_below("00", "coins", 2, 9)[:3]
    True

    Args:
        label: as ``draw_below``.
        bound: exclusive upper limit, 1 to 256.
        number: how many, from 0 upwards.

    Raises:
        ValueError: the bound is outside its range.
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
    """Return one of the items, each as likely as the others.

    Raises:
        ValueError: there are no items.
    """
    return items[draw_below(seed, label, len(items))]
