"""What Spark and Ray share: partitions of files, and columns of an Arrow batch decoded beside its other columns.

Everything here can be pickled, and gives the same rows each time: a partition that is read again, or a batch that is
decoded again, changes nothing. It needs pyarrow, which both engines need, too.
"""

from __future__ import annotations

import glob
import os
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import pyarrow as pa
import pyarrow.compute as pc

import roadwire
from roadwire import Error, FileNotFound, Schema
from roadwire._lines import LinesPartition, line_fields

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
_OCTETS = "_octets"


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


@dataclass(frozen=True)
class Verification:
    """How signed messages are verified: arguments of `roadwire.read_capture`."""

    verify: bool = False
    trust: tuple[str, ...] | None = None
    profile: Profile | None = None
    crl: tuple[str, ...] = ()
    revoke: tuple[bytes | str, ...] = ()

    def __post_init__(self) -> None:
        named = [*((file, "a trusted certificate") for file in self.trust or ()), *((file, "a list") for file in self.crl)]
        for file, what in named:
            if not os.path.exists(file):
                raise FileNotFound(f"cannot read {file}: the file of {what} does not exist", file)
        # A wrong digest fails here, before a worker starts.
        roadwire.Verifier(revoke=self.revoke)
        if self.profile not in (None, "etsi", "none"):
            raise ValueError(f"profile is 'etsi' or 'none', not {self.profile!r}")

    @property
    def is_asked_for(self) -> bool:
        asked = (self.verify, self.trust is not None, self.profile is not None, self.crl, self.revoke)
        return any(map(bool, asked))


@dataclass(frozen=True)
class CapturePartition:
    """A recording, or a part of one."""

    path: str
    verification: Verification
    part: roadwire.CapturePart | None

    def read(self) -> Iterator[pa.RecordBatch]:
        """Its frames in order, with their numbers in the whole file."""
        asked = self.verification
        frames = roadwire.read_capture(
            self.path,
            asked.verify,
            trust=asked.trust,
            profile=asked.profile,
            crl=asked.crl,
            revoke=asked.revoke,
            part=self.part,
        )
        return map(pa.record_batch, frames)


Partition: TypeAlias = CapturePartition | LinesPartition


def capture_partitions(paths: Iterable[str], verification: Verification, octets: int) -> list[CapturePartition]:
    """Partitions of recordings, in the order of files. A file that is verified is one: who signed is learnt from the frames before."""
    files = find_files(paths, is_capture)
    with ThreadPoolExecutor(min(8, len(files) or 1)) as pool:
        parts = pool.map(lambda file: _parts(CapturePartition(file, verification, None), octets), files)
        return [part for of_file in parts for part in of_file]


def _parts(whole: CapturePartition, octets: int) -> list[CapturePartition]:
    if whole.verification.is_asked_for or os.path.getsize(whole.path) <= octets:
        return [whole]
    # A file that is no recording has one partition as well: reading it reports what is wrong.
    return [replace(whole, part=part) for part in roadwire.capture_parts(whole.path, octets)] or [whole]


def frame_fields() -> pa.Schema:
    """The columns of frames, those of `roadwire.read_capture`."""
    if not _FRAME_FIELDS:
        _FRAME_FIELDS.append(_fields_of_no_frame())
    return _FRAME_FIELDS[0]


_FRAME_FIELDS: list[pa.Schema] = []


def _fields_of_no_frame() -> pa.Schema:
    with tempfile.TemporaryDirectory() as folder:
        # A recording without a frame: its columns are those of any other.
        file = Path(folder) / "empty.pcap"
        file.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        return pa.schema(roadwire.read_capture(file).schema)


@dataclass(frozen=True)
class Source:
    """Files as rows: recordings, or with `lines` text with a message on each line.

    With `message`, the name of a shipped schema, the rows are those of its messages in UPER, with their values after
    the columns of the frame.
    """

    paths: tuple[str, ...]
    lines: Literal["hex", "base64"] | None = None
    verification: Verification = Verification()
    columns: tuple[str, ...] | None = None
    octets: int = PART
    message: str | None = None
    fields_of_message: tuple[str, ...] | None = None
    errors: Errors = "raise"

    def __post_init__(self) -> None:
        if not self.paths:
            raise ValueError("no path is given")
        if self.lines not in (None, "hex", "base64"):
            raise ValueError(f"lines is 'hex' or 'base64', not {self.lines!r}")
        if self.lines is not None and self.verification.is_asked_for:
            raise ValueError("lines have no signatures to verify: options of verification are for recordings")
        if (
            self.message is None
            and self.fields_of_message is not None
            or self.lines is not None
            and self.message is not None
        ):
            raise ValueError("fields are those of a message, which recordings have")
        if self.octets < 1:
            raise ValueError(f"a partition has at least one octet, not {self.octets}")
        self.fields()

    def fields(self) -> pa.Schema:
        """The columns of all its partitions."""
        fields = frame_fields() if self.lines is None else line_fields()
        fields = fields if self.columns is None else self._selected(fields, self.columns)
        if self.message is None:
            return fields
        values = self._decoder(self.message).fields()
        _without_doubles(fields.names, values.names)
        return pa.schema([*fields, *values])

    def _selected(self, fields: pa.Schema, columns: tuple[str, ...]) -> pa.Schema:
        unknown = [name for name in columns if name not in fields.names]
        if unknown:
            hint = suggestion(unknown[0], fields.names)
            raise ValueError(f"there is no column {unknown[0]!r}{hint}: columns are some of {fields.names}")
        if len(set(columns)) != len(columns) or not columns:
            raise ValueError(f"columns are some of {fields.names}, each once, not {list(columns)}")
        return pa.schema([fields.field(name) for name in columns])

    def _decoder(self, message: str) -> Decoder:
        return Decoder(SchemaDescription(message), _OCTETS, "uper", self.fields_of_message, self.errors, None)

    def partitions(self) -> list[Partition]:
        """Its partitions: by file, and by block of a file."""
        if self.lines is None:
            return [*capture_partitions(self.paths, self.verification, self.octets)]
        files = find_files(self.paths, lambda _: True)
        return [part for file in files for part in LinesPartition.of(file, self.lines, self.octets)]

    def read(self, partition: Partition) -> Iterator[pa.RecordBatch]:
        """The rows of a partition, in order."""
        for batch in partition.read():
            kept = batch if self.columns is None else batch.select(list(self.columns))
            yield kept if self.message is None else self._decoded(kept, batch.column("message"), self.message)

    def _decoded(self, batch: pa.RecordBatch, messages: pa.Array, message: str) -> pa.RecordBatch:
        """The rows of messages of a schema, with their values. `file` and `frame` are in an error, where they are columns."""
        wanted = pc.and_(
            pc.equal(pc.struct_field(messages, "schema"), message), pc.equal(pc.struct_field(messages, "rules"), "uper")
        )
        octets = pc.struct_field(messages, "octets").filter(wanted)
        return self._decoder(message)(batch.filter(wanted).append_column(_OCTETS, octets))


def files_of(name: str, files: Sequence[str | os.PathLike[str]] | None) -> tuple[str, ...] | None:
    """The files of an option, as all workers find them; one path alone is a mistake."""
    if isinstance(files, (str, os.PathLike)):
        raise TypeError(f"{name} is a list of files, not one file")
    return None if files is None else tuple(os.path.abspath(_local(os.fspath(file))) for file in files)


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


def find_files(paths: Iterable[str], is_wanted: Callable[[str], object]) -> list[str]:
    """Absolute paths of files: what is named, what a pattern names, and what is wanted in folders and below, without names that
    begin with a dot or an underscore. Sorted for each path, and each once.

    Raises FileNotFound for a path or pattern of nothing.
    """
    found: dict[str, None] = {}
    for path in paths:
        path = _local(path)
        named = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
        if not named:
            raise FileNotFound(f"there is no file {path!r}", path)
        for name in named:
            for file in _below(name, is_wanted) if os.path.isdir(name) else [name]:
                found[os.path.abspath(file)] = None
    return list(found)


def _below(folder: str, is_wanted: Callable[[str], object]) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        yield from (os.path.join(parent, name) for name in sorted(files) if name[0] not in "._" and is_wanted(name))


def is_capture(name: str) -> bool:
    """Whether a file of this name in a folder is taken for a recording."""
    return name.lower().removesuffix(".gz").endswith((".pcap", ".pcapng", ".cap"))


def _local(path: str) -> str:
    if path.startswith("file:"):
        path = path.removeprefix("file:")
        return path.removeprefix("//") if path.startswith("///") else path
    if "://" in path:
        raise ValueError(f"{path!r}: files are read from paths that all workers have, not from other stores")
    return path
