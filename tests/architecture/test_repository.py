"""Checks of the repository's files and requirements."""

import re
import subprocess
import sys
import tomllib

import pytest

import rpsite
from tests.architecture.code import ROOT, tracked, where

#: Things that hold on one machine only, or that nobody else may know.
FORBIDDEN = {
    "a home directory": r"/(?:home|Users)/[a-z][\w.-]+/|/root/",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a token": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|AKIA[0-9A-Z]{16}|xox[baprs]-[0-9A-Za-z-]{10,})",
    "an address of a private network": r"\b(?:10|192\.168)\.\d{1,3}\.\d{1,3}\.\d{1,3}\b(?!/)",
    "an unresolved merge": r"^(?:<{7}|>{7}) ",
}
TEXT = {".py", ".html", ".css", ".js", ".md", ".txt", ".toml", ".json", ".yml", ".svg", ""}
SELF = "tests/architecture/test_repository.py"


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what):
    pattern = re.compile(FORBIDDEN[what], re.MULTILINE)
    strays = [
        where(path)
        for path in tracked()
        if path.suffix in TEXT and where(path) != SELF and "vendor" not in path.parts
        if pattern.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert strays == []


def test_no_database_log_or_secret_is_kept():
    kept = [
        where(path)
        for path in tracked()
        if path.suffix in {".sqlite3", ".log", ".pem", ".key", ".pyc", ".sock"}
        or path.name == "secret_key"
        or "var" in path.relative_to(ROOT).parts[:1]
    ]
    assert kept == []


def names(text: str) -> dict[str, str]:
    """Return package -> version of a requirements file."""
    lines = [line.partition(";")[0].partition("#")[0].strip() for line in text.splitlines()]
    pinned = [line for line in lines if line and not line.startswith("-")]
    return {
        re.sub(r"[-_.]+", "-", re.sub(r"\[.*\]", "", name)).lower(): version
        for name, _, version in (line.partition("==") for line in pinned)
    }


@pytest.mark.parametrize("file", sorted(path.name for path in ROOT.glob("requirements*.txt")))
def test_every_requirement_is_pinned_and_agrees_with_the_constraints(file):
    constraints = names((ROOT / "constraints.txt").read_text())
    for name, version in names((ROOT / file).read_text()).items():
        assert version, f"{name} has no version"
        assert constraints[name] == version


def test_old_pythons_can_read_run():
    """It has to look for a newer Python, so it is written for Python 3.6."""
    import ast

    ast.parse((ROOT / "run").read_text(), feature_version=(3, 6))


def test_run_says_how_it_is_used():
    said = subprocess.run(
        [sys.executable, ROOT / "run", "nonsense"], capture_output=True, text=True, check=False
    )
    assert said.returncode == 2
    assert "./run site" in said.stdout
    assert "./run test" in said.stdout


def test_one_version_is_named_everywhere():
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert rpsite.__version__ == named
    assert f"Version {named} " in (ROOT / "README.md").read_text()
    newest = re.search(r"^## (\d\S+?),", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest
    assert newest[1] == named


def test_pytest_loads_the_boot_plugin_before_the_settings():
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "-p tests.boot" in configuration["tool"]["pytest"]["ini_options"]["addopts"]
