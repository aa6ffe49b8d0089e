"""Vendored files match their record, and the import map names every module."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.architecture.test_folders import SHARED

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
VENDOR = STATIC / "vendor"
RECORDS: list[dict[str, Any]] = json.loads((VENDOR / "VENDOR.json").read_text())
OWN_MODULES = sorted((STATIC / "js").rglob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
IMPORT_MAP = ROOT / "templates" / "partials" / "importmap.html"
#: Slug of a game, or a shared folder -> its own lines of the import map.
GAME_MAPS = {
    path.parent.name: path for path in sorted((ROOT / "templates/games").glob("*/_modules.html"))
}


def mapped() -> dict[str, str]:
    """Bare name -> path below ``static/``, as the import map of a page has them."""
    return {name: path for each in (IMPORT_MAP, *GAME_MAPS.values()) for name, path in lines(each)}


def lines(page: Path) -> list[tuple[str, str]]:
    """Return what one template adds to the import map."""
    found: list[tuple[str, str]] = re.findall(
        r'"([\w/-]+)": "\{% static \'([^\']+)\' %\}"', page.read_text()
    )
    return found


def bare_imports(module: Path) -> set[str]:
    """Names that a module imports without a leading dot or slash."""
    return set(re.findall(r'^import\s[^"]*?"([^"./][^"]*)"', module.read_text(), re.MULTILINE))


def test_vendored_files_have_their_recorded_checksums() -> None:
    for record in RECORDS:
        for path, digest in record["sha256"].items():
            assert hashlib.sha256((VENDOR / path).read_bytes()).hexdigest() == digest, path


def test_every_vendored_file_is_recorded() -> None:
    recorded = {path for record in RECORDS for path in record["sha256"]}
    present = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file()}
    assert present - {"VENDOR.json"} == recorded


def test_every_package_names_version_and_licence() -> None:
    for record in RECORDS:
        assert all(record[key] for key in ("package", "version", "licence")), record


def test_vendored_scripts_point_to_no_source_map() -> None:
    for path in VENDOR.rglob("*.js"):
        assert "sourceMappingURL" not in path.read_text(), path.name


def test_import_map_holds_existing_files() -> None:
    assert len(mapped()) > 20
    for name, path in mapped().items():
        assert (STATIC / path).is_file(), f"{name}: {path}"


def test_modules_import_only_names_of_the_import_map() -> None:
    strays = [
        f"{module.relative_to(ROOT)} imports {name}"
        for module in OWN_MODULES
        for name in sorted(bare_imports(module) - set(mapped()))
    ]
    by_path = [
        f"{module.relative_to(ROOT)} imports by a path"
        for module in OWN_MODULES
        if re.search(r'^import\s.*"[./]', module.read_text(), re.MULTILINE)
    ]
    assert not strays + by_path, "\n".join(strays + by_path)


def test_each_game_maps_its_own_modules_and_the_common_map_those_of_no_game() -> None:
    assert {"showdown", "duel"} <= set(GAME_MAPS)
    for slug, page in GAME_MAPS.items():
        names = [name for name, _ in lines(page)]
        assert [name for name in names if not name.startswith(f"rr/{slug}/")] == []
    games = tuple(f"rr/{slug}/" for slug in GAME_MAPS)
    assert [name for name, _ in lines(IMPORT_MAP) if name.startswith(games)] == []


def test_modules_import_no_other_game() -> None:
    """A game is drawn from its own modules, the shared and the common ones; these know no game."""
    strays = []
    for module in OWN_MODULES:
        folder = module.relative_to(STATIC / "js").parts[0]
        own = {folder} if folder in SHARED else {folder, *SHARED}
        others = tuple(f"rr/{slug}/" for slug in GAME_MAPS if slug not in own)
        names = [name for name in bare_imports(module) if name.startswith(others)]
        strays += [f"{module.relative_to(ROOT)} imports {name}" for name in names]
    assert not strays, "\n".join(strays)


def test_icons_that_are_named_are_in_the_sprite() -> None:
    sprite = set(re.findall(r'<symbol id="([^"]+)"', (VENDOR / "icons/sprite.svg").read_text()))
    in_pages = {
        name for page in TEMPLATES for name in re.findall(r'\{% icon "([^"]+)"', page.read_text())
    }
    in_modules = {
        name
        for module in OWN_MODULES
        for name in re.findall(r'<\$\{Icon\} name="([^"]+)"', module.read_text())
    }
    assert in_pages
    assert in_modules
    assert in_pages | in_modules <= sprite


def test_pages_have_no_inline_style_or_handler() -> None:
    strays = []
    for page in TEMPLATES:
        text = page.read_text()
        found = [each.strip() for each in re.findall(r"\sstyle=|\son[a-z]+=|<style", text)]
        scripts = [
            f"<script{attributes}>"
            for attributes in re.findall(r"<script\b([^>]*)>", text)
            if "src=" not in attributes and "nonce=" not in attributes
        ]
        strays += [f"{page.relative_to(ROOT)}: {each}" for each in found + scripts]
    assert not strays, "\n".join(strays)
