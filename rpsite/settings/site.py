"""Settings of ``./run site``: no debugging, a secret of its own, plain HTTP on this machine."""

from rpsite.env import VAR, env, own_secret
from rpsite.settings.base import *  # noqa: F403 - settings build on each other

SECRET_KEY = env.str("SECRET_KEY", "") or own_secret(VAR / "secret_key")
#: Former keys, separated by commas: what they signed stays valid, and nothing new is signed.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_OLD", default=[])
if (_former := VAR / "secret_key.old").exists():
    SECRET_KEY_FALLBACKS.append(_former.read_text(encoding="ascii").strip())
#: Any 32 random bytes are a key.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", "") or own_secret(VAR / "vapid_key", size=32)
#: ``./run site --host`` adds the address that it listens on.
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.list("SITE_HOSTS", default=[])]
#: Plain HTTP has no "Secure" cookies; prod.py has them.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]
