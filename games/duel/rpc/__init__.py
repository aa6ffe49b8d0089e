"""Duel for programs: JSON-RPC 2.0 over a socket and over HTTP."""
