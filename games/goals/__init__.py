"""Goals: what players have reached, told to them after the game and on their page."""
