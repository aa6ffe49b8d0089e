"""A game for up to forty, made of the kernel's small game and the words of Odds and Evens."""
