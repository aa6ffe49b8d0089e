"""Settings of ``./run site``: no debugging, a secret of its own, plain HTTP on this machine."""

from rpsite.env import VAR, own_secret
from rpsite.settings.base import *  # noqa: F403 - settings build on each other
from rpsite.variables import read

SECRET_KEY = read("SECRET_KEY") or own_secret(VAR / "secret_key")
SECRET_KEY_FALLBACKS = read("SECRET_KEY_OLD")
if (_former := VAR / "secret_key.old").exists():
    SECRET_KEY_FALLBACKS.append(_former.read_text(encoding="ascii").strip())
#: Any 32 random bytes are a key.
VAPID_PRIVATE_KEY = read("VAPID_PRIVATE_KEY") or own_secret(VAR / "vapid_key", size=32)
#: ``./run site --host`` adds the address that it listens on.
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *read("SITE_HOSTS")]
#: Plain HTTP has no "Secure" cookies; prod.py has them.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]
