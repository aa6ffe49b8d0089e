"""Command that deletes all but the newest devices of each user."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.devices import MOST_DEVICES, cut_devices


class Command(BaseCommand):
    """Delete devices in portions, beside the running site."""

    help = "Delete all but the newest 20 devices of each user; run it once after an upgrade to 1.2."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{cut_devices()} deleted; each user has at most {MOST_DEVICES}")
