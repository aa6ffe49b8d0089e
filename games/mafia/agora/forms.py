"""The form that opens a game of Agoran Mafia."""

from typing import ClassVar

from django import forms

from games.mafia.agora.rules.options import LEAST_AT_A_TABLE, QUICK
from games.mafia.agora.rules.roles import MOST_CITIZENS
from games.mafia.common.forms import TownForm


class AgoraForm(TownForm):
    """The options of a new game."""

    players: ClassVar[tuple[int, int, int]] = (LEAST_AT_A_TABLE, MOST_CITIZENS, QUICK["seats"])

    early_end = forms.BooleanField(
        required=False, initial=True, label="A night ends early when all who live are done"
    )
    reveal_on_death = forms.BooleanField(
        required=False, label="Whoever dies shows the role (else nobody knows until the end)"
    )
