"""The same duel as most would write it: Channels, the ORM, a channel layer on Redis."""
