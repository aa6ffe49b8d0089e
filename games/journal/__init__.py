"""From rows to states: what is remembered, recalled and played again.  Nothing here writes."""
