"""Events: appointments at which people are paired into matches, such as the Train."""

LABEL = "events"
