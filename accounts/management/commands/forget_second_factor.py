"""For whoever has lost the phone and the recovery codes."""

from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User


class Command(BaseCommand):
    """Take the second factor from an account; an administrator is led to set up another one."""

    help = "Take the second factor from an account whose owner has lost it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take a name."""
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete keys and recovery codes of one account."""
        user = User.objects.filter(username__iexact=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['name']}.")
        count, _ = Authenticator.objects.filter(user=user).delete()
        if not count:
            raise CommandError(f"{user} has no second factor.")
        self.stdout.write(f"{user} has no second factor any more.")
