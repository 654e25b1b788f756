"""asn1tools' exceptions."""

from __future__ import annotations


class Error(Exception):
    """What all exceptions of the module are."""


class ParseError(Error):
    """Text that is no ASN.1 module."""


class CompileError(Error):
    """Modules that are wrong, or a codec that does not exist."""


class _Located(Error):
    """An error in a part of a value."""

    def __init__(self, message: str, *path: str) -> None:
        super().__init__(message, *path)
        self.message = message
        self.path = [name for name in path if name]
        """The names of the part, from the outside in."""

    def within(self, name: str) -> None:
        """The part is in another one."""
        self.path.insert(0, name)

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.message}" if self.path else self.message


class EncodeError(_Located):
    """A value that cannot be encoded."""


class DecodeError(_Located):
    """Octets that are no encoding of the type."""

    offset: int | None = None
    """Where, in octets from the start."""


class OutOfDataError(DecodeError):
    """Octets that end too soon; asn1tools has it in `asn1tools.codecs`."""


class ConstraintsError(_Located):
    """A value that its type does not allow."""


class EncodeConstraintsError(ConstraintsError, EncodeError):
    """A value to be encoded that its type does not allow: roadwire encodes none, whether or not constraints were to be checked."""
