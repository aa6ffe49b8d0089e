"""Random finished matches with journals, made quickly, and the proofs of them.

The table's rules play in memory, salts included; only then are the rows written.
"""

import json
import random
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, Final

from msgspec import UNSET

from games import registry
from games.engine.draws import hash_of_salt
from games.engine.facts import Instant, SeatNo, as_datetime
from games.engine.structs import canonical, plain, replace
from games.engine.table import OPEN, RUNNING, Table
from games.matches.journal.entries import write_facts
from games.matches.models import Entry, LogLeaf, Match
from games.matches.processing.opening import new_match
from games.proofs.commitments import sequence
from games.proofs.queries import proof_of
from tests.games.contract.kit import options_of
from tests.games.journals import whole_options

NOON: Final = Instant(1_795_262_400_000)
PLAYED: Final = tuple(game.slug for game in registry.tables() if game.slug != "coin")
MOST: Final = 400


def played(game: str, seed: int, *, is_old: bool = False) -> Match:
    """Return a stored match of random play, after its end; an old one is from before 1.2."""
    return _Play(game, random.Random(f"{game} {seed}"), is_old).finished()


def logged(match: Match) -> Any:
    """Return the proof of a match once the log has it, on the same day."""
    assert match.ended_at is not None
    if not LogLeaf.objects.filter(commitment=match.seed_commitment, kind="opened").exists():
        sequence(match.opened_at)
    sequence(match.ended_at)
    sequence(match.ended_at)
    return json.loads(canonical(proof_of(match)))


def logged_days_ago(matches: Sequence[Match], *, days: int = 2) -> list[Any]:
    """Return the proofs of some matches after the day of the log, with 0 on it."""
    at = max(match.ended_at for match in matches if match.ended_at)
    first = min(match.opened_at for match in matches)
    for instant in (first, at):
        while sequence(instant, is_whole=True):
            pass
    sequence(at + timedelta(days=days))
    return [json.loads(canonical(proof_of(match))) for match in matches]


class _Play:
    """One game and its journal."""

    def __init__(self, game: str, chance: random.Random, is_old: bool) -> None:
        self.table, self.chance, self.at = Table(registry.rules_of(game)), chance, NOON
        self.state = self.table.open(whole_options(game, chance.choice(options_of(game))), NOON)
        if is_old:
            self.state = replace(self.state, is_logged=UNSET)
        self.match = new_match(game, self.state, NOON)
        self.entries: list[Entry] = []
        self.salts: dict[int, str] = {}
        self.seq = self.public = 0

    def finished(self) -> Match:
        """Play to the end, and store match and journal."""
        self._begin()
        for _ in range(MOST):
            if self.state.stage != RUNNING:
                break
            self._move()
        else:
            self._do(None, {"kind": "void", "reason": "it took too long"})
        return self._store()

    def _begin(self) -> None:
        least, most = self.table.rules.purse_limits(self.state.options)
        for seat in range(self.state.options.seats):
            self._do(None, {"kind": "sit", "seat": seat, "purse": min(max(least, 40), most)})
        while not self.state.starting or self.state.needs_log:
            waiting = [seat.no for seat in self.state.taken if not seat.ready or seat.owes_hash]
            if waiting:
                self._get_ready(self.chance.choice(waiting))
            elif self.state.needs_log:
                self._do(None, {"kind": "ask_salts"})
            elif self.state.may_reveal and self.chance.random() < 0.9:
                self._reveal([seat.no for seat in self.state.taken if seat.owes_salt])
            else:
                self._late()
        self._do(None, {"kind": "start"})

    def _get_ready(self, seat: SeatNo) -> None:
        action: dict[str, Any] = {"kind": "ready", "configuration": 1}
        if self.state.seats[seat].owes_hash or self.chance.random() < 0.7:
            self.salts[seat] = f"{self.chance.getrandbits(256):064x}"
            action["salt_hash"] = hash_of_salt(self.salts[seat])
        self._do(seat, action)

    def _reveal(self, seats: Iterable[SeatNo]) -> None:
        for seat in seats:
            self._do(seat, {"kind": "reveal", "salt": self.salts[seat]})
            return
        self._late()

    def _move(self) -> None:
        rules = self.table.rules
        pending = rules.pending_seats(self.state.play)
        is_late = (self.table.deadline(self.state) or self.at) <= self.at + 500
        if not pending or is_late or self.chance.random() < 0.04:
            self._late()
            return
        seat = self.chance.choice(pending)
        legal = [plain(action) for action in rules.legal_actions(self.state.play, seat)]
        staying = [each for each in legal if each["kind"] not in ("resign", "suspend", "fold")]
        self._do(seat, self.chance.choice(staying or legal))

    def _late(self) -> None:
        self.at = Instant(self.table.deadline(self.state) or self.at)
        self._do(None, {"kind": "deadline"})

    def _do(self, seat: int | None, action: dict[str, Any]) -> None:
        self.at = Instant(self.at + 500)
        at_seat = None if seat is None else SeatNo(seat)
        if self.table.is_house_action(action, at_seat):
            given = {**action, "seed": self.match.seed} if action["kind"] == "start" else action
            step = self.table.apply_house(self.state, given, self.at)
        else:
            step = self.table.apply(self.state, at_seat, action, self.at)
        self.state = step.state
        self.seq += len(step.events)
        self.public += sum(told.audience is None for told in step.events)
        self.entries.append(
            Entry(
                no=len(self.entries) + 1,
                seat=seat,
                action_id=f"proof-{len(self.entries)}",
                action=canonical(action),
                phase=self.table.phase(self.state),
                facts=write_facts(step.events),
                at_ms=self.at,
                last_seq=self.seq,
                last_public=self.public,
            )
        )

    def _store(self) -> Match:
        match = self.match
        match.table, match.state = self.table.encode(self.state)
        match.status, match.action_count = self.state.stage, len(self.entries)
        match.state_no, match.at_ms = match.action_count, self.at
        match.seq, match.public_count = self.seq, self.public
        match.ended_at = as_datetime(self.at)
        assert self.state.stage != OPEN
        match.save()
        for entry in self.entries:
            entry.match = match
        Entry.objects.bulk_create(self.entries)
        return match
