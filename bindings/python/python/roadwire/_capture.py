"""``roadwire.read_capture``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, Protocol

from roadwire import _native
from roadwire._files import is_remote, local, open_binary
from roadwire._native import CapturePart, CaptureReader


class _Readable(Protocol):
    def read(self, size: int, /) -> Any: ...


def read_capture(
    path: str | os.PathLike[str] | _Readable,
    verify: bool = False,
    *,
    trust: Sequence[str | os.PathLike[str]] | None = None,
    profile: Literal["etsi", "none"] | None = None,
    crl: Sequence[str | os.PathLike[str]] | None = None,
    revoke: Sequence[bytes | str] | None = None,
    columns: Sequence[str] | None = None,
    message: str | None = None,
    fields: Sequence[str] | None = None,
    where: str | None = None,
    errors: Literal["raise", "null", "column"] = "raise",
    part: CapturePart | None = None,
    jobs: int = 1,
) -> CaptureReader:
    """Recorded traffic in columns, a row for each frame: an object with ``__arrow_c_stream__``, which pyarrow, polars, DuckDB
    and others read, and an iterator of record batches. It can be read once.

    The columns are those of the frames: ``file``, ``frame``, ``time``, ``link``, ``geonetworking``, ``wsmp``, ``security``,
    ``btp``, ``message`` (schema, type, rules, octets) and ``problem``; docs/arrow.md has their units. With ``message`` the
    columns of a message's value come after them.

    :param path: a pcap or pcapng file, gzipped or not: its path, a name that fsspec opens (``s3://...``, ``memory://...``),
        or an object with ``read`` that returns bytes, such as ``open(path, "rb")`` or a file of ``pyarrow.fs``
    :param verify: signed messages have a verdict in ``security.verdict``. ``trust``, ``profile``, ``crl`` and ``revoke``
        verify as well
    :param trust: files of trusted certificates, in COER: verdicts need a chain of certificates up to one of them. With an
        empty list no signer is trusted: signed messages are untrusted at best
    :param profile: ``"etsi"`` if all messages of IEEE 1609.2 must keep the profile of TS 103 097, and ``"none"`` if none
        must; without it, those in GeoNetworking and those of ETSI's applications must
    :param crl: files of signed lists of revoked certificates (IEEE 1609.2), whose signers need a chain to a trusted
        certificate as well. Messages with a revoked certificate in their chain are invalid
    :param revoke: certificates that are no longer trusted: their HashedId8 or HashedId10, as octets or in hex
    :param columns: columns of the frame of which alone there are any, in this order; fewer of them cost less
    :param message: the name of a shipped schema: the rows are those of its messages in UPER, with their values, as
        ``Schema.decode_batch`` has them
    :param fields: which fields of a message, by their paths, with ``message``
    :param where: only frames of which this is true, such as ``"btp.port == 2001 && geonetworking.source.speed > 1000"``: an
        expression of ``roadwire capture --where``, over fields of the frame and of ``message.value``
    :param errors: as in ``Schema.decode_batch``, with ``message``
    :param part: one of ``capture_parts``: its frames alone are read, with the numbers that they have in the file. A part is
        not verified, for who signed a message is known from those before it
    :param jobs: so many threads work on it, on as many cores; rows are the same, in the same order
    :raises FileNotFound: a file that does not exist
    :raises Error: ``file.io`` for a file that cannot be read, and the fault of one that is not a pcap or pcapng;
        ``capture.part`` for a part that is to be verified; ``where.field`` and others for an expression without sense
    :raises ValueError: columns that frames do not have; ``fields`` without ``message``
    :raises ImportError: a name of another store, and fsspec, or its package for that store, is not installed
    """
    source: Any = path
    name, closes = None, False
    if hasattr(path, "read"):
        name = _name_of(path)
    elif isinstance(path, str) and is_remote(path):
        source, name, closes = open_binary(path), path, True
    elif isinstance(path, str):
        source = local(path)
    selection = (columns, message, fields, errors, where)
    return _native.read_capture(
        source, name, closes, selection, verify, trust, profile, crl, revoke, part, jobs
    )


def _name_of(file: object) -> str:
    """What rows and errors call a file object."""
    names = (getattr(file, name, None) for name in ("name", "path"))
    return next((name for name in names if isinstance(name, str) and name), f"<{type(file).__name__}>")
