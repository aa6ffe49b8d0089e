"""The form that opens a game of Agoran Mafia."""

from django import forms

from games.mafia.agora.words import OPTIONS
from games.mafia.common.forms import TownForm


class AgoraForm(TownForm):
    """The options of a new game."""

    early_end = forms.BooleanField(required=False, initial=True, label=OPTIONS["early_end"])
    reveal_on_death = forms.BooleanField(required=False, label=OPTIONS["reveal_on_death"])
