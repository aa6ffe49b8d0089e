"""Write the list of the site's parts with their licences: ``./run sbom``.

cyclonedx-py reads the environment; the packages that a site runs on stay, and the browser's
libraries are added.  The result is committed as CycloneDX and as a page.  A test compares it with
the installed packages, constraints.txt and VENDOR.json, without a network.
"""

import argparse
import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
BOM: Final = ROOT / "docs/reference/sbom.cdx.json"
PAGE: Final = ROOT / "docs/reference/licences.md"
VENDOR: Final = ROOT / "static/vendor/VENDOR.json"
#: What a site is installed with.
INSTALLED: Final = ("requirements.txt", "requirements-uvicorn.txt")
#: Keys of a component that stay; the others are links and descriptions.
KEPT: Final = ("type", "bom-ref", "name", "version", "purl", "licenses")
PYTHON: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
HEAD: Final = """# Licences

The parts that a site is made of, with the licences that they declare; also as
[CycloneDX](sbom.cdx.json). `./run sbom` writes this page.

| part | version | licence |
|---|---|---|
"""


def runtime() -> dict[str, str]:
    """Return the installed packages that a site runs on: canonical name -> version."""
    found: dict[str, str] = {}
    done = set[tuple[str, str]]()
    lines = [line for file in INSTALLED for line in (ROOT / file).read_text("utf-8").splitlines()]
    waiting = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    while waiting:
        wanted = waiting.pop()
        if wanted.marker and not wanted.marker.evaluate({"extra": ""}):
            continue
        name = canonicalize_name(wanted.name)
        package = metadata.distribution(name)
        found[name] = package.version
        for extra in {"", *wanted.extras} - {extra for known, extra in done if known == name}:
            done.add((name, extra))
            waiting += _needs(package, extra)
    return found


def _needs(package: metadata.Distribution, extra: str) -> list[Requirement]:
    """Return what a package needs for one of its extras; "" for none."""
    needs = []
    for each in map(Requirement, package.requires or ()):
        if each.marker is None or each.marker.evaluate({"extra": extra}):
            each.marker = None
            needs.append(each)
    return needs


def vendored() -> list[dict[str, Any]]:
    """Return the browser's libraries as components."""
    return [
        {
            "type": "library",
            "bom-ref": f"npm:{each['package']}@{each['version']}",
            "name": each["package"],
            "version": each["version"],
            "purl": f"pkg:npm/{each['package'].replace('@', '%40')}@{each['version']}",
            "licenses": [{"license": {"name": each["licence"]}}],
        }
        for each in sorted(json.loads(VENDOR.read_text("utf-8")), key=lambda each: each["package"])
    ]


def bom() -> dict[str, Any]:
    """Return the list in CycloneDX's format."""
    program = [sys.executable, "-m", "cyclonedx_py", "environment", sys.executable]
    # Validation takes ten seconds, and is of a list that is changed below.
    options = ["--output-reproducible", "--short-PURLs", "--no-validate", "--sv", "1.6", "-o", "-"]
    done = subprocess.run([*program, *options], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    names = runtime()
    parts = [each for each in found["components"] if canonicalize_name(each["name"]) in names]
    parts = [{key: each[key] for key in KEPT if key in each} for each in parts] + vendored()
    kept = {each["bom-ref"] for each in parts}
    found["components"] = sorted(parts, key=lambda each: each["bom-ref"].lower())
    found["dependencies"] = [
        {"ref": each["ref"], "dependsOn": [ref for ref in each.get("dependsOn", ()) if ref in kept]}
        for each in found["dependencies"]
        if each["ref"] in kept
    ]
    found["metadata"]["component"] = {"type": "application", "name": "rock-and-racket"}
    found["metadata"]["properties"].append({"name": "python", "value": PYTHON})
    return dict(found)


def page(found: dict[str, Any]) -> str:
    """Return the page of a list."""
    rows = [(each["name"], each["version"], licences(each)) for each in found["components"]]
    return HEAD + "".join(f"| {name} | {version} | {text} |\n" for name, version, text in rows)


def licences(component: dict[str, Any]) -> str:
    """Return the licences of a component in words."""
    texts = []
    for each in component.get("licenses", ()):
        own = each.get("license", {})
        text = each.get("expression") or own.get("id") or own.get("name", "")
        texts.append(re.sub(r"^License :: (OSI Approved :: )?", "", text))
    return ", ".join(dict.fromkeys(texts))


def main() -> int:
    """Write the list and the page."""
    argparse.ArgumentParser(prog="./run sbom", description=__doc__).parse_args()
    found = bom()
    BOM.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")
    print(f"{len(found['components'])} parts in {BOM.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
