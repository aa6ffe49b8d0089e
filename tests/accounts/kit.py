"""What the tests of accounts share."""

from accounts.models import User

PASSWORD = "correct horse 7 battery"


def sign_up(client, name, **changes):
    """Send the sign-up form."""
    form = {
        "username": name,
        "email": f"{name.lower()}@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    return client.post("/accounts/signup/", form | changes)


def log_in(client, login, password=PASSWORD, **extra):
    """Send the log-in form."""
    return client.post("/accounts/login/", {"login": login, "password": password}, **extra)


def make_user(name="tessio", **fields):
    """Create a user who can log in."""
    email = f"{name.lower()}@example.org"
    return User.objects.create_user(name, email, PASSWORD, **fields)
