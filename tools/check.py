"""``./run check [--only STEP ...]``: style, types, templates, budgets, settings, known faults."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tools import progress

ROOT = Path(__file__).resolve().parent.parent
#: The environment of a public server; nothing is contacted.
PUBLIC = {
    "DJANGO_SETTINGS_MODULE": "rpsite.settings.prod",
    "PUBLIC_URL": "https://play.example",
    "SECRET_KEY": "a secret of sixty-four characters that is only for this check: x7",
    "DATABASE_URL": "postgres://site@localhost/site",
}


def steps() -> dict[str, list[str]]:
    """Return the checks: title -> command."""
    python = sys.executable
    packages = ["accounts", "bench", "economy", "games", "rpsite", "tests", "tools", "examples"]
    code = [*packages, "manage.py", "run"]
    return {
        "style": [python, "-m", "ruff", "check", *code],
        "format": [python, "-m", "ruff", "format", "--check", *code],
        "types": [python, "-m", "mypy"],
        "templates": [python, "-m", "djlint", "--lint", "--quiet", "templates"],
        "architecture": [python, "-m", "pytest", "-q", "tests/architecture"],
        "migrations": [python, "manage.py", "makemigrations", "--check", "--dry-run"],
        "settings": [python, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        "dependencies": [python, "-m", "tools.known_faults"],
    }


def main(arguments: list[str]) -> int:
    """Run every check, also after a failed one; return 1 when any failed."""
    parser = argparse.ArgumentParser(prog="./run check", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(steps()))
    wanted, failed = parser.parse_args(arguments).only or steps(), []
    with tempfile.TemporaryDirectory() as var:
        for name in wanted:
            print(f"== {name}", flush=True)
            environment = os.environ | {"SITE_VAR": str(Path(var))}
            if name == "settings":
                environment |= PUBLIC
            if progress.call(name, steps()[name], ROOT, environment) != 0:
                failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
