"""Practice without an account: a table in this process's memory, chips that are no points. The
rules, the table, the bots and the words are those of every table; the database is not written.
"""
