"""Fetch the browser's libraries, fonts and icons, and record their versions and checksums.

A maintainer runs this by hand after changing a version below; it needs npm.
Its output is committed, so running the site needs neither npm nor a network:
``static/vendor/`` and ``static/vendor/VENDOR.json`` (package, version,
licence, SHA-256 of each file).  ``tests/architecture/test_vendor.py`` compares
the two.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENDOR = ROOT / "static" / "vendor"

#: Django's manifest storage would look for the file named in this comment, which is not shipped.
SOURCE_MAP = re.compile(rb"\s*//[#@] sourceMappingURL=.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Package:
    """A package, its licence, and the targets of its files below ``static/vendor/``."""

    name: str
    version: str
    licence: str
    files: tuple[tuple[str, str], ...] = ()


def _font(name: str) -> Package:
    source = f"files/{name}-latin-wght-normal.woff2"
    files = ((source, f"fonts/{name}.woff2"), ("LICENSE", f"fonts/{name}.LICENSE.txt"))
    return Package(f"@fontsource-variable/{name}", "5.3.0", "OFL-1.1", files)


HTM = Package(
    "htm",
    "3.1.1",
    "Apache-2.0 (holds preact, MIT)",
    (("preact/standalone.module.js", "htm/preact.js"), ("LICENSE", "htm/LICENSE.txt")),
)
PARTYSOCKET = Package(
    "partysocket",
    "1.3.0",
    "MIT",
    (("dist/ws.js", "partysocket/ws.js"), ("LICENSE.txt", "partysocket/LICENSE.txt")),
)
GAME_ICONS = Package("@iconify-json/game-icons", "1.2.4", "CC-BY-3.0")
LUCIDE = Package("lucide-static", "1.62.0", "ISC", (("LICENSE", "icons/lucide.LICENSE.txt"),))
PACKAGES = (
    HTM,
    PARTYSOCKET,
    _font("bricolage-grotesque"),
    _font("inter"),
    _font("jetbrains-mono"),
    GAME_ICONS,
    LUCIDE,
)

SPRITE = "icons/sprite.svg"

#: Symbol in the sprite -> name in game-icons.
GAME_SYMBOLS = {
    "rock": "rock",
    "paper": "scroll-unfurled",
    "scissors": "scissors",
    "boulder": "stone-block",
    "wall": "stone-wall",
    "twin_blades": "crossed-sabres",
    "sling": "sling",
    "mask": "devil-mask",
    "shuriken": "flying-shuriken",
    "landmine": "land-mine",
    "explosion": "mine-explosion",
    "coins": "two-coins",
    "fedora": "fedora",
    "fist": "fist",
    "robot": "vintage-robot",
    "dynamite": "dynamite",
    "stapler": "stapler",
    "trophy": "trophy-cup",
    "cards": "poker-hand",
}

#: Names in lucide; the symbol has the same name.
LINE_SYMBOLS = (
    "ban",
    "bell",
    "book-open",
    "check",
    "chevron-left",
    "chevron-right",
    "chevrons-left",
    "chevrons-right",
    "circle-help",
    "clock",
    "combine",
    "copy",
    "dices",
    "download",
    "eye",
    "flame",
    "history",
    "house",
    "layout-grid",
    "link",
    "lock",
    "lock-open",
    "log-out",
    "message-square",
    "minus",
    "monitor",
    "moon",
    "package",
    "pause",
    "play",
    "plus",
    "rotate-ccw",
    "send",
    "share-2",
    "shopping-bag",
    "sun",
    "triangle-alert",
    "user",
    "users",
    "volume-2",
    "volume-x",
    "wifi-off",
    "x",
)


def _fetch(package: Package, into: Path) -> Path:
    """Unpack one package below ``into`` and return its folder."""
    command = ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
    done = subprocess.run(command, cwd=into, check=True, capture_output=True, text=True)
    archive = into / done.stdout.split()[-1]
    folder = into / archive.stem
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return next(folder.iterdir())


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    content = source.read_bytes()
    target.write_bytes(SOURCE_MAP.sub(b"", content) if source.suffix == ".js" else content)


def _game_symbols(folder: Path) -> list[str]:
    icons = json.loads((folder / "icons.json").read_text())["icons"]
    return [
        f'<symbol id="{symbol}" viewBox="0 0 512 512">{icons[name]["body"]}</symbol>'
        for symbol, name in GAME_SYMBOLS.items()
    ]


def _line_symbol(name: str, text: str) -> str:
    body = re.sub(r"\s+", " ", text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg")])
    look = (
        'fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round"'
    )
    return f'<symbol id="{name}" viewBox="0 0 24 24"><g {look}>{body.strip()}</g></symbol>'


def _write_sprite(game_icons: Path, lucide: Path) -> None:
    icon_folder = lucide / "icons"
    lines = [_line_symbol(n, (icon_folder / f"{n}.svg").read_text()) for n in LINE_SYMBOLS]
    symbols = "\n".join([*_game_symbols(game_icons), *lines])
    target = VENDOR / SPRITE
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n')


def _record(package: Package, paths: list[str]) -> dict[str, Any]:
    digests = {path: hashlib.sha256((VENDOR / path).read_bytes()).hexdigest() for path in paths}
    return {
        "package": package.name,
        "version": package.version,
        "licence": package.licence,
        "sha256": digests,
    }


def main() -> int:
    """Replace ``static/vendor/`` by the files of the table of packages."""
    shutil.rmtree(VENDOR, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        folders = {package.name: _fetch(package, Path(scratch)) for package in PACKAGES}
        for package in PACKAGES:
            for source, target in package.files:
                _copy(folders[package.name] / source, VENDOR / target)
        _write_sprite(folders[GAME_ICONS.name], folders[LUCIDE.name])
    made = {GAME_ICONS.name: [SPRITE], LUCIDE.name: [SPRITE]}
    records = [
        _record(package, sorted([t for _, t in package.files] + made.get(package.name, [])))
        for package in PACKAGES
    ]
    (VENDOR / "VENDOR.json").write_text(json.dumps(records, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
