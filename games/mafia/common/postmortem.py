"""The look back of a finished town: each citizen's life by nights and days, the turning point,
who was suspected most, and thumbs. All of it follows from the journal; before the end it is 404.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from games import registry
from games.engine.errors import BadField, IllegalAction, refuse
from games.mafia.common.game import DRAW, SIDES
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import NOBODY, Vote
from games.mafia.common.town_config import TownConfig, watched_town
from games.matches.journal.reading import find_facts
from games.matches.models import Match
from games.matches.queries import selectors
from games.matches.views import PRIVATE
from games.people.thumbs import MOST, set_thumb, thumbs_in
from games.text.telling import Data, listed, sentence

PHASES: Final = {"night_began": Stage.NIGHT, "day_began": Stage.DAY}
#: Kind of a fact -> the field with the choice of its seat; "" for one taken back.
CHOICES: Final = {
    "voted": "choice",
    "target_chosen": "target",
    "confrontation_declared": "target",
    "confrontation_withdrawn": "",
}
#: Kind of a fact -> the field with the seat that it happened to, the picture and the words.
MARKS: Final = {
    "saved_by_doctor": ("seat", "plus", "saved by the doctor"),
    "file_read": ("target", "eye", "read by the sheriff"),
}
DEATHS: Final = frozenset({"citizen_died", "player_died"})
#: What may change the chances; each has a sentence.
TURNS: Final = DEATHS | {"saved_by_doctor", "nobody_died", "nobody_lynched"}
KINDS: Final = frozenset({"game_started", *PHASES, *CHOICES, *MARKS, *TURNS})
STATUSES: Final = {"unauthenticated": 401, "bad_field": 400}
#: A smaller change of a chance is no turning point.
LEAST_TURN: Final = 0.01


class Mark(NamedTuple):
    """A part of a cell: a picture or the beginning of a name, of a side, and the same in words."""

    words: str
    icon: str = ""
    text: str = ""
    look: str = ""


@dataclass(slots=True)
class Period:
    """A night or a day: who lived at its beginning, the last choices, what happened."""

    look: str
    round: int
    living: frozenset[int]
    choices: dict[int, Vote] = field(default_factory=dict)
    marks: list[tuple[str, int]] = field(default_factory=list)
    dead: set[int] = field(default_factory=set)
    turns: list[tuple[str, Data]] = field(default_factory=list)
    #: The entry with the last choice of somebody, and its seat; whose vote ended the day.
    last: tuple[int, int] = (0, 0)
    decided_by: int | None = None

    @property
    def title(self) -> str:
        return f"{self.look.capitalize()} {self.round}"

    @property
    def left(self) -> frozenset[int]:
        return self.living - self.dead

    def add(self, no: int, kind: str, data: Data) -> None:
        """Add a fact of the entry ``no``."""
        if kind in CHOICES:
            choice = self.choices[data["seat"]] = data.get(CHOICES[kind])
            if choice is not None:
                self.last = no, data["seat"]
        if kind in MARKS:
            self.marks.append((kind, data[MARKS[kind][0]]))
        if kind in DEATHS:
            self.dead.add(data["seat"])
        if kind in TURNS:
            self.turns.append((kind, data))
            if self.look == Stage.DAY and self.last[0] == no:
                self.decided_by = self.last[1]


def phases_of(facts: Iterable[tuple[int, str, Data]]) -> list[Period]:
    """Return the nights and days of a game, from (entry, kind, data) in order."""
    phases, living = list[Period](), frozenset[int]()
    for no, kind, data in facts:
        if kind == "game_started":
            living = frozenset(data["seats"])
        elif kind in PHASES:
            living = phases[-1].left if phases else living
            phases.append(Period(PHASES[kind].value, data["round"], living))
        elif phases:
            phases[-1].add(no, kind, data)
    return phases


class Turning(NamedTuple):
    """The phase that changed a side's chance most, and the chance before and after it."""

    phase: Period
    before: float
    after: float


def turning_point(
    phases: Sequence[Period], looks: Mapping[int, str], town: TownConfig, side: str, *, won: bool
) -> Turning | None:
    """Return the phase that did most for a side that has won, or against it; the first of equal
    ones, None if nothing changed much. ``looks``: each seat's side.
    """

    def chance(living: Iterable[int], is_night: bool) -> float:
        return town.chance(Counter(looks[no] for no in living), side, is_night)

    nights = [each.look == Stage.NIGHT for each in phases]
    chances = [chance(each.living, night) for each, night in zip(phases, nights, strict=True)]
    chances.append(chance(phases[-1].left, not nights[-1]))
    turns = [Turning(each, *chances[place : place + 2]) for place, each in enumerate(phases)]
    sign = 1 if won else -1
    turn = max(turns, key=lambda each: sign * (each.after - each.before))
    return turn if sign * (turn.after - turn.before) >= LEAST_TURN else None


def beginnings(names: Mapping[int, str]) -> dict[int, str]:
    """Return the shortest beginning of each name that no other has, of three letters at most.
    >>> beginnings({0: "Ann", 1: "bob", 2: "Bea", 3: "Boris"})
    {0: 'A', 1: 'Bob', 2: 'Be', 3: 'Bor'}
    """
    used = Counter(name[:size].casefold() for name in names.values() for size in (1, 2))

    def beginning(name: str) -> str:
        return name[: 1 + sum(used[name[:size].casefold()] > 1 for size in (1, 2))].capitalize()

    return {no: beginning(name) for no, name in names.items()}


class LookBack:
    """The look back of one finished match; ``view``: a spectator's."""

    def __init__(self, match: Match, town: TownConfig, view: Mapping[str, Any]) -> None:
        self.match, self.town = match, town
        self.fates = {fate["no"]: fate for fate in town.told_fates(view)}
        self.names = {no: fate["name"] for no, fate in self.fates.items()}
        self.letters = beginnings(self.names)
        self.roles = {seat["no"]: seat.get("role") for seat in view["game"]["seats"]}
        told = find_facts([match.pk], KINDS)
        self.phases = phases_of((entry.no, fact.kind, fact.data) for entry, fact in told)

    def cell(self, phase: Period, no: int) -> list[Mark] | None:
        """Return the marks of a seat in a phase; None once it is dead."""
        if no not in phase.living:
            return None
        found = []
        if (choice := phase.choices.get(no)) is not None:
            by_night = "chooses" if self.town.by_majority else "confronts"
            verb = "votes for" if phase.look == Stage.DAY else by_night
            if choice == NOBODY:
                found.append(Mark(f"{verb} nobody", icon="ban"))
            else:
                whom, card = self.names[int(choice)], self.fates[int(choice)]
                text, look = self.letters[int(choice)], card["look"]
                found.append(Mark(f"{verb} {whom}, {card['card']}", text=text, look=look))
        for kind, seat in phase.marks:
            if seat == no:
                found.append(Mark(MARKS[kind][2], icon=MARKS[kind][1]))
        if no in phase.dead:
            found.append(Mark(self.fates[no]["fate"], icon="x", look="dead"))
        return found

    def turning(self) -> str:
        """Return the turning point in words: what happened, the chances, the deciding vote."""
        winners = self.match.outcome.split(SIDES)
        side = self.town.chance_of or winners[0]
        if side in ("", DRAW) or not self.phases:
            return ""
        looks = {no: fate["look"] for no, fate in self.fates.items()}
        won = side in winners
        if (turn := turning_point(self.phases, looks, self.town, side, won=won)) is None:
            return ""
        tell = partial(registry.table(self.match.game).speech.tell, names=self.names)
        told = [
            tell(kind, {**data, "role": self.roles.get(data.get("seat"))})
            for kind, data in turn.phase.turns
        ]
        chances = f"{turn.before:.0%} to {turn.after:.0%}".replace("%", " %")
        told += [f"{self.town.sides[side]}'s chance by numbers alone went from {chances}."]
        if turn.phase.decided_by is not None:
            told += [f"{self.names[turn.phase.decided_by]} gave the deciding vote."]
        return " ".join([f"{turn.phase.title}.", *filter(None, told)])

    def suspected(self) -> str:
        """Return who held most votes at the ends of the days, in words."""
        days = [each for each in self.phases if each.look == Stage.DAY]
        held = Counter(vote for day in days for vote in day.choices.values() if vote != NOBODY)
        del held[None]
        most = max(held.values(), default=0)
        who = [f"{self.names[no]} ({self.fates[no]['card']})" for no in held if held[no] == most]
        return f"{listed(who)}, {most} vote{'s' if most > 1 else ''}" if most else ""


def look_back(
    match: Match, town: TownConfig, view: Mapping[str, Any], viewer: User | None
) -> dict[str, Any] | None:
    """Return what ``games/mafia/_postmortem.html`` shows; None for a game that was called off."""
    if match.status != Match.Status.OVER:
        return None
    story = LookBack(match, town, view)
    thumbs = thumbs_in(match, viewer.pk if viewer else None, timezone.now())
    return {
        "phases": story.phases,
        "lives": [
            (story.letters[no], fate, [story.cell(phase, no) for phase in story.phases])
            for no, fate in story.fates.items()
        ],
        "turning": story.turning(),
        "suspected": story.suspected(),
        "has_roles": town.by_majority,
        "thumbs": [(no, story.names[no], each) for no, each in thumbs.items()],
        "may_give": any(each.may_change for each in thumbs.values()),
        "has_thumbs": any(each.number or each.may_change for each in thumbs.values()),
        "most": MOST,
    }


def view_of_the_end(match: Match) -> dict[str, Any]:
    """Return a spectator's view of a finished match. Raises Http404 before the end."""
    snapshot = None if match.is_live else selectors.snapshots([match.pk]).get(match.pk)
    if snapshot is None or snapshot.state.play is None:
        raise Http404
    return selectors.match_view(snapshot, None)


@require_GET
def postmortem(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the look back alone, for the board."""
    match, town = watched_town(request, public_id)
    viewer = request.user if isinstance(request.user, User) else None
    found = look_back(match, town, view_of_the_end(match), viewer)
    if found is None:
        raise Http404
    context = {"match": match, "postmortem": found}
    response = render(request, "games/mafia/_postmortem.html", context)
    response["Cache-Control"] = PRIVATE
    return response


@require_POST
def thumb(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give a seat a thumb (``give``) or take it back (``take``); then show the look back, or the
    story where no script asks.
    """
    match, _ = watched_town(request, public_id)
    is_asked = "X-Requested-With" in request.headers
    try:
        if not isinstance(request.user, User):
            refuse("unauthenticated", "log in to give thumbs")
        seat, is_given = _wanted(request)
        set_thumb(match=match, giver=request.user, seat=seat, is_given=is_given)
    except IllegalAction as problem:
        if is_asked:
            error = {"code": problem.code, "message": problem.message}
            return JsonResponse({"error": error}, status=STATUSES.get(problem.code, 409))
        messages.error(request, sentence(problem.message))
    return redirect("mafia_postmortem" if is_asked else "mafia_story", public_id=public_id)


def _wanted(request: HttpRequest) -> tuple[int, bool]:
    """Return the seat, and whether to give it a thumb. Raises BadField."""
    given, taken = request.POST.get("give", ""), request.POST.get("take", "")
    seat = given or taken
    if (given and taken) or not (seat.isascii() and seat.isdigit() and len(seat) < 4):
        raise BadField("one of give and take, with the number of a seat")
    return int(seat), bool(given)
