"""Random finished matches with journals, made quickly, and the proofs of them.

The table's rules play in memory, salts included; only then are the rows written.
"""

import json
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from msgspec import UNSET

from games import registry
from games.engine.draws import hash_of_salt
from games.engine.facts import SeatNo, as_datetime
from games.engine.structs import canonical, replace
from games.engine.table import OPEN, RUNNING
from games.matches.journal.entries import write_facts
from games.matches.models import Entry, LogLeaf, Match
from games.matches.processing.opening import new_match
from games.proofs.commitments import sequence
from games.proofs.queries import proof_of
from tests.games.contract.kit import options_of
from tests.games.journals import NOON, Game

PLAYED: Final = tuple(game.slug for game in registry.tables() if game.slug != "coin")
MOST: Final = 400


def played(game: str, seed: int, *, is_old: bool = False) -> Match:
    """Return a stored match of random play, after its end; an old one is from before 1.2."""
    return _Play(game, random.Random(f"{game} {seed}"), is_old).finished()


def logged(match: Match) -> Any:
    """Return the proof of a match once the log has it, on the same day."""
    assert match.ended_at is not None
    if not LogLeaf.objects.filter(commitment=match.seed_commitment, kind="opened").exists():
        sequence(match.opened_at, is_whole=True)
    sequence(match.ended_at, is_whole=True)
    sequence(match.ended_at, is_whole=True)
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


class _Play(Game):
    """One game and its journal."""

    def __init__(self, game: str, chance: random.Random, is_old: bool) -> None:
        super().__init__(game, chance.choice(options_of(game)), chance, lateness=0.04)
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
            self.move()
        else:
            self.do(None, {"kind": "void", "reason": "it took too long"})
        return self._store()

    def _begin(self) -> None:
        least, most = self.table.rules.purse_limits(self.state.options)
        for seat in range(self.state.options.seats):
            self.do(None, {"kind": "sit", "seat": seat, "purse": min(max(least, 40), most)})
        while not self.state.starting or self.state.needs_log:
            waiting = [seat.no for seat in self.state.taken if not seat.ready or seat.owes_hash]
            owing = [seat.no for seat in self.state.taken if seat.owes_salt]
            if waiting:
                self._get_ready(self.chance.choice(waiting))
            elif self.state.needs_log:
                self.do(None, {"kind": "ask_salts"})
            elif owing and self.state.may_reveal and self.chance.random() < 0.9:
                self.do(owing[0], {"kind": "reveal", "salt": self.salts[owing[0]]})
            else:
                self.late()
        self.do(None, {"kind": "start"})

    def _get_ready(self, seat: SeatNo) -> None:
        action: dict[str, Any] = {"kind": "ready", "configuration": 1}
        if self.state.seats[seat].owes_hash or self.chance.random() < 0.7:
            self.salts[seat] = f"{self.chance.getrandbits(256):064x}"
            action["salt_hash"] = hash_of_salt(self.salts[seat])
        self.do(seat, action)

    def do(self, seat: int | None, action: dict[str, Any]) -> str:
        """Do something and note its entry."""
        given = {**action, "seed": self.match.seed} if action["kind"] == "start" else action
        step = self.advance(seat, given)
        self.seq += len(step.events)
        self.public += sum(told.audience is None for told in step.events)
        made = Entry(
            no=len(self.entries) + 1, seat=seat, action_id=f"proof-{len(self.entries)}",
            action=canonical(action), phase=self.table.phase(self.state),
            facts=write_facts(step.events), at_ms=self.at, last_seq=self.seq,
            last_public=self.public,
        )  # fmt: skip
        self.entries.append(made)
        return made.action

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
