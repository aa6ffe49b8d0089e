import doctest

from bench import picture


def test_picture_examples_in_the_docstrings_hold() -> None:
    failed, tried = doctest.testmod(picture)
    assert tried >= 2
    assert failed == 0


def test_picture_the_deepest_function_of_a_stack_decides_to_which_part_it_belongs() -> None:
    stacks = [
        ("BatchWriter._work (w.py)", "Batch._write (services/batch.py)", "BulkRows.insert (b.py)"),
        ("BatchWriter._work (w.py)", "Batch._answer (services/batch.py)", "Table.apply (t.py)"),
        ("Server.run (a/b.py)", "select (c/d.py)"),
    ]
    found = picture.shares(dict.fromkeys(stacks, 1))
    assert set(found) == {"statements, COMMIT", "rules of the game", "server, loop and all else"}
    assert sum(found.values()) == 1
