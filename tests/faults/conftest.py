"""Fixtures of the fault tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from tests.faults.rig import Rig, Template


class MakeRig(Protocol):
    """Makes a rig with further variables in the environment of its processes."""

    def __call__(self, **variables: str) -> Rig: ...


@pytest.fixture(scope="session")
def template(
    request: pytest.FixtureRequest, prepared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Template:
    return Template.of(request.config, prepared, tmp_path_factory)


@pytest.fixture
def is_forking() -> bool:
    """Whether the processes of rigs are forked; files about processes themselves say no."""
    return True


@pytest.fixture
def make_rig(template: Template, tmp_path: Path, is_forking: bool) -> MakeRig:

    def make(**more: str) -> Rig:
        return Rig(tmp_path, template, is_forking=is_forking, **more)

    return make


@pytest.fixture
def rig(make_rig: MakeRig) -> Iterator[Rig]:
    with make_rig() as made:
        yield made
