"""The challenges that wait for an answer, for other pages."""

from django import template
from django.http import HttpRequest

from games.duel.challenges import Standing, standing_challenges
from games.matches.queries.own import own_of

register = template.Library()


@register.simple_tag
def challenges_of(request: HttpRequest) -> list[Standing]:
    return standing_challenges(own_of(request))
