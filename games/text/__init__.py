"""The words of typed commands and of sentences, for every game; independent of any game."""
