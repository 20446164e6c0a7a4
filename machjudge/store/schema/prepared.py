"""Statements that every mail needs: compiled once, then handed to the driver as they are.

What SQLAlchemy does around a statement each time (what it has compiled is looked up, a context
and a result are made) costs several times what the database does for it.  Tables, types and SQL
are SQLAlchemy's here as well, and whoever listens for statements hears of these.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ClauseElement, Connection, Dialect
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]
_Process = Callable[[Any], Any]
_Parameters = Sequence[Any] | Mapping[str, Any]


def send(
    connection: Connection, sql: str, parameters: _Parameters = (), *, is_many: bool = False
) -> DBAPICursor:
    """The driver's cursor after a statement; raises DBAPIError, as SQLAlchemy does."""
    cursor = connection.connection.cursor()
    try:
        for hear in connection.dispatch.before_cursor_execute:
            sql, parameters = hear(connection, cursor, sql, parameters, None, is_many)
        run: Callable[..., object] = cursor.executemany if is_many else cursor.execute
        run(sql, parameters)
    except connection.dialect.loaded_dbapi.Error as fault:
        raise told(connection, sql, fault) from fault
    return cursor


def told(connection: Connection, sql: str, fault: Exception) -> BaseException:
    """What SQLAlchemy would raise; a connection that is lost is used no more."""
    dialect = connection.dialect
    wrapped = DBAPIError.instance(
        sql, None, fault, dialect.loaded_dbapi.Error, hide_parameters=True, dialect=dialect
    )
    if dialect.is_disconnect(fault, connection.connection.dbapi_connection, None):  # type: ignore[arg-type]
        connection.invalidate(fault)
    return wrapped


class Prepared:
    """A statement that runs again and again, with other values.

    The names of the values are always the same.
    """

    def __init__(self, statement: ClauseElement) -> None:
        self.statement = statement
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    def run(self, connection: Connection, *several: Values) -> None:
        """Run it for what it does, once for each of *several* sets of values."""
        compiled = self._for(connection.dialect, several[0])
        every = [compiled.parameters(values) for values in several]
        is_many = len(every) > 1
        send(connection, compiled.sql, every if is_many else every[0], is_many=is_many).close()

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        """All rows, with the names of their columns."""
        compiled = self._for(connection.dialect, values)
        cursor = send(connection, compiled.sql, compiled.parameters(values))
        try:
            found = cursor.fetchall()
        except connection.dialect.loaded_dbapi.Error as fault:
            raise told(connection, compiled.sql, fault) from fault
        rows = compiled.rows(found, cursor.description)
        cursor.close()
        return rows

    def scalar(self, connection: Connection, values: Values) -> object | None:
        """The first column of the only row; None if there is none."""
        found = self.rows(connection, values)
        return found[0][0] if found else None

    def _for(self, dialect: Dialect, values: Values) -> "_Compiled":
        form = (dialect.name, *values)
        if form not in self._compiled:
            self._compiled[form] = _Compiled(self.statement, dialect, values)
        return self._compiled[form]


def _row(columns: Sequence[str]) -> Callable[..., Any]:
    """What makes a row of the values of these columns."""
    return namedtuple("Row", columns, rename=True)


class _Compiled:
    """A statement for one kind of database, with values of these names."""

    def __init__(self, statement: ClauseElement, dialect: Dialect, names: Values) -> None:
        compiled = dialect.statement_compiler(dialect, statement, column_keys=list(names))
        self.sql = str(compiled)
        self._order = compiled.positiontup
        own = {**compiled.params}
        for column in compiled.insert_prefetch:
            own[column.key] = getattr(column.default, "arg", None)
        given: list[tuple[str, _Process | None]] = []
        self._own: dict[str, Any] = {}
        for bind, name in compiled.bind_names.items():
            process = bind.type.dialect_impl(dialect).bind_processor(dialect)
            if name in names:
                given.append((name, process))
            else:
                self._own[name] = own[name] if process is None else process(own[name])
        self._given = tuple(given)
        self._dialect = dialect
        columns = getattr(statement, "exported_columns", ())
        self._types = [each.type for each in columns]
        self._row = _row([each.key for each in columns])
        self._read: tuple[tuple[int, _Process], ...] | None = None

    def parameters(self, values: Values) -> _Parameters:
        """The values as the driver takes them."""
        taken = dict(self._own)
        for name, process in self._given:
            value = values[name]
            taken[name] = value if process is None else process(value)
        return taken if self._order is None else [taken[name] for name in self._order]

    def rows(self, found: Iterable[Sequence[Any]], description: Sequence[Any]) -> list[Any]:
        """Rows of the driver, as the program knows their values."""
        if self._read is None:
            self._read = tuple(self._reading(description))
        rows = []
        for row in found:
            values = list(row)
            for number, process in self._read:
                values[number] = process(values[number])
            rows.append(self._row(*values))
        return rows

    def _reading(self, description: Sequence[Any]) -> Iterator[tuple[int, _Process]]:
        """Which columns have to be read in their own way, and how."""
        for number, (column, described) in enumerate(zip(self._types, description, strict=True)):
            impl = column.dialect_impl(self._dialect)
            process = impl.result_processor(self._dialect, described[1])
            if process is not None:
                yield number, process
