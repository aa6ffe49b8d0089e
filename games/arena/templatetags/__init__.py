"""Tags that the arena brings to the templates."""
