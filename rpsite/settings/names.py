"""What the site is called, and whom people ask."""

from rpsite.env import env

SITE_NAME = "Rock & Racket"
#: Whom people ask who may not play, or want to be forgotten: an address or a sentence.
SITE_CONTACT = env.str("SITE_CONTACT", "")
