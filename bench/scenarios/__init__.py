"""What is measured: one file a scenario."""
