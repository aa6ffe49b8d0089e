"""What can be done to users."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Theme, User
from accounts.names import check_form, name_key, name_refused
from economy.ledger import open_account
from economy.selectors import has_wallet


def ensure_wallet(*, user_id: int) -> None:
    """Open the wallet of a user who has none; one query when it is there."""
    if not has_wallet(user_id):
        open_account(user_id, timezone.now())


def create_bot(*, name: str) -> User:
    """Create a bot: an ordinary user with a wallet that nobody can log in as.

    Raises:
        ValidationError: the name is malformed (``name_malformed``) or, or one
            that looks like it, taken (``name_taken_or_reserved``).
    """
    check_form(name)
    bot = User(username=name, is_bot=True)
    bot.set_unusable_password()
    with transaction.atomic():
        if User.objects.filter(name_key=name_key(name)).exists():
            raise name_refused()
        bot.save()
    return bot


def choose_theme(*, user_id: int, theme: Theme) -> None:
    """Keep how the pages are to look for a user."""
    User.objects.filter(pk=user_id).update(theme=theme)
