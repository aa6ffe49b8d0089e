"""Find the tests of what changed: ``./run test --changed [REV]``.

A changed test file is run; so are the files that import a changed module, straight or through kits
of the tests, and the folder that bears the name of a changed folder of the site.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests import durations, own_tests
from tools.runs import ROOT, ask_git

TESTS = ROOT / "tests"
#: Maximum seconds of processor time that all changed tests may take.
QUICK = 20.0
#: Folder of the site -> the folder of its tests, where the names differ.
TESTS_OF = {
    "rpsite": "platform",
    "tools": "platform",
    "deploy": "platform",
    "run": "platform",
    "docs": "architecture",
}


def tests_since(revision: str) -> list[str]:
    """Return the files of tests of what changed since a commit, new files included."""
    names = ask_git("diff", "--name-only", revision, "--").splitlines()
    names += ask_git("ls-files", "--others", "--exclude-standard").splitlines()
    found = {file for name in names for file in _tests_of(ROOT / name)}
    return sorted(
        file.relative_to(ROOT).as_posix()
        for file in found
        if file.name.startswith("test_") and file.exists()
    )


def is_quick(files: list[str]) -> bool:
    """Whether all tests of these files take seconds; a file that was never recorded does."""
    rows = durations.recorded().rows.items()
    taken = sum(row.seconds for name, row in rows if name.partition("::")[0] in files)
    return taken <= QUICK * durations.recorded().calibration / durations.QUIET


def _tests_of(changed: Path) -> Iterator[Path]:
    """Yield the files of one changed file that may have tests."""
    if changed.suffix == ".py":
        yield from _importing(own_tests.module_of(changed), is_kit=changed.is_relative_to(TESTS))
        yield changed
    if not changed.is_relative_to(TESTS):
        yield from _folder_of(changed.relative_to(ROOT).parts)


def _importing(module: str, *, is_kit: bool) -> set[Path]:
    """Return the files of tests that import a module; those of a kit also through other kits."""
    files = {own_tests.module_of(path): path for path in TESTS.rglob("*.py")}
    found, last = set(), {module}
    while last:
        last = {name for name in files.keys() - found if own_tests.imports_of(files[name]) & last}
        found |= last
        last = last if is_kit else set()
    return {files[name] for name in found}


def _folder_of(parts: tuple[str, ...]) -> Iterable[Path]:
    """Return the files of the nearest folder of tests that bears the name of a changed folder."""
    kept = parts[1:] if parts[0] in ("templates", "static") else parts
    for length in range(len(kept), 0, -1):
        here = "/".join(kept[:length])
        folder = TESTS / TESTS_OF.get(here, here)
        # All games are no answer to "what changed".
        if folder.is_dir():
            return folder.rglob("test_*.py") if here != "games" else ()
    return ()
