"""Proofs of fair dealing: the log of commitments, seeds, proofs of finished matches."""
