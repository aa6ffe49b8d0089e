"""The list of parts is that of the installed packages.  Source: docs/reference/licences.md."""

import json

from packaging.utils import canonicalize_name

from tests.architecture.test_repository import names
from tools import sbom

FOUND = json.loads(sbom.BOM.read_text())
PARTS = FOUND["components"]


def test_sbom_has_what_a_site_is_installed_with() -> None:
    packages = [each for each in PARTS if each["purl"].startswith("pkg:pypi/")]
    told = {canonicalize_name(each["name"]): each["version"] for each in packages}
    python = {"name": "python", "value": sbom.PYTHON}
    if python in FOUND["metadata"]["properties"]:
        assert told == sbom.runtime(), "run ./run sbom"
    pinned = names((sbom.ROOT / "constraints.txt").read_text())
    assert {name: pinned.get(name) for name in told} == told


def test_sbom_has_the_browsers_libraries_and_a_licence_for_each_part() -> None:
    assert [each for each in PARTS if each["purl"].startswith("pkg:npm/")] == sbom.vendored()
    assert [each["name"] for each in PARTS if not sbom.licences(each)] == []
    assert sbom.PAGE.read_text() == sbom.page(FOUND)
