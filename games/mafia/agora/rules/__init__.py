"""The pure rules of Agoran Mafia."""
