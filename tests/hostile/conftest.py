from typing import Any

import pytest

from accounts.models import User
from tests.accounts.admin_kit import PASSWORD, administrator
from tests.faults.conftest import is_forking, make_rig, rig, template

__all__ = ["is_forking", "make_rig", "rig", "template"]


@pytest.fixture
def chief() -> User:
    return administrator("chief", superuser=True)


@pytest.fixture
def player() -> User:
    return User.objects.create_user("tessio", password=PASSWORD)


@pytest.fixture
def queued_mail(settings: Any) -> None:
    """Queue mail as the site does; Django's test runner would send it at once."""
    settings.EMAIL_BACKEND = "post_office.EmailBackend"
