"""Tests of the rules for names."""

import string

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.adapters import network_of
from accounts.models import User
from accounts.names import is_reserved, name_key
from tests.accounts.kit import make_user

NAMES = st.text(string.ascii_letters + string.digits + "_-", min_size=3, max_size=20)


ALIKE = [
    ("tessio", "TESSIO"), ("tessio", "tess_io"), ("tessio", "tess-io"), ("tessio", "tessi0"),
    ("tessio", "tess1o"), ("tessio", "tesslo"), ("tessio", "tessIo"), ("barney", "bamey"),
    ("savvy", "sawy"), ("Ian", "lan"), ("c0rnell1", "cornelli"),
]  # fmt: skip


@pytest.mark.plain
def test_d17_names_that_look_alike_are_one_name_and_those_of_people_are_not_reserved():
    for one, other in ALIKE:
        assert name_key(one) == name_key(other)
    for one, other in [("tessio", "tesio"), ("anna", "hanna"), ("b2b", "bzb")]:
        assert name_key(one) != name_key(other)
    people = ("tessio", "bob", "badminton", "deletedscene", "Rocky", "Botticelli")
    assert not any(map(is_reserved, people))


@given(NAMES)
def test_d17_a_key_depends_on_neither_case_nor_separators_at_the_ends(name):
    assert name_key(name) == name_key(name.upper()) == name_key(f"-{name}_")
    assert len(name_key(name)) <= 20


@pytest.mark.plain
@pytest.mark.django_db
def test_the_database_keeps_look_alikes_out_as_well_and_the_admin_form_is_told():
    make_user("Barney")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user("bamey")
    with pytest.raises(ValidationError) as refusal:
        User(username="bamey", password="x").full_clean()
    assert "name_taken_or_reserved" in {error.code for error in refusal.value.error_dict["__all__"]}


def test_a_network_is_24_or_64_bits():
    assert network_of("203.0.113.77") == network_of("203.0.113.1") != network_of("203.0.114.1")
    assert network_of("2001:db8:0:1::5") == "2001:db8:0:1::/64"
    assert network_of(None) == ""
