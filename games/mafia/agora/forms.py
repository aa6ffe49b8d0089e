"""The form that opens a game of Agoran Mafia."""

from django import forms

from games.mafia.common.forms import TownForm


class AgoraForm(TownForm):
    """The options of a new game."""

    early_end = forms.BooleanField(
        required=False, initial=True, label="A night ends early when all who live are done"
    )
    reveal_on_death = forms.BooleanField(
        required=False, label="Whoever dies shows the role (else nobody knows until the end)"
    )
