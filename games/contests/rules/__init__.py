"""The rules of a contest; they know users by id and no game by name."""
