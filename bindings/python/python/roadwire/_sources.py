"""What Spark and Ray share: recordings and text as partitions of rows.

Rows are those of ``roadwire.read_capture``, whose options these sources have. Everything here can be pickled, and gives the same
rows each time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import pyarrow as pa

import roadwire
from roadwire import FileNotFound
from roadwire._distributed import PART, Errors, Profile, suggestion
from roadwire._files import find_files, is_capture, is_remote
from roadwire._lines import LinesPartition, line_fields


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
    part: roadwire.CapturePart | None


Partition: TypeAlias = CapturePartition | LinesPartition


def capture_partitions(paths: Iterable[str], verifies: bool, octets: int) -> list[CapturePartition]:
    """Partitions of recordings, in the order of files. A file that is verified is one: who signed is learnt from the frames
    before. So is one of another store, which would have to come here to be divided."""
    files = find_files(paths, is_capture)

    def parts(file: str) -> list[CapturePartition]:
        if verifies or is_remote(file) or os.path.getsize(file) <= octets:
            return [CapturePartition(file, None)]
        found = [CapturePartition(file, part) for part in roadwire.capture_parts(file, octets)]
        # A file that is no recording has one partition as well: reading it reports what is wrong.
        return found or [CapturePartition(file, None)]

    with ThreadPoolExecutor(min(8, len(files) or 1)) as pool:
        return [part for of_file in pool.map(parts, files) for part in of_file]


def capture_fields(
    columns: tuple[str, ...] | None = None,
    message: str | None = None,
    fields: tuple[str, ...] | None = None,
    errors: Errors = "raise",
    where: str | None = None,
    verifies: bool = False,
) -> pa.Schema:
    """The columns of `roadwire.read_capture` with these arguments, which are checked as it checks them."""
    return _fields_of((columns, message, fields, errors, where), verifies)


def _read_fields(selection: Any, verifies: bool) -> pa.Schema:
    return pa.schema(roadwire._native.capture_schema(selection, verifies))


_fields_of: Callable[[Any, bool], pa.Schema] = lru_cache(maxsize=64)(_read_fields)


@dataclass(frozen=True)
class Source:
    """Files as rows: recordings, or with `lines` text with a message on each line.

    With `message`, the name of a shipped schema, the rows are those of its messages in UPER, with their values after
    the columns of the frame. `where` selects frames, as in `roadwire.read_capture`.
    """

    paths: tuple[str, ...]
    lines: Literal["hex", "base64"] | None = None
    verification: Verification = Verification()
    columns: tuple[str, ...] | None = None
    octets: int = PART
    message: str | None = None
    fields_of_message: tuple[str, ...] | None = None
    errors: Errors = "raise"
    where: str | None = None

    def __post_init__(self) -> None:
        if not self.paths:
            raise ValueError("no path is given")
        if self.lines not in (None, "hex", "base64"):
            raise ValueError(f"lines is 'hex' or 'base64', not {self.lines!r}")
        if self.lines is not None and self.verification.is_asked_for:
            raise ValueError("lines have no signatures to verify: options of verification are for recordings")
        if self.lines is not None and (self.message, self.fields_of_message, self.where) != (None, None, None):
            raise ValueError("lines are octets alone: message, fields and where are for recordings")
        if self.octets < 1:
            raise ValueError(f"a partition has at least one octet, not {self.octets}")
        self.fields()

    def fields(self) -> pa.Schema:
        """The columns of all its partitions."""
        if self.lines is not None:
            return line_fields() if self.columns is None else _selected(line_fields(), self.columns)
        verifies = self.verification.is_asked_for
        return capture_fields(self.columns, self.message, self.fields_of_message, self.errors, self.where, verifies)

    def partitions(self) -> list[Partition]:
        """Its partitions: by file, and by block of a file."""
        if self.lines is None:
            return [*capture_partitions(self.paths, self.verification.is_asked_for, self.octets)]
        files = find_files(self.paths, lambda _: True)
        return [part for file in files for part in LinesPartition.of(file, self.lines, self.octets)]

    def read(self, partition: Partition) -> Iterator[pa.RecordBatch]:
        """The rows of a partition, in order, with the numbers of frames in the whole file."""
        if isinstance(partition, LinesPartition):
            batches = partition.read()
            return batches if self.columns is None else (batch.select(list(self.columns or ())) for batch in batches)
        asked = self.verification
        frames = roadwire.read_capture(
            partition.path,
            asked.verify,
            trust=asked.trust,
            profile=asked.profile,
            crl=asked.crl,
            revoke=asked.revoke,
            columns=self.columns,
            message=self.message,
            fields=self.fields_of_message,
            where=self.where,
            errors=self.errors,
            part=partition.part,
        )
        return map(pa.record_batch, frames)


def _selected(fields: pa.Schema, columns: tuple[str, ...]) -> pa.Schema:
    unknown = [name for name in columns if name not in fields.names]
    if unknown:
        hint = suggestion(unknown[0], fields.names)
        raise ValueError(f"there is no column {unknown[0]!r}{hint}: columns are some of {fields.names}")
    if len(set(columns)) != len(columns) or not columns:
        raise ValueError(f"columns are some of {fields.names}, each once, not {list(columns)}")
    return pa.schema([fields.field(name) for name in columns])
