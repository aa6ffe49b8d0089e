"""Database expressions that Django does not have."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Func
from django.db.models.sql.compiler import SQLCompiler


class IsInteger(Func):
    """True when the column holds a whole number, whatever its declared type.

    SQLite stores 1.5 in an integer column as it is; PostgreSQL cannot.
    """

    arity = 1
    output_field = BooleanField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> tuple[str, list[Any]]:
        column, parameters = compiler.compile(self.source_expressions[0])
        return f"({column} IS NOT NULL)", list(parameters)

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> tuple[str, list[Any]]:
        column, parameters = compiler.compile(self.source_expressions[0])
        return f"(typeof({column}) = 'integer')", list(parameters)
