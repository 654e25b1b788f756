"""What Spark and Ray share: columns of an Arrow batch decoded, or encoded, beside its other columns.

Everything here can be pickled, and gives the same rows each time: a partition that is read again, or a batch that is
decoded again, changes nothing. It needs pyarrow, which both engines need, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, cast

import pyarrow as pa

import roadwire
from roadwire import Error, Schema
from roadwire._files import local

# Not one Literal of three: stubtest takes that for a function.
Errors: TypeAlias = Literal["raise"] | Literal["null"] | Literal["column"]
"""What becomes of a row that is refused, as in ``Schema.decode_batch``."""
Profile: TypeAlias = Literal["etsi"] | Literal["none"]
"""Which messages must keep the profile of TS 103 097, as in ``roadwire.Verifier``."""
AnySchema: TypeAlias = str | Schema | Mapping[str, Any]
"""A schema: the name of a shipped one, a ``Schema``, or the arguments of ``roadwire.compile`` by their names."""

PART = 64 << 20
"""Octets of a partition of a file, by default."""
ERROR = "_error"


@dataclass(frozen=True)
class SchemaDescription:
    """What a worker makes a schema of: the name of a shipped one, or the text of modules. It is made once in a process."""

    name: str | None
    modules: tuple[tuple[str, bytes], ...] = ()
    main: str | None = None

    @classmethod
    def of(cls, schema: AnySchema) -> SchemaDescription:
        """Files are read here, so that workers need not have them."""
        if isinstance(schema, str):
            return cls(roadwire.schema(schema).name)
        if isinstance(schema, Mapping):
            schema = roadwire.compile(**schema)
        if not isinstance(schema, Schema):
            raise TypeError(
                f"a schema is a name, a roadwire.Schema or the arguments of roadwire.compile, not {schema!r}"
            )
        if schema.name is not None:
            return cls(schema.name)
        # As it is pickled: its modules, and the type that is meant where none is named.
        _, (modules, main) = cast(Any, schema.__reduce__())
        return cls(None, tuple(modules), main)

    def schema(self) -> Schema:
        if self.name is not None:
            return roadwire.schema(self.name)
        made = _COMPILED.get(self)
        if made is None:
            if len(_COMPILED) == _MOST_COMPILED:
                _COMPILED.clear()
            made = _COMPILED[self] = roadwire._native.compile(self.modules, self.main)
        return made


_COMPILED: dict[SchemaDescription, Schema] = {}
_MOST_COMPILED = 64


@dataclass(frozen=True)
class Decoder:
    """Takes a column of octets out of a batch, and puts the columns of their values after the others."""

    description: SchemaDescription
    column: str
    rules: str
    columns: tuple[str, ...] | None
    errors: Errors
    type: str | None

    def fields(self) -> pa.Schema:
        """The columns that it makes."""
        return _fields_of(self)

    def check(self, names: list[str]) -> list[str]:
        """The other columns, those that are kept; raises ValueError where the names of all do not fit together."""
        if names.count(self.column) != 1:
            raise ValueError(f"there is no column {self.column!r}, or there are several, among {names}")
        kept = [name for name in names if name != self.column]
        _without_doubles(kept, self.fields().names)
        return kept

    def __call__(self, batch: Any) -> Any:
        """A record batch, or a table, of the same number of rows in the same order."""
        octets = batch.column(self.column)
        columns = None if self.columns is None else list(self.columns)
        try:
            found = self.description.schema().decode_batch(self.rules, octets, columns, self.errors, self.type)
        except Error as error:
            raise _in_its_row(error, batch, [self.column]) from None
        return _beside(batch, {self.column}, pa.record_batch(found))


def _read_fields(decoder: Decoder) -> pa.Schema:
    schema, columns = decoder.description.schema(), None if decoder.columns is None else list(decoder.columns)
    # So that wrong rules are reported here, and not by a worker.
    schema.decode_batch(decoder.rules, [], columns, decoder.errors, decoder.type)
    return pa.schema(schema.arrow_schema(decoder.type, columns, decoder.errors))


_fields_of: Callable[[Decoder], pa.Schema] = lru_cache(maxsize=_MOST_COMPILED)(_read_fields)
"""The columns that a decoder makes: read once in a process, for they are asked for with each batch."""


@dataclass(frozen=True)
class Encoder:
    """Takes the columns of values out of a batch, and puts a column of their octets after the others."""

    description: SchemaDescription
    column: str
    rules: str
    errors: Errors
    type: str | None

    def fields(self) -> pa.Schema:
        """The columns that it makes."""
        made = [pa.field(self.column, pa.binary())]
        if self.errors == "column":
            made.append(pa.field(ERROR, _error_type(self.description.schema())))
        return pa.schema(made)

    def values(self, names: Iterable[str]) -> list[str]:
        """Which columns are those of the value."""
        wanted = set(self.description.schema().arrow_schema(self.type).names)
        return [name for name in names if name in wanted]

    def check(self, names: list[str]) -> list[str]:
        """The other columns, those that are kept; raises ValueError where the names of all do not fit together."""
        if self.errors not in ("raise", "null", "column"):
            raise ValueError(f"errors is 'raise', 'null' or 'column', not {self.errors!r}")
        values = self.values(names)
        if not values:
            raise ValueError(f"there is no column of the type among {names}")
        _without_doubles(values, [])
        kept = [name for name in names if name not in values]
        _without_doubles(kept, self.fields().names)
        return kept

    def __call__(self, batch: Any) -> Any:
        """A record batch, or a table, of the same number of rows in the same order."""
        names = self.values(batch.column_names)
        schema = self.description.schema()
        try:
            found = schema.encode_batch(self.rules, batch.select(names), self.type, self.errors)
        except Error as error:
            raise _in_its_row(error, batch, names) from None
        made = pa.record_batch(found).columns if self.errors == "column" else [pa.array(found)]
        return _beside(batch, set(names), pa.RecordBatch.from_arrays(made, schema=self.fields()))


def _without_doubles(kept: list[str], made: list[str]) -> None:
    doubles = sorted({name for name in kept if (kept + made).count(name) > 1})
    if doubles:
        raise ValueError(f"columns of the same name: {', '.join(map(repr, doubles))}; rename or drop them first")


def _beside(batch: Any, without: set[str], made: pa.RecordBatch) -> Any:
    kept = [at for at, name in enumerate(batch.column_names) if name not in without]
    schema = pa.schema([*(batch.schema.field(at) for at in kept), *made.schema])
    return type(batch).from_arrays([*(batch.column(at) for at in kept), *made.columns], schema=schema)


def _error_type(schema: Schema) -> pa.DataType:
    return pa.schema(schema.arrow_schema(schema.types[0], None, "column")).field(ERROR).type


def _in_its_row(error: Error, batch: Any, without: list[str]) -> Error:
    """The error with what its row has in simple columns: the number of a row in a batch does not identify it."""
    if error.row is None:
        return error
    row = error.row
    told = []
    for name, of in zip(batch.column_names, batch.schema.types, strict=True):
        if name not in without and (pa.types.is_integer(of) or pa.types.is_string(of) or pa.types.is_large_string(of)):
            told.append(f"{name}={str(batch.column(name)[row].as_py())[:200]!r}")
    message = str(error).removesuffix(f" in row {error.row}").removesuffix(",")
    message = f"{message}, in the row with {', '.join(told[:4])}" if told else f"{message}, in row {row} of a batch"
    return Error(message, error.code, error.bit, error.path, error.offset, row)


def files_of(name: str, files: Sequence[str | os.PathLike[str]] | None) -> tuple[str, ...] | None:
    """The files of an option, as all workers find them; one path alone is a mistake."""
    if isinstance(files, (str, os.PathLike)):
        raise TypeError(f"{name} is a list of files, not one file")
    return None if files is None else tuple(os.path.abspath(local(os.fspath(file))) for file in files)


def digests_of(revoke: Sequence[bytes | str] | None) -> tuple[bytes | str, ...]:
    """Digests of certificates; one alone is a mistake."""
    if isinstance(revoke, (str, bytes)):
        raise TypeError("revoke is a list of digests, not one digest")
    return tuple(revoke or ())


def names_of(columns: Sequence[str] | None) -> tuple[str, ...] | None:
    """Names, or paths, of columns as they can be pickled and compared; one text alone is a mistake."""
    if isinstance(columns, str):
        raise TypeError("columns is a list of names, not a str")
    return None if columns is None else tuple(columns)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A hint at the nearest of the known names; empty if none is near."""
    near = roadwire._native.nearest(name, list(known))
    return "" if near is None else f"; did you mean {near!r}?"
