"""Command that removes the second factor of a user who has lost phone and recovery codes."""

from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.mails import tell_of_admin_action
from accounts.models import User, named


class Command(BaseCommand):
    """Remove the second factor of an account; administrators must set up a new one."""

    help = "Remove the second factor of an account whose owner has lost it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(named(options["name"])).first()
        if user is None:
            raise CommandError(f"There is no account {options['name']}.")
        with transaction.atomic():
            count, _ = Authenticator.objects.filter(user=user).delete()
            if not count:
                raise CommandError(f"{user} has no second factor.")
            tell_of_admin_action(
                user, "Two-step log-in has been turned off: a password is enough now."
            )
        self.stdout.write(f"{user} has no second factor any more.")
