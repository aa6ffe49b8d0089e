from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.faults.rig import Rig, Template

#: Makes a rig with further variables in the environment of its processes.
MakeRig = Callable[..., Rig]


@pytest.fixture(scope="session")
def template(
    request: pytest.FixtureRequest, prepared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Template:
    return Template.of(request.config, prepared, tmp_path_factory)


@pytest.fixture
def is_forking(request: pytest.FixtureRequest) -> bool:
    return getattr(request, "param", getattr(request.module, "IS_FORKING", True))


@pytest.fixture
def make_rig(template: Template, tmp_path: Path, is_forking: bool) -> MakeRig:
    return partial(Rig, tmp_path, template, is_forking=is_forking)


@pytest.fixture
def rig(make_rig: MakeRig) -> Iterator[Rig]:
    with make_rig() as made:
        yield made
