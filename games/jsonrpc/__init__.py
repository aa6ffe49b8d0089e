"""JSON-RPC 2.0 for programs: every table game, generated from its structs; knows no game."""
