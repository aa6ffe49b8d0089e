"""Bots: what they decide, and how they sit down and act."""
