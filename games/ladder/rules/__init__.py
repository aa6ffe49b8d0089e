"""The rules of the ladder; they know no clock and no chance."""
