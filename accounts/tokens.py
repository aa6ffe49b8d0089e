"""Personal tokens, with which a program acts as its user."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import CharField, Q
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.signals import announce, token_revoked
from economy.sql import Compiled, Given, read_rows
from economy.texts import UnfitText, clean_text

#: The prefix of every secret, so that people, logs and scanners recognise one.
MARK: Final = "rrt_"
#: The number of characters of a secret that are stored and shown.
SHOWN: Final = 8
LONGEST_NAME: Final = 40
#: Maximum number of valid tokens of a user.
MOST_TOKENS: Final = 10
#: The least time between two writes of ``last_used_at``.
COARSE: Final = timedelta(hours=1)


def make_token(*, user: User, name: str, at: datetime | None = None) -> tuple[ApiToken, str]:
    """Create a token and return it with its secret. Raises ValidationError for a bad name
    (``token_name``) or too many (``too_many_tokens``).
    """
    try:
        name = clean_text(name)
    except UnfitText as problem:
        raise ValidationError(str(problem), "token_name") from None
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValidationError(f"A name of 1 to {LONGEST_NAME} characters.", "token_name")
    secret = MARK + secrets.token_urlsafe(32)
    with transaction.atomic():
        # Lock the user's row: two concurrent calls cannot create an eleventh token.
        User.objects.select_for_update().get(pk=user.pk)
        if len(tokens_of(user_id=user.pk)) >= MOST_TOKENS:
            raise ValidationError(
                f"You have {MOST_TOKENS} tokens: revoke one of them first.", "too_many_tokens"
            )
        token = ApiToken.objects.create(
            user=user,
            name=name,
            prefix=secret[:SHOWN],
            sha256=_hash(secret),
            created_at=at or timezone.now(),
        )
    return token, secret


def revoke_token(*, user_id: int, token_id: int) -> ApiToken | None:
    """Revoke a user's token and close its sockets; return None if there is no such valid token."""
    with transaction.atomic():
        found = ApiToken.objects.select_for_update()
        token = found.filter(pk=token_id, user_id=user_id, revoked_at=None).first()
        if token is None:
            return None
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        announce(token_revoked, user_id=user_id)
    return token


def tokens_of(*, user_id: int) -> list[ApiToken]:
    """Return a user's valid tokens, the newest first."""
    return list(ApiToken.objects.filter(user_id=user_id, revoked_at=None).order_by("-pk"))


def find_token(secret: str) -> ApiToken | None:
    """Return the valid token with this secret, its user loaded; none of a banned user is valid."""
    if not secret.startswith(MARK) or len(secret) > 100:
        return None
    token = next(iter(_VALID.objects(ApiToken, sha256=_hash(secret))), None)
    if token is None:
        return None
    (token.user,) = read_rows(User, "id", [token.user_id])
    coarsely = timezone.now() - COARSE
    if token.last_used_at is None or token.last_used_at <= coarsely:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lte=coarsely)
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=timezone.now())
    return token


_VALID: Final = Compiled(
    lambda: ApiToken.objects.filter(
        revoked_at=None, user__is_active=True, sha256=Given("sha256", CharField())
    )
)


def bearer_secret(header: str | None) -> str | None:
    """Return the secret of an ``Authorization`` header; None for another scheme.
    >>> bearer_secret("Bearer rrt_abc"), bearer_secret("Basic dTpw"), bearer_secret("bearer")
    ('rrt_abc', None, '')
    """
    scheme, _, rest = (header or "").strip().partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else None


def _hash(secret: str) -> str:
    # Its 256 random bits need no salt.
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
