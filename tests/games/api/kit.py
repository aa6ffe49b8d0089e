"""A site with something at every address of the reading API, and a reader of its answers."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.test import Client
from jsonschema import Draft202012Validator

from accounts.models import User
from accounts.tokens import make_token
from games.api.operations import ROOT, allowances
from games.api.views import document
from games.arena.rounds import ENOUGH
from games.jsonrpc.programs import make_program
from games.ladder.models import Entrant
from games.matches.models import LogDay
from games.proofs.commitments import sequence
from tests.games.arena.kit import playing
from tests.games.events.kit import EventKit
from tests.games.finished import GAMES, POST
from tests.games.ladder.kit import new_program, stored
from tests.games.match_kit import MatchKit, new_user

ORIGIN: Final = "http://testserver"


def bearer(user: User) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(user=user, name='reader')[1]}"}


def read(path: str, client: Client | None = None, **more: Any) -> Any:
    allowances.clear()
    return (client or Client()).get(f"/{ROOT}{path}", **more)


def refusal(path: str, **more: Any) -> tuple[int, str]:
    answer = read(path, **more)
    assert problems(answer.json(), {"$ref": "#/components/schemas/Refused"}) == []
    return answer.status_code, answer.json()["error"]["code"]


def problems(body: Any, schema: dict[str, Any]) -> list[str]:
    whole = {**schema, "components": document(ORIGIN)["components"]}
    found = Draft202012Validator(whole).iter_errors(body)
    return [f"{each.json_path}: {each.message:.200}" for each in found]


def all_items(path: str, limit: int = 2, **more: Any) -> Iterator[Any]:
    cursor = ""
    while True:
        query = urlencode({"limit": limit, **({"cursor": cursor} if cursor else {})})
        page = read(f"{path}{'&' if '?' in path else '?'}{query}", **more)
        assert page.status_code == 200, page.content
        yield from page.json()["items"]
        cursor = page.json()["next"]
        if cursor is None:
            return


def ended(slug: str) -> MatchKit:
    """Return a match of which some phases were played, with a post, before the others left."""
    kit = GAMES[slug]()
    author = kit.people[-1]
    kit.act = kit.answer
    for _ in range(12):
        kit.answer(author, kind="post", room="town", text=POST.format(phase=kit.row.phase))
        if kit.snapshot.state.is_finished:
            break
        kit.play_like_bots(kit.snapshot)
        kit.pass_time(1.0)
    for user in kit.people:
        if kit.row.is_live:
            kit.answer(user, kind="leave")
    if kit.row.is_live:
        # A town in which nobody has a part any more ends with its phase.
        kit.pass_time((kit.row.due_at - kit.now).total_seconds())
    assert not kit.row.is_live
    return kit


class Site:
    """Each game over and another one running, a day of the log, rounds, a match of the ladder."""

    def __init__(self) -> None:
        self.over: list[MatchKit] = [ended(slug) for slug in GAMES]
        self.running: list[MatchKit] = [make() for make in GAMES.values()]
        self.arena = playing(ENOUGH)
        for _ in range(3):
            self.arena.play("rock", "paper")
        last = max(kit.now for kit in (*self.over, *self.running))
        while sequence(last, is_whole=True):
            pass
        sequence(last + timedelta(days=2))
        self.day = LogDay.objects.latest("day").day.isoformat()
        make_program(owner_id=new_user().pk, name="reader_bot")
        stored(*(Entrant.objects.get(user=new_program()) for _ in range(2)))
        self.event = EventKit(4)
        self.event.start()
        #: Somebody with matches, and somebody with rounds.
        self.people = [self.over[0].people[0], self.arena.people[0]]

    @property
    def values(self) -> dict[str, list[str]]:
        return {
            "public_id": [kit.match.public_id for kit in (*self.over, *self.running)],
            "day": [self.day],
            "event_id": [self.event.event.public_id],
            "game": ["duel"],
            "name": [user.username for user in self.people],
            "round": [str(self.arena.no - 1)],
        }
