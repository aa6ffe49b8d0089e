"""The ladder of programs: matches of a thousand throws, in the memory of one web process."""

#: The application's label, and the pool of ratings.
LABEL = "ladder"
