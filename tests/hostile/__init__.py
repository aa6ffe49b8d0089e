"""The attacks: each test is named after its case in docs/reference/attacks.md."""
