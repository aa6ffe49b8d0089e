"""The site's name and contact."""

from rpsite.env import env

SITE_NAME = "Rock & Racket"
#: The contact for banned users and for deletion of data, an address or a sentence: on the pages
#: about privacy and closed accounts.
SITE_CONTACT = env.str("SITE_CONTACT", "")
#: Where to report a vulnerability, such as ``mailto:…`` or ``https://…``; makes
#: ``/.well-known/security.txt``.
SECURITY_CONTACT = env.str("SECURITY_CONTACT", "")
