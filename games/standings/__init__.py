"""Standings: ratings, boards, awards, prizes."""
