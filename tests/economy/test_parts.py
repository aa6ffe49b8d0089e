from dataclasses import fields

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from economy.parts import Part, check_parts, given


def shown() -> list[str]:
    return [error.msg for error in run_checks() if error.id == "economy.E002"]


@pytest.mark.plain
def test_parts_every_text_names_something_that_is_there() -> None:
    assert check_parts() == []
    assert shown() == []


@pytest.mark.plain
@pytest.mark.parametrize("field", [field.name for field in fields(Part)])
def test_parts_come_in_the_order_of_the_applications_and_are_read_once(field: str) -> None:
    parts = [config.part for config in apps.get_app_configs() if hasattr(config, "part")]
    texts = [text for part in parts for text in getattr(part, field)]
    assert given(field) == tuple(map(import_string, texts)) != ()
    assert given(field) is given(field)


@pytest.mark.plain
@pytest.mark.parametrize("text", ["games.nothing.sweep", "economy.parts.sweep", "sweep"])
def test_parts_a_text_that_names_nothing_is_refused_with_its_application(
    text: str, add_to_parts
) -> None:
    add_to_parts(sweeps=(text,))
    with pytest.raises(ImproperlyConfigured, match="the part of economy: "):
        given("sweeps")
    (message,) = shown()
    assert message.startswith("the part of economy: ")
    assert text.partition(".")[0] in message
