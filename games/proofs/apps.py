"""The application of proofs: it has no tables of its own."""

from django.apps import AppConfig


class ProofsConfig(AppConfig):
    """Provides the log of commitments, seeds and proofs."""

    name = "games.proofs"
    label = "proofs"
