"""Who plays."""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.utils import timezone

from accounts.names import check_form, is_well_formed, name_key, name_refused
from accounts.signals import announce_revocation


class Theme(models.TextChoices):
    """How the pages look."""

    SYSTEM = "system", "as the device"
    DARK = "dark"
    LIGHT = "light"


class Reminders(models.TextChoices):
    """When somebody wants mail about a game that waits for hours or days."""

    START = "start", "when it begins to wait for me"
    HALF = "half", "at half-time, if I have not acted by then"
    NEVER = "never", "never"


class User(AbstractUser):
    """A person or a bot.  Creating one opens its wallet in the same transaction."""

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
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    reminders = models.CharField(
        "mail about games", max_length=5, choices=Reminders.choices, default=Reminders.HALF
    )
    #: The last UTC day on which this user says not to be here.
    away_until = models.DateField(null=True, blank=True)
    #: Frozen: may log in and look, may not sit down, buy or be given anything.
    is_frozen = models.BooleanField(default=False)
    frozen_reason = models.CharField(max_length=200, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: Banned (not active): what the person is told, and until when; None is for good.
    banned_reason = models.CharField(max_length=200, blank=True, editable=False)
    banned_until = models.DateField(null=True, blank=True, editable=False)
    #: The secret part of the address by which this user invites others.
    invite_token = models.CharField(max_length=32, unique=True, null=True, editable=False)
    invited_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="invited"
    )
    #: When it was decided whether the inviter gets a bonus for this user.
    referral_settled_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: The last UTC day on which this user was given the stipend.
    stipend_on = models.DateField(null=True, blank=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(theme__in=Theme.values), name="theme_known"),
            models.CheckConstraint(
                condition=models.Q(reminders__in=Reminders.values), name="reminders_known"
            ),
        ]

    def clean(self) -> None:
        """Check the name where a form does not do it: in the admin.

        Raises:
            ValidationError: malformed, or another user's name looks like it.
        """
        super().clean()
        check_form(self.username)
        others = User.objects.exclude(pk=self.pk)
        if others.filter(name_key=name_key(self.username)).exists():
            raise name_refused()

    def save(self, *, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the user, the key of its name and, when it is new, its wallet as one.

        A user who is banned or has another password is announced as revoked; another password
        revokes the tokens of programs as well.
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
                announce_revocation(self.pk, reason)
            if reason == "password":
                live = ApiToken.objects.filter(user_id=self.pk, revoked_at=None)
                live.update(revoked_at=timezone.now())

    def _revoked_for(self, update_fields: Collection[str] | None) -> str | None:
        """Compare with the stored row: at most one query."""
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


class Device(models.Model):
    """A browser in which a user was logged in; neither its cookie nor its address is kept.

    ``hash`` is that of the browser's device cookie, ``address_hash`` that of the last network
    address, with the site's secret; see ``accounts.devices``.
    """

    hash = models.CharField(max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="devices")
    address_hash = models.CharField(max_length=64, blank=True)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hash", "user"], name="device_once_a_user"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "last_seen"], name="device_user_seen"),
        ]

    def __str__(self) -> str:
        return f"device {self.pk} of user {self.user_id}"


class ApiToken(models.Model):
    """Lets a program act as a user; the secret is shown once and only its hash is kept.

    ``prefix`` is the secret's beginning, to tell tokens apart; ``last_used_at`` is written at
    most once an hour.  See ``accounts.tokens``.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=40)
    prefix = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "revoked_at"], name="token_user_revoked"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def __repr__(self) -> str:
        return f"<ApiToken {self.pk} of user {self.user_id}>"


class LoginNumber(models.Model):
    """The one row whose number moves when a log-in may have ended; see ``accounts.login_number``.

    It is written by triggers alone.
    """

    id = models.PositiveSmallIntegerField(primary_key=True)
    number = models.BigIntegerField()

    def __str__(self) -> str:
        return f"log-ins as of {self.number}"
