"""The tables of contests; ``games.contests.rows`` writes them."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models

from games.contests import LABEL
from games.matches.models import Match, Pledge, new_public_id

#: Most characters of a proposal's reason.
LONGEST_REASON: Final = 200


class Contest(models.Model):
    """One contest, ``master`` null for the site. ``settings`` and ``last_change``, which may be
    proposed back, are canonical texts; ``pledge`` is the next game's seed; ``idle_since`` the
    founding or the last game's end. The counters number presses of ready, games, proposals, lines.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id)
    name = models.CharField(max_length=40)
    game = models.CharField(max_length=20)
    founder = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="founded_contests"
    )
    master = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    settings = models.TextField()
    founded_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    idle_since = models.DateTimeField()
    readied = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    proposals = models.PositiveIntegerField(default=0)
    lines = models.PositiveIntegerField(default=0)
    last_change = models.TextField(default="null")
    pledge = models.OneToOneField(Pledge, on_delete=models.PROTECT, related_name="contest")

    class Meta:
        app_label = LABEL
        indexes: ClassVar = [
            models.Index(fields=["closed_at", "-idle_since"], name="contests_listed")
        ]

    def __str__(self) -> str:
        return self.name


class Party(models.Model):
    """A party; leaving deletes the row. ``ready_no`` orders the ready, 0: not ready. Only this user
    sees ``passed_no``, the last proposal let pass, and ``note``: why a game began without the user.
    ``salt`` came with readiness, for the next game's draws.
    """

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="parties")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="contests"
    )
    joined_at = models.DateTimeField()
    ready_no = models.PositiveIntegerField(default=0)
    passed_no = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)
    salt = models.CharField(max_length=64, blank=True)

    class Meta:
        app_label = LABEL
        verbose_name_plural = "parties"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["contest", "user"], name="contests_party_once")
        ]


class Proposal(models.Model):
    """An amendment; ``changes`` and ``voters``, who may object, are canonical texts. ``outcome``:
    passed, objections, limits, withdrawn, closed. ``is_back``: it takes back the last change, and
    counts for nobody's week.
    """

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="amendments")
    no = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    changes = models.TextField()
    voters = models.TextField()
    proposed_at = models.DateTimeField()
    effect_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, blank=True)
    is_back = models.BooleanField(default=False)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        app_label = LABEL
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["contest", "no"], name="contests_proposal_no"),
            models.UniqueConstraint(
                fields=["contest"],
                condition=models.Q(decided_at=None),
                name="contests_one_open_proposal",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["effect_at"], name="contests_effect", condition=models.Q(decided_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"proposal {self.no} of contest {self.contest_id}"


class Objection(models.Model):
    """A user's objection; it stays when the user leaves."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="objections")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        app_label = LABEL
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["proposal", "user"], name="contests_one_objection")
        ]


class ContestGame(models.Model):
    """A match as a game of a contest; ``how`` it ended: won, drawn, void. ``survivors``: users, as
    a canonical text.
    """

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="played")
    no = models.PositiveIntegerField()
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="contest_game")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    how = models.CharField(max_length=5, blank=True)
    survivors = models.TextField(default="[]")

    class Meta:
        app_label = LABEL
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["contest", "no"], name="contests_game_no"),
            models.UniqueConstraint(
                fields=["contest"],
                condition=models.Q(ended_at=None),
                name="contests_one_game_at_a_time",
            ),
        ]


class Line(models.Model):
    """A line of the history: a fact as a canonical text, and the user it names."""

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="history")
    no = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    data = models.TextField()
    at = models.DateTimeField()

    class Meta:
        app_label = LABEL
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["contest", "no"], name="contests_line_no")
        ]
