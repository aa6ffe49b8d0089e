"""People: profiles, records, activity, relations, insight."""
