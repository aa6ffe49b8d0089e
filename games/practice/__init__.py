"""Practice without an account: a table in this process's memory, for chips. Rules, table, bots and
words are those of every table; the database is not written.
"""
