"""The arena's socket: parse a frame, make one call, answer."""

from typing import Any, Final

from games.arena import SLUG, words
from games.arena.batch import Item
from games.arena.hub import ARENA_HUB, ArenaHub
from games.arena.rules.actions import ArenaAction
from games.engine.errors import IllegalAction
from games.engine.structs import Reader, reader_of
from games.matches.processing.submissions import Answer
from games.matches.queries import commands
from games.realtime.limits import TooFast
from games.realtime.protocol import Act, Close, Typed
from games.realtime.sessions import credential_of
from games.realtime.view_socket import FlowControl, ViewSocket
from games.text.typed import Command, Query, View

_READER: Final[Reader[ArenaAction]] = reader_of(ArenaAction)


def arena_frame(revision: int, now: str, members: bytes) -> str:
    """Put a view into its envelope; ``members`` are ``arena`` and ``you``, encoded."""
    return f'{{"type":"arena","revision":{revision},"now":"{now}",{members.decode()}}}'


class ArenaConsumer(ViewSocket):
    allowance = SLUG

    def __init__(self) -> None:
        super().__init__(FlowControl(arena_frame))
        self._round_no = 0

    @property
    def _arena_hub(self) -> ArenaHub:
        arena_hub: ArenaHub = self.runtime.runners[ARENA_HUB]
        return arena_hub

    async def identify(self) -> bool:
        """Refuse a log-in that was closed as a flood, before it is read: others pay for a read."""
        is_resting = self._arena_hub.rests(credential_of(self.scope))
        return not is_resting and await super().identify()

    async def admit(self) -> int | None:
        """Refuse a user who was closed as a flood less than a minute ago, with another log-in."""
        return Close.FLOOD if self._arena_hub.rests(self.user_id) else None

    def close(self, code: int) -> None:
        if code == Close.FLOOD:
            self._arena_hub.note_flood(self.user_id, credential_of(self.scope))
        super().close(code)

    def entered(self) -> None:
        self._arena_hub.enter(self)

    def left(self) -> None:
        self._arena_hub.leave(self)

    def show(self, encoded: bytes, now: str, round_no: int) -> None:
        self._round_no = round_no
        self.offer(encoded, now)

    def view(self) -> View | None:
        return self._arena_hub.view(self)

    def read(self, text: str, view: View) -> Command:
        return commands.parse_of(SLUG, text, view)

    def answer(self, query: Query, view: View) -> str:
        return words.TYPING.answer(query, view)

    def carry_out(self, frame: Typed, command: Any, view: View) -> None:
        act = Act(frame.id, frame.phase_or(self._round_no), command.action)
        self.act(act, words.TYPING.confirm(command.action, view))

    def act(self, frame: Act, said: str | None = None) -> None:
        try:
            made = _READER.made_of(frame.action)
            if self.user_id is None:
                self._arena_hub.choose_as_guest(self, self.address, made, frame.phase)
                self.acknowledge(frame.id, Answer(), said)
                return
            item = Item(self.user_id, made, frame.phase, frame.id)
            self._arena_hub.count_action(self.user_id, item.action)
        except TooFast as problem:
            self.refuse(frame.id, problem, problem.retry_ms, is_typed=said is not None)
            self._count_bad_frame()
            return
        except IllegalAction as problem:
            self.refuse(frame.id, problem)
            return

        def done(answer: Answer) -> None:
            self.acknowledge(frame.id, answer, said)

        self.runtime.writer.submit(item, done, self.stamp, self._arena_hub.work)
