"""What lives in a web process: batch writer, hub, bus, sockets."""
