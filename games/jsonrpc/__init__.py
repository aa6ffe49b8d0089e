"""JSON-RPC 2.0 for programs: envelope, parameters, errors and answers; knows no game."""
