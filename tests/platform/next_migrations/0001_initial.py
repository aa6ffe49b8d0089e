"""The first migration of contests without a column of proposals."""

from importlib import import_module

from django.db.migrations import CreateModel

_first = import_module("games.contests.migrations.0001_initial").Migration


class Migration(_first):
    """Creates the tables of contests."""

    operations = [
        CreateModel(each.name, [one for one in each.fields if one[0] != "reason"], each.options)
        if isinstance(each, CreateModel)
        else each
        for each in _first.operations
    ]
