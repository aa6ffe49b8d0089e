"""The challenges that wait for an answer, for other pages."""

from django import template

from games.duel.challenges import standing_challenges

register = template.Library()
register.simple_tag(standing_challenges, name="challenges_of")
