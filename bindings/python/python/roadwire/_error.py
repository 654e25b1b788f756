"""The exceptions of the package."""

from __future__ import annotations

import errno
import os


class Error(Exception):
    """Octets, a value, a schema or a file was refused.

    >>> import roadwire
    >>> try:
    ...     roadwire.schema("cam-1.4.1").decode("uper", bytes.fromhex("0202"))
    ... except roadwire.Error as error:
    ...     print(error.code, error.bit, error.path)
    ...     print(error)
    input.truncated 16 header.stationID
    the input ends 32 bits too soon, at bit 16, in header.stationID
    """

    code: str
    """What is wrong, as a name that does not change, such as ``input.truncated``. ``docs/errors.md`` has all of them."""
    bit: int | None
    """Where in the input, in bits from its start. ``None`` if it is not about octets."""
    path: str
    """The field, from the outside in, such as ``cam.camParameters.basicContainer``. Empty for the whole."""
    offset: int | None
    """Where in the input, in octets from its start: of text, too. ``None`` if it is not known."""
    row: int | None
    """The row of a batch, counted from 0. ``None`` if it is not about a batch."""

    def __init__(
        self,
        message: str,
        code: str,
        bit: int | None = None,
        path: str = "",
        offset: int | None = None,
        row: int | None = None,
    ) -> None:
        # All of them are arguments, so that the exception can be pickled.
        super().__init__(message, code, bit, path, offset, row)
        self.code = code
        self.bit = bit
        self.path = path
        self.offset = offset
        self.row = row

    def __str__(self) -> str:
        return str(self.args[0])


class FileNotFound(Error, FileNotFoundError):
    """A file does not exist: a module, a recording or a certificate. Its code is ``file.io``.

    >>> import roadwire
    >>> try:
    ...     roadwire.read_capture("nowhere.pcap")
    ... except FileNotFoundError as error:
    ...     print(error.filename, isinstance(error, roadwire.Error))
    nowhere.pcap True
    """

    def __init__(self, message: str, filename: str) -> None:
        super().__init__(message, "file.io")
        self.errno = errno.ENOENT
        self.strerror = os.strerror(errno.ENOENT)
        self.filename = filename

    def __reduce__(self) -> tuple[type[FileNotFound], tuple[str, str]]:
        return type(self), (str(self), self.filename)


class SignWarning(UserWarning):
    """Receivers may refuse a message that was signed: its certificate does not permit it, or it breaks the profile of TS 103 097.

    The command ``roadwire sign`` warns of the same, with the code ``sign.not-permitted``.
    """


# Tracebacks and pickles have the public names.
Error.__module__ = FileNotFound.__module__ = SignWarning.__module__ = "roadwire"
