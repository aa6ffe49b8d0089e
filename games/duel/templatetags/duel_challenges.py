"""The challenges that wait for an answer, and whether habits are shown, for other pages."""

from django import template
from django.http import HttpRequest

from accounts.models import HabitsChoice, User
from games.duel.challenges import Standing, standing_challenges
from games.duel.dossier import choice_of
from games.matches.queries.own import own_of

register = template.Library()


@register.simple_tag
def challenges_of(request: HttpRequest) -> list[Standing]:
    return standing_challenges(own_of(request))


@register.simple_tag
def habits_choice(user: User) -> HabitsChoice | None:
    return choice_of(user)
