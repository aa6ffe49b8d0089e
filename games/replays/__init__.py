"""Finished matches: recordings, replays, histories, logs, preview cards."""
