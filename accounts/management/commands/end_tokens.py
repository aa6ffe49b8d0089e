"""Command that ends tokens of programs: of one user, unused ones, or all."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.mails import tell_of_admin_action
from accounts.models import ApiToken, User, named
from accounts.tokens import revoke_token


class Command(BaseCommand):
    """Revoke tokens, close their sockets, and tell their owners by mail."""

    help = "End tokens of programs: of one user, those not used for some days, or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--user", help="the tokens of this user")
        which.add_argument("--unused", type=int, metavar="DAYS", help="not used for so long")
        which.add_argument("--all", action="store_true", help="all tokens of all users")

    def handle(self, *args: Any, **options: Any) -> None:
        tokens = ApiToken.objects.filter(revoked_at=None)
        if options["user"] is not None:
            user = User.objects.filter(named(options["user"])).first()
            if user is None:
                raise CommandError(f"There is no account {options['user']}.")
            tokens = tokens.filter(user=user)
        elif options["unused"] is not None:
            since = timezone.now() - timedelta(days=options["unused"])
            never = Q(last_used_at=None, created_at__lt=since)
            tokens = tokens.filter(never | Q(last_used_at__lt=since))
        count = 0
        owners = User.objects.filter(pk__in=tokens.values("user"))
        for owner in list(owners):
            with transaction.atomic():
                for token in tokens.filter(user=owner):
                    count += revoke_token(user_id=owner.pk, token_id=token.pk) is not None
                tell_of_admin_action(owner, "Tokens of your programs have ended: make new ones.")
        self.stdout.write(f"{count} tokens ended")
