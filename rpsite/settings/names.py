"""The site's name and contact."""

from rpsite.variables import read

SITE_NAME = "Rock & Racket"
SITE_CONTACT = read("SITE_CONTACT")
SECURITY_CONTACT = read("SECURITY_CONTACT")
