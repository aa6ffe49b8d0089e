"""Database expressions that Django does not have."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Func
from django.db.models.sql.compiler import SQLCompiler


class IsInteger(Func):
    """True when the column holds a whole number: SQLite stores 1.5 in an integer column."""

    arity = 1
    output_field = BooleanField()
    template = "(%(expressions)s IS NOT NULL)"

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        template = "(typeof(%(expressions)s) = 'integer')"
        return self.as_sql(compiler, connection, template=template, **extra)
