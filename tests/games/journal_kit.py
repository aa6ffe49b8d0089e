from games.matches.journal.story import StoryFact, whole_story
from games.matches.models import Match


def facts_of(match: Match, kind: str | None = None) -> list[StoryFact]:
    """Return all facts of a match in order, or those of one kind."""
    told = whole_story(Match.objects.get(pk=match.pk))
    return [fact for fact in told if kind in (None, fact.kind)]


def kinds_of(match: Match) -> list[str]:
    return [fact.kind for fact in facts_of(match)]
