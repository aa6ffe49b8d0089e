import sys
from io import StringIO

import pytest
from django.core.management import call_command

from rpsite.backups.files import shown


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.plain
@pytest.mark.django_db
@pytest.mark.parametrize("kind", [Terminal, StringIO])
def test_progress_is_shown_on_a_terminal_only(kind, monkeypatch):
    monkeypatch.setattr(sys, "stderr", said := kind())
    with shown("backup", 1000, lambda: 1000):
        pass
    call_command("audit_ledger", "--whole", stdout=StringIO())
    call_command("replay_match", stdout=StringIO())
    told = said.getvalue()
    for words in ("backup: 100%", "audit: 100%", "replay"):
        assert (words in told) == (kind is Terminal)
    assert (told == "") == (kind is StringIO)
