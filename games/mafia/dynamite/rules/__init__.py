"""The pure rules of Rock, Paper, Scissors, Dynamite."""
