"""The same duel in the usual way: Channels, the ORM, a channel layer on Redis."""
