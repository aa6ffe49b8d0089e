"""The application of proofs: it has no tables of its own."""

from django.apps import AppConfig


class ProofsConfig(AppConfig):
    name = "games.proofs"
    label = "proofs"
