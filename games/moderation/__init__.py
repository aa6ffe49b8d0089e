"""Moderation: flags, reports, mutes, fair play, looks at secrets, and their admin."""
