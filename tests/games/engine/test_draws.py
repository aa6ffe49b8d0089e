import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.draws import (
    commitment,
    draw_below,
    draw_many_below,
    draw_one,
    hash_of_salt,
    hash_of_seed,
    salted,
)
from tests.games.showdown.rules.kit import SEED

#: Chi-square above which a fair draw lies once in a thousand, by degrees of freedom.
CRITICAL = {1: 10.83, 2: 13.82, 3: 16.27, 6: 22.46}
DRAWS = 10_000
SALT = "5a" * 32


def chi_square(counts: Counter[int], bound: int) -> float:
    expected = counts.total() / bound
    return sum((counts[value] - expected) ** 2 / expected for value in range(bound))


@given(st.text(), st.text(), st.integers(1, 2**32))
def test_a_draw_is_below_its_bound_and_stays_the_same(seed: str, label: str, bound: int) -> None:
    assert 0 <= draw_below(seed, label, bound) < bound
    assert draw_below(seed, label, bound) == draw_below(seed, label, bound)


def hmac_of(text: str) -> bytes:
    return hmac.digest(SEED.encode(), text.encode(), "sha256")


def test_a_draw_and_a_stream_of_draws_can_be_checked_with_any_hmac_tool() -> None:
    drawn = int.from_bytes(hmac_of('["mine/3",0]')[:8], "big") % 3
    assert draw_below(SEED, "mine/3", 3) == drawn
    for found, promised in (
        (commitment(SEED, "abc", 3), f'["rock-and-racket/seed","abc",3,"{SEED}"]'),
        (hash_of_salt(SALT), f'["rock-and-racket/salt","{SALT}"]'),
    ):
        assert found == hashlib.sha256(promised.encode()).hexdigest()
    salts = f'["rock-and-racket/salts",[[0,"{SALT}"],[2,"{SALT}"]]]'
    assert salted(SEED, [(0, SALT), (2, SALT)]) == hmac_of(salts).hex()
    assert salted(SEED, []) == SEED
    assert hash_of_seed(SEED) == hashlib.sha256(SEED.encode()).hexdigest()
    stream = b"".join(hmac_of(f'["random","block",{n}]') for n in range(40))
    expected = [byte % 3 for byte in stream if byte < 255]
    assert 255 in stream
    assert list(draw_many_below(SEED, "random", 3, len(expected))) == expected


@pytest.mark.parametrize("bound", [0, -1, None])
def test_a_bound_out_of_range_is_a_mistake(bound: int | None) -> None:
    with pytest.raises(ValueError, match="bound"):
        draw_below(SEED, "x", 2**32 + 1 if bound is None else bound)
    with pytest.raises(ValueError, match="bound"):
        draw_many_below(SEED, "x", 257 if bound is None else bound, 1)
    with pytest.raises(ValueError, match="bound"):
        draw_one(SEED, "x", [])


@pytest.mark.parametrize("bound", [2, 3, 4, 7])
def test_draws_are_fair_by_chi_square(bound: int) -> None:
    by_label = Counter(draw_below(SEED, f"mine/{n}", bound) for n in range(DRAWS))
    by_seed = Counter(draw_below(f"{n:064x}", "dealer", bound) for n in range(DRAWS))
    assert chi_square(by_label, bound) < CRITICAL[bound - 1]
    by_stream = Counter(draw_many_below(SEED, "random", bound, DRAWS))
    assert all(chi_square(each, bound) < CRITICAL[bound - 1] for each in (by_seed, by_stream))


@given(st.text(), st.text(), st.integers(1, 256), st.integers(0, 300), st.integers(0, 300))
def test_a_stream_of_draws_is_the_head_of_a_longer_one(seed, label, bound, few, more) -> None:
    drawn = draw_many_below(seed, label, bound, few)
    assert len(drawn) == few
    assert all(number < bound for number in drawn)
    assert draw_many_below(seed, label, bound, few + more)[:few] == drawn
