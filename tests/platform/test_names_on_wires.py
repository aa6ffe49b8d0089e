"""Names that others hold on to: a name of a released version stays, new ones may come.

``names_on_wires.txt`` has those of 1.3.0 and all before; ``metrics.txt`` has metrics.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import get_commands
from django.template.backends.django import get_installed_libraries
from django.urls import get_resolver

from games.api.views import document
from rpsite.celery import application

OURS = ("accounts", "economy", "games", "rpsite", "tools")
RELEASED = [
    line.split(" ", 1)
    for line in Path(__file__).with_name("names_on_wires.txt").read_text("utf-8").splitlines()
]


def is_ours(module: object) -> bool:
    return str(module).partition(".")[0] in OURS


def urls(resolver: Any, prefix: str = "/") -> Iterator[str]:
    for each in resolver.url_patterns:
        address = f"{prefix}{each.pattern}"
        if not hasattr(each, "url_patterns"):
            yield f"{each.name} {address}"
        elif each.app_name != "admin":
            yield from urls(each, address)


def permissions() -> Iterator[str]:
    for model in apps.get_models():
        if is_ours(model.__module__):
            meta = model._meta
            yield from (
                f"{meta.app_label}.{do}_{meta.model_name}" for do in meta.default_permissions
            )
            yield from (f"{meta.app_label}.{name}" for name, _ in meta.permissions)


def names(kind: str) -> set[str]:
    match kind:
        case "admin":
            return {each._meta.label_lower for each in admin.site._registry}
        case "command":
            return {name for name, app in get_commands().items() if is_ours(app)}
        case "permission":
            return {*permissions()}
        case "schema":
            return {*document("https://play.example")["components"]["schemas"]}
        case "tags":
            return {name for name, path in get_installed_libraries().items() if is_ours(path)}
        case "task":
            application.loader.import_default_modules()
            return {*application.tasks}
        case _:
            return {*urls(get_resolver())}


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in RELEASED}))
def test_no_name_of_a_release_is_gone(kind: str) -> None:
    assert {name for other, name in RELEASED if other == kind} - names(kind) == set()
