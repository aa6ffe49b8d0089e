"""The index ``user_banned`` where a database lacks it.

0001 got it after the commit "Release 1.0.0": a database of that commit has 0001 without it.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

NAME = "user_banned"


def add_where_missing(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    user = apps.get_model("accounts", "User")
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        there = connection.introspection.get_constraints(cursor, user._meta.db_table)
    if NAME not in there:
        index = next(index for index in user._meta.indexes if index.name == NAME)
        # Nobody waits for it.
        how = {"concurrently": True} if connection.vendor == "postgresql" else {}
        schema_editor.add_index(user, index, **how)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0003_messages_notes_and_blocked_names")]

    # By the models' history all databases have it, so there is nothing to take back.
    operations = [migrations.RunPython(add_where_missing, migrations.RunPython.noop)]
