"""Text with a message on each line, in hexadecimal digits or base64, in parts."""

from __future__ import annotations

import binascii
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Literal, cast

import pyarrow as pa

from roadwire._files import open_binary, size_of

MOST = 32 << 20
"""Octets of a line: what is longer is `input.size`. Recordings have 16 MiB for a frame."""
ROWS = 1 << 14
OCTETS = 2 << 20


def line_fields() -> pa.Schema:
    """The columns of lines. A line's offset is that of its first octet in the text, in octets from its start."""
    problem = pa.struct([pa.field("code", pa.string()), pa.field("message", pa.string())])
    return pa.schema(
        [
            pa.field("file", pa.string(), nullable=False),
            pa.field("offset", pa.int64(), nullable=False),
            pa.field("octets", pa.binary()),
            pa.field("problem", problem),
        ]
    )


@dataclass(frozen=True)
class LinesPartition:
    """The lines that begin in a part of a file."""

    path: str
    encoding: Literal["hex", "base64"]
    begin: int
    end: int | None

    @classmethod
    def of(cls, path: str, encoding: Literal["hex", "base64"], octets: int) -> list[LinesPartition]:
        """Those of a file; one that is gzipped is one."""
        size = size_of(path)
        if size <= octets or _is_gzipped(path):
            return [cls(path, encoding, 0, None)]
        return [cls(path, encoding, at, min(at + octets, size)) for at in range(0, size, octets)]

    def read(self) -> Iterator[pa.RecordBatch]:
        """Their rows in order. Lines of white space alone have none."""
        rows: list[tuple[int, bytes | None, dict[str, str] | None]] = []
        held = 0
        for offset, line in self._lines():
            if line is not None and not line.strip():
                continue
            octets, problem = self._decoded(line)
            rows.append((offset, octets, problem))
            held += len(octets or b"")
            if len(rows) == ROWS or held > OCTETS:
                yield self._batch(rows)
                rows, held = [], 0
        if rows:
            yield self._batch(rows)

    def _batch(self, rows: list[tuple[int, bytes | None, dict[str, str] | None]]) -> pa.RecordBatch:
        offsets, octets, problems = zip(*rows, strict=True)
        columns = [[self.path] * len(rows), offsets, octets, problems]
        fields = line_fields()
        return pa.RecordBatch.from_arrays(
            [pa.array(column, field.type) for column, field in zip(columns, fields, strict=True)], schema=fields
        )

    def _decoded(self, line: bytes | None) -> tuple[bytes | None, dict[str, str] | None]:
        if line is None:
            return None, {"code": "input.size", "message": f"the line has more than {MOST} octets"}
        try:
            if self.encoding == "hex":
                return bytes.fromhex(line.decode("ascii")), None
            return binascii.a2b_base64(b"".join(line.split()), strict_mode=True), None
        except ValueError as error:
            return None, {"code": f"input.{self.encoding}", "message": str(error)[:200]}

    def _lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Offsets, and lines; no line where it is too long."""
        with _opened(self.path) as file:
            at = 0
            if self.begin > 0:
                # The line of the octet before belongs to the part before, with all of it.
                file.seek(self.begin - 1)
                at = self.begin - 1 + _skipped(file)
            while self.end is None or at < self.end:
                line = file.readline(MOST + 1)
                if not line:
                    return
                if len(line) > MOST:
                    rest = 0 if line.endswith(b"\n") else _skipped(file)
                    yield at, None
                    at += len(line) + rest
                else:
                    yield at, line
                    at += len(line)


def _skipped(file: BinaryIO) -> int:
    """Goes to the end of a line, and says how many octets that took."""
    count = 0
    while piece := file.readline(1 << 20):
        count += len(piece)
        if piece.endswith(b"\n"):
            break
    return count


def _is_gzipped(path: str) -> bool:
    with open_binary(path) as file:
        return file.read(2) == b"\x1f\x8b"


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    with open_binary(path) as file:
        is_gzipped = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        yield cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_gzipped else file
