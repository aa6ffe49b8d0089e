"""Look up known vulnerabilities of the pinned packages: ``python -m tools.known_faults``.

Sends one query to osv.dev with all names and versions of constraints.txt.  Without an answer within
a few seconds the check reports that it was skipped; this is no failure.
"""

import json
import os
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = "https://api.osv.dev/v1/querybatch"
#: Seconds for the whole query, DNS lookup included.
PATIENCE = 10.0
#: Known vulnerability -> the reason why this site is not affected.
HARMLESS: dict[str, str] = {}


def pinned(text: str) -> list[tuple[str, str]]:
    """Return names and versions of a file of constraints."""
    lines = [line.partition("#")[0].partition(";")[0].strip() for line in text.splitlines()]
    pairs = [line.partition("==") for line in lines if "==" in line]
    return [(name.strip(), version.strip()) for name, _, version in pairs]


def ask(packages: list[tuple[str, str]], address: str = ADDRESS) -> dict[str, list[str]]:
    """Return package and version -> its known vulnerabilities.

    Raises:
        OSError: the server does not answer.
        ValueError: the answer is malformed.
    """
    queries = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version}
        for name, version in packages
    ]
    request = urllib.request.Request(
        address,
        data=json.dumps({"queries": queries}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        results = json.load(answer).get("results", [])
    if len(results) != len(packages):
        raise ValueError(f"{len(results)} answers to {len(packages)} questions")
    return {
        f"{name} {version}": [fault["id"] for fault in result.get("vulns", [])]
        for (name, version), result in zip(packages, results, strict=True)
    }


def ask_in_time(
    packages: list[tuple[str, str]], address: str, patience: float
) -> dict[str, list[str]] | Exception:
    """Ask in a thread, which is abandoned after the time limit: a DNS lookup has none."""
    answer: list[Any] = [TimeoutError(f"no answer within {patience:g} s")]

    def run() -> None:
        try:
            answer.append(ask(packages, address))
        except (OSError, ValueError) as problem:
            answer.append(problem)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(patience)
    return answer[-1]


def main(address: str = ADDRESS, patience: float = PATIENCE) -> int:
    """Print the known vulnerabilities; return 1 if one is not listed as harmless."""
    packages = pinned((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    found = ask_in_time(packages, address, patience)
    if isinstance(found, Exception):
        print(f"skipped: {len(packages)} packages were not looked up: {found}")
        return 0
    faulty = {
        package: [fault for fault in faults if fault not in HARMLESS]
        for package, faults in found.items()
    }
    for package, faults in faulty.items():
        for fault in faults:
            print(f"{package}: https://osv.dev/vulnerability/{fault}")
    print(f"{len(packages)} packages, {sum(map(len, faulty.values()))} known faults")
    return 1 if any(faulty.values()) else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Do not wait for a thread that still waits for an answer.
    os._exit(code)
