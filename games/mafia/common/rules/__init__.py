"""The pure rules that the Mafia games share: roster, phases, votes, check-in, rooms."""
