"""Rock, Paper, Scissors, Dynamite: three mafias that hunt each other, and a town that blows up."""

#: The name in rows and addresses.
SLUG = "dynamite"
