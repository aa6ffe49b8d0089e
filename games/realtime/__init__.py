"""The live parts of a web process: batch writer, hub, bus, sockets."""
