"""Parquet files with a column of octets, decoded in the task that reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from roadwire import Error
from roadwire._distributed import PART, Decoder, suggestion
from roadwire._files import find_files, is_remote, open_binary

ROWS = 1 << 16
"""Rows that are decoded at once."""


@dataclass(frozen=True)
class ParquetPartition:
    """Some row groups of a file, one after the other."""

    path: str
    row_groups: range

    def read(self, columns: Iterable[str]) -> Iterator[pa.RecordBatch]:
        """The rows of these columns, in order."""
        with _opened(self.path) as opened, pq.ParquetFile(opened) as file:
            batches = file.iter_batches(ROWS, [*self.row_groups], [*columns], use_threads=False)
            yield from (batch.select([*columns]) for batch in batches)


@dataclass(frozen=True)
class ParquetSource:
    """Files of the same columns as rows: the columns that are kept, and after them those of the values.

    Octets stay in the process that reads them, so they are handed neither to Spark and back nor to Ray's object store.
    """

    files: tuple[str, ...]
    decoder: Decoder
    kept: pa.Schema
    octets: int

    @classmethod
    def of(
        cls, paths: Iterable[str], decoder: Decoder, columns: tuple[str, ...] | None = None, octets: int = PART
    ) -> ParquetSource:
        """With `columns`, of the others these alone are kept. The columns are those of the first file.

        Raises FileNotFound for a path or pattern of nothing, ValueError for columns that do not fit together.
        """
        files = find_files(paths, is_parquet)
        if not files:
            raise ValueError("there is no Parquet file: of folders, those that end in .parquet are read")
        if octets < 1:
            raise ValueError(f"a partition has at least one octet, not {octets}")
        fields = _footer(files[0]).schema.to_arrow_schema()
        for name in columns or ():
            if name not in fields.names:
                hint = suggestion(name, fields.names)
                raise ValueError(f"{files[0]} has no column {name!r}{hint}: its columns are {fields.names}")
        if columns is not None and len(set(columns)) != len(columns):
            raise ValueError(f"columns are some of {fields.names}, each once, not {list(columns)}")
        kept = [name for name in fields.names if name != decoder.column] if columns is None else columns
        decoder.check([*kept, *(name for name in fields.names if name == decoder.column)])
        return cls(tuple(files), decoder, pa.schema([fields.field(name) for name in kept]), octets)

    def fields(self) -> pa.Schema:
        """The columns of all its partitions."""
        return pa.schema([*self.kept, *self.decoder.fields()])

    def partitions(self) -> list[ParquetPartition]:
        """Its partitions: by file, and by row groups of a file. Raises ValueError for a file of other columns."""
        with ThreadPoolExecutor(min(8, len(self.files))) as pool:
            return [part for of_file in pool.map(self._parts, self.files) for part in of_file]

    def read(self, partition: ParquetPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a partition, in order."""
        for batch in partition.read([*self.kept.names, self.decoder.column]):
            try:
                yield self.decoder(batch)
            except Error as error:
                message = f"{error} of {partition.path}"
                raise Error(message, error.code, error.bit, error.path, error.offset, error.row) from None

    def _parts(self, file: str) -> list[ParquetPartition]:
        footer = _footer(file)
        fields = footer.schema.to_arrow_schema()
        if fields.names.count(self.decoder.column) != 1:
            raise ValueError(f"{file} has no column {self.decoder.column!r}, which {self.files[0]} has")
        for field in self.kept:
            found = fields.field(field.name).type if field.name in fields.names else "none"
            if found != field.type:
                raise ValueError(f"column {field.name!r} is {field.type} in {self.files[0]}, and {found} in {file}")
        parts, begin, octets = [], 0, 0
        for group in range(footer.num_row_groups):
            octets += footer.row_group(group).total_byte_size
            if octets >= self.octets:
                parts.append(ParquetPartition(file, range(begin, group + 1)))
                begin, octets = group + 1, 0
        if begin < footer.num_row_groups or not parts:
            parts.append(ParquetPartition(file, range(begin, footer.num_row_groups)))
        return parts


def is_parquet(name: str) -> bool:
    """Whether a file of this name in a folder is taken for a Parquet file."""
    return name.lower().endswith(".parquet")


@contextmanager
def _opened(file: str) -> Iterator[Any]:
    """A file for pyarrow, which opens those of this machine itself."""
    if not is_remote(file):
        yield file
        return
    with open_binary(file) as opened:
        yield opened


def _footer(file: str) -> pq.FileMetaData:
    try:
        with _opened(file) as opened:
            return pq.read_metadata(opened)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{file} is not a Parquet file: {error}") from None
