"""What is asked of the site behind its pages: commands, in processes of their own."""

import json
import subprocess
import sys
from collections import Counter

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


def manage(site: Site, *arguments: str) -> str:
    """Run a command on the site's data; return what it prints."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(site.var, DJANGO_SETTINGS_MODULE="rpsite.settings.site"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def held(site: Site) -> Counter[str]:
    """Return what everybody has, the treasury under an empty name."""
    said = manage(site, "shell", "-c", WALLETS)
    (line,) = [line for line in said.splitlines() if line.startswith("HELD ")]
    return Counter(json.loads(line.removeprefix("HELD ")))
