"""The games: rules, services, sockets and pages."""
