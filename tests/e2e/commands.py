"""Commands that tests ask of the site behind its pages, in a process beside the site's."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.boot import ROOT
from tests.platform.site import Site, environment

#: Prints the treasury and the wallets as the ledger has them.
WALLETS = """
import json
from economy.ledger import TREASURY, wallet
from economy.models import Account
from accounts.models import User
def held(ref):
    found = Account.objects.filter(owner=ref.owner, kind=ref.kind, unit=ref.unit).first()
    return found.balance if found else 0
wallets = {user.username: held(wallet(user.pk)) for user in User.objects.all()}
print("HELD", json.dumps({"": held(TREASURY())} | wallets))
"""


#: Site's directory -> its command process, after the first command.
_clerks: dict[Path, subprocess.Popen[str]] = {}


def manage(site: Site, *arguments: str) -> str:
    """Run a command on the site's data; return what it prints."""
    clerk = _clerks.get(site.var) or _clerks.setdefault(site.var, _start(site))
    assert clerk.stdin is not None
    assert clerk.stdout is not None
    print(json.dumps(arguments), file=clerk.stdin, flush=True)
    answer = json.loads(clerk.stdout.readline())
    assert answer["code"] == 0, answer["said"]
    said: str = answer["said"]
    return said


def leave(site: Site) -> None:
    """End the site's command process, if there is one."""
    if clerk := _clerks.pop(site.var, None):
        clerk.kill()
        clerk.wait()


def _start(site: Site) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.clerk"],
        cwd=ROOT,
        env=environment(site.var, DJANGO_SETTINGS_MODULE="rpsite.settings.site"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def held(site: Site) -> Counter[str]:
    """Return what everybody has, the treasury under an empty name."""
    said = manage(site, "shell", "-c", WALLETS)
    (line,) = [line for line in said.splitlines() if line.startswith("HELD ")]
    return Counter(json.loads(line.removeprefix("HELD ")))
