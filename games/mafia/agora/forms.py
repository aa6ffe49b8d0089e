"""The form that opens a game of Agoran Mafia."""

from typing import ClassVar

from django import forms

from games.mafia.agora.rules.options import LEAST_AT_A_TABLE, QUICK
from games.mafia.agora.rules.roles import MOST_CITIZENS
from games.mafia.agora.words import OPTIONS
from games.mafia.common.forms import TownForm


class AgoraForm(TownForm):
    """The options of a new game."""

    players: ClassVar[tuple[int, int, int]] = (LEAST_AT_A_TABLE, MOST_CITIZENS, QUICK["seats"])

    early_end = forms.BooleanField(required=False, initial=True, label=OPTIONS["early_end"])
    reveal_on_death = forms.BooleanField(
        required=False, label=f"{OPTIONS['reveal_on_death']} (else nobody knows it until the end)"
    )
