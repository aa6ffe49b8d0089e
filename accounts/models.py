"""Models of users, devices and tokens."""

import unicodedata
from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any, ClassVar, Final

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone

from accounts.names import check_form, is_well_formed, name_key, name_refused
from accounts.signals import announce, user_revoked


class Theme(models.TextChoices):
    """A user's choice of theme."""

    SYSTEM = "system", "as the device"
    DARK = "dark"
    LIGHT = "light"


class Reminders(models.TextChoices):
    """A user's choice of mails about slow games that wait for an action."""

    START = "start", "when it begins to wait for me"
    HALF = "half", "at half-time, if I have not acted by then"
    NEVER = "never", "never"


class Avatar(models.TextChoices):
    """A user's picture, of ``static/img/avatars.svg``; without one the initials stand in."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"
    FEDORA = "fedora"
    BOWLER = "bowler"
    MASK = "mask"
    TNT = "tnt", "Dynamite"
    MINE = "mine"
    STAPLER = "stapler"
    DICE = "dice"
    ACE = "ace"
    MOUSTACHE = "moustache"


#: Invited, and the inviter's bonus is not decided.
UNSETTLED: Final = models.Q(invited_by__isnull=False, referral_settled_at=None)
#: People who may not log in, but are not deleted.
BANNED: Final = models.Q(is_active=False, is_bot=False, deleted_at=None)


def named(name: str) -> models.Q:
    """Return the condition that a user has this name, in any case; by the key's index."""
    return models.Q(name_key=name_key(name), username__iexact=name)


def forms_of(password: str) -> list[str]:
    """Return the forms that one typed password can have been stored in: composed, as it is set
    now, and those of before.
    """
    forms = (unicodedata.normalize("NFC", password), password)
    return list(dict.fromkeys((*forms, unicodedata.normalize("NFD", password))))


class User(AbstractUser):
    """A person or a bot. Creating one opens its wallet in the same transaction."""

    username = models.CharField(
        "name",
        max_length=20,
        unique=True,
        validators=[is_well_formed],
        error_messages={"unique": "This name is taken."},
        help_text="3 to 20 letters (A to Z), digits, _ or -.",
    )
    #: Names that look alike share it; see ``accounts.names``.
    name_key = models.CharField(max_length=20, unique=True, editable=False)
    is_bot = models.BooleanField(default=False)
    #: A program plays, by tokens; for good, and its name says so.  Not one of the house's bots.
    is_program = models.BooleanField(default=False, editable=False)
    #: Who made this program's account, and makes its tokens; null for those of before.
    owner = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="programs",
        db_index=False,
    )
    #: Whether games with programs may count for this user's rating.
    rates_programs = models.BooleanField("rated games with programs", default=False)
    avatar = models.CharField(max_length=12, choices=Avatar.choices, blank=True)
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    reminders = models.CharField(
        "mail about games", max_length=5, choices=Reminders.choices, default=Reminders.HALF
    )
    #: How boards behave for this user; see ``accounts.settings_pages``.
    has_sound = models.BooleanField("sound", default=False)
    volume = models.PositiveSmallIntegerField(default=60)
    asks_first = models.BooleanField("ask before what cannot be undone", default=True)
    auto_lock = models.BooleanField("lock in automatically", default=False)
    has_letter_keys = models.BooleanField("letters are keys", default=True, db_default=True)
    #: The last UTC day of this user's announced absence.
    away_until = models.DateField(null=True, blank=True)
    #: Whether others see that this user is online.
    shows_presence = models.BooleanField("show others that I am online", default=True)
    #: The last UTC day on which this user finished the daily table, and the days in a row up to it.
    daily_on = models.DateField(null=True, blank=True, editable=False)
    daily_streak = models.PositiveIntegerField(default=0, editable=False)
    #: Frozen: may log in and watch, may not sit down, buy or be given anything.
    is_frozen = models.BooleanField(default=False)
    frozen_reason = models.CharField(max_length=200, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: Banned (not active): the reason shown to the user, and the last day; None: permanent.
    banned_reason = models.CharField(max_length=200, blank=True, editable=False)
    banned_until = models.DateField(null=True, blank=True, editable=False)
    #: When this user deleted the account; see ``games.own_data.deletion``.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: In the wallet when the log-in of a request was read; None: not read.
    points: int | None = None
    #: The secret part of this user's invite address.
    invite_token = models.CharField(max_length=32, unique=True, null=True, editable=False)
    invited_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="invited"
    )
    #: The instant of the decision about the inviter's bonus for this user.
    referral_settled_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: The last UTC day on which this user was given the stipend.
    stipend_on = models.DateField(null=True, blank=True, editable=False)
    #: Since when a message of the moderators waits to be read; null: none.
    warned_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(theme__in=Theme.values), name="theme_known"),
            models.CheckConstraint(
                condition=models.Q(reminders__in=Reminders.values), name="reminders_known"
            ),
            models.CheckConstraint(condition=models.Q(volume__lte=100), name="volume_in_percent"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="user_bots", condition=models.Q(is_bot=True)),
            models.Index(fields=["id"], name="user_unsettled", condition=UNSETTLED),
            models.Index(fields=["id"], name="user_banned", condition=BANNED),
            # Few people make programs: a migration writes it in one scan.
            models.Index(
                fields=["owner"], name="user_owner", condition=models.Q(owner__isnull=False)
            ),
        ]

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(forms_of(raw_password)[0] if raw_password else raw_password)

    def check_password(self, raw_password: str | None) -> bool:
        return any(super(User, self).check_password(form) for form in forms_of(raw_password or ""))

    @property
    def is_machine(self) -> bool:
        return self.is_bot or self.is_program

    def streak(self, today: date) -> int:
        """Return the days in a row with a finished daily table, up to today or yesterday."""
        is_kept = self.daily_on is not None and self.daily_on >= today - timedelta(days=1)
        return self.daily_streak if is_kept else 0

    def clean(self) -> None:
        """Raises ValidationError for a malformed, blocked or look-alike name, or a machine as
        staff.
        """
        super().clean()
        check_form(self.username)
        if is_taken(self.username, except_id=self.pk):
            raise name_refused()
        if self.is_machine and (self.is_staff or self.is_superuser):
            raise ValidationError("A bot or program cannot be staff.", code="machine_as_staff")

    def save(self, *, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """A ban or a new password sends ``user_revoked`` and revokes the tokens of the user's
        programs; a new password those of the user as well.
        """
        self.name_key = name_key(self.username)
        if update_fields is not None:
            update_fields = set(update_fields)
            if "username" in update_fields:
                update_fields.add("name_key")
        with transaction.atomic(using=options.get("using")):
            reason = self._revoked_for(update_fields)
            super().save(update_fields=update_fields, **options)
            if reason is not None:
                owned = list(User.objects.filter(owner=self.pk).values_list("pk", flat=True))
                for pk in (self.pk, *owned):
                    announce(user_revoked, user_id=pk, reason=reason)
                ended = [self.pk, *owned] if reason == "password" else owned
                live = ApiToken.objects.filter(user__in=ended, revoked_at=None)
                live.update(revoked_at=timezone.now())

    def _revoked_for(self, update_fields: Collection[str] | None) -> str | None:
        """Return the reason to close the user's sockets, by the stored row: at most one query."""
        watched = {"password", "is_active"} & self.__dict__.keys()
        if update_fields is not None:
            watched &= set(update_fields)
        if self._state.adding or not watched:
            return None
        stored = User.objects.filter(pk=self.pk).values(*watched).first() or {}
        changed = {name for name, value in stored.items() if getattr(self, name) != value}
        if "is_active" in changed and not self.is_active:
            return "banned"
        # Django rehashes an unchanged password at log-in when its hasher is outdated.
        is_rehash = update_fields == {"password"} and getattr(self, "_password", None) is None
        if "password" in changed and not (is_rehash and self.has_usable_password()):
            return "password"
        return None


class BlockedName(models.Model):
    """A name that moderators took for good. ``user`` logs in by it while the news is unread.
    ``retold_at``: since when no match tells it; null: one of the user's may still run.
    """

    key = models.CharField(max_length=20, primary_key=True)
    name = models.CharField(max_length=20)
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    retold_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


def is_taken(name: str, *, except_id: int | None = None) -> bool:
    """Whether another user has this name or one that looks like it, or moderators blocked it."""
    key = name_key(name)
    holder = User.objects.filter(name_key=key).values_list("pk", flat=True).first()
    return holder not in (None, except_id) or BlockedName.objects.filter(key=key).exists()


class StaffMessage(models.Model):
    """A moderators' warning, or news of another name; shown until read. ``cause``: the report's
    flag, such as "flag:12".
    """

    class Kind(models.TextChoices):
        WARNING = "warning"
        RENAMED = "renamed"

    user = models.ForeignKey(User, models.CASCADE, related_name="staff_messages")
    by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    text = models.CharField(max_length=200)
    cause = models.CharField(max_length=40, blank=True)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} to user {self.user_id}"


class StaffNote(models.Model):
    """A note of the staff on a user, which only staff read."""

    user = models.ForeignKey(User, models.CASCADE, related_name="staff_notes")
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    text = models.CharField(max_length=1_000)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"note {self.pk} on user {self.user_id}"


class Relation(models.Model):
    """One user follows, mutes or blocks another; see ``accounts.people``."""

    class Kind(models.TextChoices):
        FOLLOW = "follow"
        MUTE = "mute"
        BLOCK = "block"

    user = models.ForeignKey(User, models.CASCADE, related_name="relations")
    other = models.ForeignKey(User, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "other", "kind"], name="relation_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("other")), name="relation_to_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of user {self.other_id} by user {self.user_id}"


class Device(models.Model):
    """A browser in which a user was logged in: keyed hashes of its cookie and its last address."""

    hash = models.CharField(max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="devices")
    address_hash = models.CharField(max_length=64, blank=True)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hash", "user"], name="device_once_a_user")
        ]
        indexes: ClassVar = [models.Index(fields=["user", "last_seen"], name="device_user_seen")]

    def __str__(self) -> str:
        return f"device {self.pk} of user {self.user_id}"


class ApiToken(models.Model):
    """A token by which a program acts as a user; ``prefix`` is the secret's beginning."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=40)
    prefix = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "revoked_at"], name="token_user_revoked")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def __repr__(self) -> str:
        return f"<ApiToken {self.pk} of user {self.user_id}>"


class PushChoice(models.Model):
    """A user's choice of notifications; without a row not asked yet. Quiet hours are in
    ``time_zone``, both null or neither.
    """

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="push_choice")
    turn = models.BooleanField("it is my turn", default=True)
    start = models.BooleanField("a game of mine begins", default=True)
    phase = models.BooleanField("a new phase begins, even if nothing waits for me", default=False)
    challenge = models.BooleanField("somebody challenges me", default=True)
    town = models.BooleanField(
        "somebody opens a town for people, once an hour at most", default=False, db_default=False
    )
    #: When the user last got a notice of a town.
    town_at = models.DateTimeField(null=True, editable=False)
    quiet_from = models.PositiveSmallIntegerField(null=True)
    quiet_until = models.PositiveSmallIntegerField(null=True)
    time_zone = models.CharField(max_length=64, default="UTC")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(quiet_from=None, quiet_until=None)
                | models.Q(quiet_from__lt=24, quiet_until__lt=24),
                name="quiet_hours_are_hours",
            )
        ]

    def __str__(self) -> str:
        return f"notifications of user {self.user_id}"


class PushSubscription(models.Model):
    """A browser's address for notifications, and its keys; ends with the session's log-in."""

    user = models.ForeignKey(User, models.CASCADE, related_name="push_subscriptions")
    session_key = models.CharField(max_length=40, db_index=True)
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    #: Messages in a row that its push service did not answer in time.
    time_outs = models.PositiveSmallIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"browser {self.pk} of user {self.user_id}"


class LoginNumber(models.Model):
    """The one row of ``accounts.login_number``; only triggers write it."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    number = models.BigIntegerField()

    def __str__(self) -> str:
        return f"log-ins as of {self.number}"


class TaskLock(models.Model):
    """Until when a run of a task keeps others from beginning."""

    name = models.CharField(max_length=40, primary_key=True)
    held_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"lock of {self.name}"


class HabitsChoice(models.Model):
    """A user's choice whether habits of throwing are shown, and those of others to the user;
    without a row not asked yet. ``showed``: before the last change; ``is_known``: a bot may use
    them against the user.
    """

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    shows = models.BooleanField()
    showed = models.BooleanField()
    is_known = models.BooleanField(default=False)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"choice of user {self.user_id}"
