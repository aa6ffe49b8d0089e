"""The forms for English."""
