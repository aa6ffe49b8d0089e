"""What lives in a web process: pump, hub, bus, sockets."""
