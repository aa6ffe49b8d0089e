from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.db.models import Field, Model
from django.urls import reverse
from django.utils.html import escape

from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.table_kit import running_table

pytestmark = pytest.mark.django_db
COMPARISONS = ("regex", "startswith", "contains", "range", "length__gte")
LISTS = sorted(admin.site._registry, key=lambda model: model._meta.label)


def fields_of(model: type[Model]) -> Iterator[str]:
    """Yield the fields of a model, and those of the models that it leads to or that lead to it."""
    for field in model._meta.get_fields():
        yield field.name
        if field.is_relation and field.related_model and not isinstance(field.related_model, str):
            for other in field.related_model._meta.get_fields():
                if isinstance(other, Field):
                    yield f"{field.name}__{other.name}"


@pytest.mark.parametrize("model", LISTS, ids=lambda model: model._meta.label)
def test_hostile_52_a_list_takes_no_lookup_but_those_of_its_filters(model: type[Model]) -> None:
    client = browser(administrator("the-admin", superuser=True), raise_request_exception=False)
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    may, names = admin.site._registry[model].lookup_allowed, sorted(set(fields_of(model)))
    assert names
    for name in names:
        lookups = [f"{name}__{comparison}" for comparison in COMPARISONS]
        assert [lookup for lookup in lookups if may(lookup, "x")] == []
        if "__" not in name:
            assert client.get(address, {f"{name}__regex": "."}).status_code == 400, name


def test_hostile_56_neither_state_nor_seed_of_a_live_match_can_be_asked_for() -> None:
    kit = running_table()
    client = browser(administrator("viewer", "games.view_match"))
    address = reverse("admin:games_match_changelist")
    assert escape(kit.match.title) in client.get(address).content.decode()
    for trick in ("state__regex", "seed__gte", "seed", "table__contains", "seats__user__email"):
        assert client.get(address, {trick: "0"}).status_code == 400, trick
    assert client.get(address, {"status__exact": "running"}).status_code == 200
    assert client.get(address, {"q": kit.match.seed[:8]}).context["cl"].result_count == 0
