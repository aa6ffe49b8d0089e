"""What may be seen: snapshots, views, lists, records, ratings.  Nothing here writes."""
