"""Rock, Paper, Scissors, Dynamite: three mafias that hunt each other, and a town that explodes."""

#: The name in rows and addresses.
SLUG = "dynamite"
