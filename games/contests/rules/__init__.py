"""The rules of a contest, which know users by number and no game by name."""
