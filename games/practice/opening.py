"""The practices and lessons on offer, and the plans of their tables."""

from typing import ClassVar, Final

from games import registry
from games.contract import TableGame
from games.engine.errors import IllegalAction
from games.matches.services import default_options
from games.practice.tables import Plan, practice_of

#: The name of a person without an account in views.
GUEST: Final = "Guest"
#: The part of the URL that asks for the lesson.
LESSON: Final = "lesson"


class NobodyListens(IllegalAction):
    """There is no chat at a practice table."""

    code: ClassVar[str] = "forbidden"


def is_offered(game: TableGame, lesson: str) -> bool:
    """Whether a game can be practised, or learned by a lesson."""
    if game.practice is None:
        return False
    return not lesson or (lesson == LESSON and game.practice.lesson is not None)


def has_lesson() -> bool:
    """Whether any game that is played here has a lesson."""
    return any(is_offered(game, LESSON) for game in registry.tables())


def plan_of(game: TableGame, lesson: str) -> Plan:
    """Return the plan: the site's default options, with those of the practice or the lesson. Raises
    KeyError: the game has no practice.
    """
    practice = practice_of(game)
    taught = practice.lesson if lesson else None
    chosen = taught.options if taught else practice.options
    title = "Your first game" if taught else "Practice"
    return Plan(game, default_options(game.slug, chosen), taught, title)
