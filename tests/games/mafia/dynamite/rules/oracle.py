"""A second reading of the rule book, written from its text alone and as naive as can be.

It knows nothing of the engine: dictionaries, the paragraphs of docs/rules/dynamite.md in their
order, and whole minutes of arithmetic.  What it cannot know, the deal, it is told.
"""

from typing import Any

MAFIAS = ("rock", "paper", "scissors")
#: "Vulnerable: Rock to Paper, Paper to Scissors, Scissors to Rock."
KILLED_BY = {"rock": "paper", "paper": "scissors", "scissors": "rock"}


class Refused(Exception):
    pass


class Oracle:
    def __init__(self, teams: dict[int, str], seconds: int, quiet_limit: int, at: int) -> None:
        self.team = dict(teams)
        self.length = seconds * 1_000
        self.quiet_limit = quiet_limit
        self.alive = dict.fromkeys(teams, True)
        self.causes: dict[int, list[str]] = {seat: [] for seat in teams}
        self.points = dict.fromkeys(MAFIAS, 0)
        self.danger = {seat: 0 for seat in teams if teams[seat] == "dynamite"}
        self.left: set[int] = set()
        self.went = set[int]()
        self.quiet = 0
        self.winners: list[int] | None = None
        self.winning_teams: list[str] = []
        self.begin("day", at)

    def begin(self, stage: str, at: int) -> None:
        self.stage, self.began, self.ends = stage, at, at + self.length
        self.early: int | None = None
        self.votes: dict[int, int] = {}
        self.targets: dict[int, int] = {}
        self.done: set[int] = set()

    def living(self) -> list[int]:
        return [seat for seat, lives in self.alive.items() if lives]

    def members(self, team: str) -> list[int]:
        return [seat for seat, own in self.team.items() if own == team]

    def due(self) -> int | None:
        if self.stage == "over":
            return None
        return self.ends if self.early is None else min(self.early, self.ends)

    def act(self, seat: int, kind: str, at: int, target: int) -> None:
        if self.stage == "over" or at >= (self.due() or 0):
            raise Refused("too late")
        if not self.alive[seat] or seat in self.left:
            raise Refused("acts no more")
        getattr(self, f"do_{kind}")(seat, target)
        if self.stage == "day" and all(s in self.done or s in self.left for s in self.living()):
            self.end_of_day(at)
        elif self.stage == "night":
            self.arm(at)

    def do_vote(self, seat: int, target: int) -> None:
        if self.stage != "day" or target == seat or not self.alive.get(target, False):
            raise Refused("no such vote")
        if self.votes.get(seat) != target:
            self.votes[seat] = target
            self.done.discard(seat)

    def do_done(self, seat: int, target: int) -> None:
        if self.stage == "day" and seat not in self.votes:
            raise Refused("done without a standing vote is refused")
        self.done.add(seat)

    def do_undone(self, seat: int, target: int) -> None:
        self.done.discard(seat)

    def do_confront(self, seat: int, target: int) -> None:
        own = self.team[seat]
        if self.stage != "night" or own == "dynamite" or not self.alive.get(target, False):
            raise Refused("no such confrontation")
        if self.team[target] == own:
            raise Refused("a team mate")
        if seat not in self.targets:
            declared = len([mate for mate in self.targets if self.team[mate] == own])
            if declared + 1 > self.points[own] // 2:
                raise Refused("a team can have floor(points / 2) confrontations declared")
        self.targets[seat] = target

    def do_withdraw(self, seat: int, target: int) -> None:
        if self.stage != "night" or self.team[seat] == "dynamite":
            raise Refused("nothing to withdraw")
        self.targets.pop(seat, None)

    def do_leave(self, seat: int, target: int) -> None:
        self.left.add(seat)
        self.targets.pop(seat, None)

    def arm(self, at: int) -> None:
        if not all(seat in self.done or seat in self.left for seat in self.living()):
            self.early = None
        elif self.early is None:
            grid = min(60_000, self.length // 6)
            self.early = self.began
            while self.early <= at:
                self.early += grid

    def run_out(self, at: int) -> None:
        (self.end_of_day if self.stage == "day" else self.end_of_night)(at)

    def end_of_day(self, at: int) -> None:
        alive = self.living()
        dying: dict[int, list[str]] = {}
        held = {seat: list(self.votes.values()).count(seat) for seat in alive}
        for seat in alive:  # 1
            if seat not in self.votes:
                dying.setdefault(seat, []).append("stapler")
        for seat in alive:  # 2
            if self.team[seat] in MAFIAS:
                self.points[self.team[seat]] += held[seat]
        for seat in [seat for seat in alive if self.team[seat] == "dynamite"]:  # 3
            self.danger[seat] += held[seat]
            if self.danger[seat] >= 3:
                dying.setdefault(seat, []).append("explosion")
        self.bury(dying)
        for seat in [seat for seat in self.danger if self.alive[seat]]:
            self.danger[seat] = max(0, self.danger[seat] - 1)
        if not self.is_decided():
            self.begin("night", at)
            for team in MAFIAS:  # "Reward the determined"
                self.points[team] += len([s for s in self.members(team) if not self.alive[s]])

    def end_of_night(self, at: int) -> None:
        dying: dict[int, list[str]] = {}
        for attacker, target in self.targets.items():
            a, t = self.team[attacker], self.team[target]
            if KILLED_BY.get(t) == a and "confronted" not in dying.setdefault(target, []):
                dying[target].append("confronted")
            elif t == "dynamite":
                dying.setdefault(attacker, []).append("townie")
        for team in MAFIAS:
            spent = 2 * len([s for s in self.targets if self.team[s] == team])
            self.points[team] = min(2, self.points[team] - spent)
        self.bury(dying)
        if not self.is_decided():
            self.begin("day", at)

    def bury(self, dying: dict[int, list[str]]) -> None:
        for seat in self.left:
            dying.setdefault(seat, []).append("left")
        self.went |= self.left
        self.left = set()
        for seat, causes in dying.items():
            self.alive[seat] = False
            self.causes[seat] = causes
        self.quiet = 0 if dying else self.quiet + 1

    def is_decided(self) -> bool:
        for prey, hunter in KILLED_BY.items():
            if not any(self.alive[seat] for seat in self.members(prey)):
                self.winning_teams.append(hunter)
        if not self.winning_teams and self.quiet < self.quiet_limit:
            return False
        self.stage = "over"
        self.winners = sorted(
            seat
            for seat in self.team
            if seat not in self.went
            and (
                self.team[seat] in self.winning_teams
                or (self.team[seat] == "dynamite" and self.alive[seat])
            )
        )
        return True

    def result_of(self, seat: int) -> str:
        if seat in (self.winners or ()):
            return "won"
        is_draw = not self.winning_teams and self.team[seat] in MAFIAS and seat not in self.went
        return "drawn" if is_draw else "lost"

    def what_it_says(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "alive": self.living(),
            "causes": {seat: sorted(causes) for seat, causes in self.causes.items()},
            "points": self.points,
            "danger": {seat: n for seat, n in self.danger.items() if self.alive[seat]},
            "votes": self.votes if self.stage != "over" else {},
            "targets": self.targets if self.stage != "over" else {},
            "due": self.due(),
            "quiet": self.quiet,
            "results": {seat: self.result_of(seat) for seat in self.team if self.stage == "over"},
            "teams": sorted(self.winning_teams),
        }
