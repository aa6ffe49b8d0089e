"""A process of test_login_number.py that alters a table with triggers in a SQLite file."""

import sys


def main(name):
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection, migrations, models
    from django.db.migrations.loader import MigrationLoader

    from accounts.login_number import TRIGGERS, login_number
    from tests.accounts.kit import make_user

    call_command("migrate", verbosity=0)
    user = make_user("alice")

    newest = MigrationLoader(None).graph.leaf_nodes("accounts")

    class Altering(migrations.Migration):
        dependencies = newest
        operations = [
            migrations.AddField(name, "note", models.CharField(max_length=9, default="x")),
            migrations.AlterField(name, "note", models.CharField(max_length=90, default="y")),
        ]

    load = MigrationLoader.load_disk

    def load_with_it(loader):
        load(loader)
        loader.disk_migrations["accounts", "9999_alter"] = Altering("9999_alter", "accounts")

    MigrationLoader.load_disk = load_with_it
    call_command("migrate", verbosity=0)
    print("missing:", TRIGGERS.missing(connection))
    before = login_number()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET is_active = false WHERE id = %s", [user.pk])
    print("moved:", login_number() > before)


if __name__ == "__main__":
    main(sys.argv[1])
