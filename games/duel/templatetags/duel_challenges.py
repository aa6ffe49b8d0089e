"""A tag for other pages: the challenges that wait for an answer."""

from django import template

from games.duel.challenges import standing_challenges

register = template.Library()
register.simple_tag(standing_challenges, name="challenges_of")
