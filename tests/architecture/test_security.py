"""Each case of attack has a test.  Source: docs/reference/attacks.md."""

import re

from tests.architecture.code import ROOT
from tests.hostile.cases import CASES

NAMED = re.compile(r"def test_hostile(?:_((?:\d\d_)+))?")


def tried() -> list[int]:
    """Return the numbers in the names of all tests."""
    numbers = []
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path != ROOT / "tests/architecture/test_security.py":
            for found in NAMED.finditer(path.read_text(encoding="utf-8")):
                assert found[1], f"{path}: a test of an attack without its number of two digits"
                numbers += [int(number) for number in found[1].split("_")[:-1]]
    return numbers


def test_security_each_case_has_a_test_and_each_test_a_case() -> None:
    assert list(CASES) == list(range(1, 86))
    assert set(tried()) == set(CASES)
