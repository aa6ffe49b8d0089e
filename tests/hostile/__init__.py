"""The list of attacks: each test is named after the number of its case in docs/reference/attacks.md."""
