"""Duel: rock, paper, scissors for two, best of n."""
