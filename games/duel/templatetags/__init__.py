"""The template tags of the duels."""
