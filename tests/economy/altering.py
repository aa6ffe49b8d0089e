"""A process of test_guards.py that alters the table of a filled SQLite file and tries guards."""

import sys

CHANGES = [
    "UPDATE economy_transfer SET amount = amount + 1",
    "UPDATE economy_transfer SET cause = cause",
    "DELETE FROM economy_transfer",
]


def main(kind):
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import IntegrityError, connection, migrations, models, transaction
    from django.db.migrations.executor import MigrationExecutor

    from economy.ledger import open_account
    from economy.models import LEDGER_GUARDS
    from tests.economy.kit import NOON

    call_command("migrate", verbosity=0)
    open_account(900001, NOON)
    migration = migrations.Migration("9999_alter", "economy")
    migration.operations = [
        migrations.AlterField("transfer", "cause", models.CharField(max_length=200))
        if kind == "AlterField"
        else migrations.AddField("transfer", "note", models.CharField(max_length=9, default=""))
    ]
    executor = MigrationExecutor(connection)
    executor.apply_migration(executor.loader.project_state(), migration)
    print("guards lost by the migration:", len(LEDGER_GUARDS.missing(connection)))
    call_command("migrate", verbosity=0, skip_checks=True)
    print("guards missing after migrate:", len(LEDGER_GUARDS.missing(connection)))
    for statement in CHANGES:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
            print("not refused:", statement)
        except IntegrityError:
            print("refused:", statement)


if __name__ == "__main__":
    main(sys.argv[1])
