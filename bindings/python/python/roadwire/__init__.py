"""V2X road messages, and messages of your own ASN.1 modules, in every encoding.

>>> import roadwire
>>> cam = roadwire.schema("cam-1.4.1")
>>> octets = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")
>>> value = cam.decode("uper", octets)
>>> value["cam"]["camParameters"]["basicContainer"]["referencePosition"]["latitude"]  # 0.1 microdegree
491711500
>>> value["header"]["stationID"] = 1001
>>> cam.encode("uper", value).hex()
'0202000003e942a600fa5e7aa18ea5ceac81901900003b791280'
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeVar

from roadwire import _native
from roadwire._capture import read_capture
from roadwire._error import Error, FileNotFound, SignWarning
from roadwire._native import (
    ArrowSchema,
    CapturePart,
    CaptureReader,
    OctetArray,
    RecordBatch,
    Schema,
    capture_parts,
    guess,
    rules,
    schema,
    schemas,
)
from roadwire._views import BitRun, Comparison, Encoding, Guess, Inspection, Verdict

__all__ = [
    "ArrowSchema",
    "BitRun",
    "CapturePart",
    "CaptureReader",
    "Comparison",
    "Encoding",
    "Error",
    "FileNotFound",
    "Guess",
    "Inspection",
    "OctetArray",
    "RecordBatch",
    "Schema",
    "SignWarning",
    "Verdict",
    "Verifier",
    "capture_parts",
    "compile",
    "guess",
    "read_capture",
    "rules",
    "schema",
    "schemas",
    "sign",
    "verify",
]

_T = TypeVar("_T")


def __dir__() -> list[str]:
    """The public names, without the modules that are imported here."""
    return __all__


def compile(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    *,
    text: str | Mapping[str, str] | None = None,
    type: str | None = None,
) -> Schema:
    """A schema of your own modules, in ASN.1 or in the presentation language.

    :param files: the files with the modules, in any order; imports are resolved among them
    :param text: modules as text, or several by names, which errors then have
    :param type: the type that is meant where none is named, as ``Type`` or ``Module.Type``; without it, the only type
        that no other type contains
    :raises Error: everything that is wrong with the modules, with file, line and column
    :raises FileNotFound: one of the files does not exist

    >>> import roadwire
    >>> demo = roadwire.compile(text="Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
    ...     " Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL } END")
    >>> demo.encode("uper", {"speed": 1200, "lane": 3}).hex()
    '896040'
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    modules = [(os.fspath(file), _read(file)) for file in files]
    if isinstance(text, str):
        text = {"text": text}
    modules += [(name, module.encode()) for name, module in (text or {}).items()]
    return _native.compile(modules, type)


def _read(file: str | os.PathLike[str]) -> bytes:
    try:
        return Path(file).read_bytes()
    except FileNotFoundError:
        raise FileNotFound(f"cannot read {os.fspath(file)}: the file does not exist", os.fspath(file)) from None


def sign(
    message: bytes,
    *,
    certificate: bytes,
    key: bytes,
    psid: int,
    generated: datetime | int | None = None,
    location: tuple[int, int, int] | None = None,
    signer: Literal["certificate", "digest"] = "certificate",
) -> bytes:
    """A message in a signed envelope of IEEE 1609.2 (TS 103 097 V1.3.1 and later).

    :param message: its octets
    :param certificate: the signer's explicit certificate, in COER
    :param key: its secret key, a number of as many octets as its curve has (32 or 48)
    :param psid: the application that the message is for (PSID, ITS-AID): 36 CAM, 37 DENM, 137 SPATEM, 138 MAPEM,
        139 IVIM, 140 SREM, 637 SSEM, 638 VAM, 639 CPM
    :param generated: when it was made: a time with a zone, or the microseconds since 2004-01-01T00:00:00 UTC that count
        leap seconds; now, if it is left out
    :param location: where it was made: latitude and longitude in 0.1 microdegree, and elevation in 0.1 m above -409.5 m
    :param signer: how the message names its signer: by the certificate, or by its digest
    :raises Error: ``certificate`` or ``key``, if they cannot be used or do not belong together

    It warns (:class:`SignWarning`) of a message that its certificate does not permit: the application, a part of the
    message, the time or the place; and of one that breaks the profile of TS 103 097. Who else may read the key is for
    the caller.
    """
    if generated is None:
        generated = _native.microseconds(*divmod(time.time_ns(), 1_000_000_000))
    made = _microseconds(generated)
    signed, found = _native.sign(message, certificate, key, psid, made, location, signer)
    for reason in found:
        warnings.warn(f"receivers may refuse the message: {reason}", SignWarning, stacklevel=2)
    return signed


class Verifier:
    """Verifies signed messages, one after the other: as a receiver that heard them all, it knows a signer by its digest
    once it has seen its certificate.

    :param certificates: certificates that messages may name by their digests, each in COER
    :param trust: certificates that are trusted: if it is given, a message needs a chain to one of them, and times,
        permissions and regions count as well. With an empty list no signer is trusted
    :param accept: which verdicts are true: ``"valid"``, or ``"signed"`` for those as well
    :param profile: ``"etsi"`` if all messages of IEEE 1609.2 must keep the profile of TS 103 097, ``"none"`` if none must;
        without it, those in GeoNetworking and those of ETSI's applications must
    :param crl: signed lists of revoked certificates, as in :meth:`add_crl`
    :param revoke: certificates that are no longer trusted, as in :meth:`revoke`
    :raises Error: ``certificate`` or ``crl``, if one of them cannot be used
    """

    def __init__(
        self,
        certificates: Iterable[bytes] = (),
        trust: Iterable[bytes] | None = None,
        accept: Literal["valid", "signed"] = "valid",
        profile: Literal["etsi", "none"] | None = None,
        crl: Iterable[bytes] = (),
        revoke: Iterable[bytes | str] = (),
    ) -> None:
        if accept not in ("valid", "signed"):
            raise ValueError(f"accept is 'valid' or 'signed', not {accept!r}")
        self._accept = accept
        self._verifier = _native.Verifier(list(certificates), None if trust is None else list(trust), profile)
        # Before the lists are read: a revoked certificate may not sign one.
        for digest in _each(revoke, "revoke"):
            self.revoke(digest)
        for octets in _each(crl, "crl"):
            self.add_crl(octets)

    def add_crl(self, octets: bytes, at: datetime | int | None = None) -> int:
        """Takes a signed list of revoked certificates (IEEE 1609.2 §7.3), by hash or by linkage seeds: from now on no message
        with one of them in its chain is valid. Returns how many entries the list has.

        :param octets: the list, signed, in COER. Its signer needs a chain to a trusted certificate, and a permission for it
        :param at: the time now, as in :func:`sign`: a list that was issued later is refused; without it, that does not
            count
        :raises Error: ``crl``, and what is wrong; nothing is revoked then
        """
        return self._verifier.add_crl_at(octets, None if at is None else _microseconds(at))

    def revoke(self, digest: bytes | str) -> None:
        """Trusts a certificate no longer, whichever it is: from now on no message with it in its chain is valid.

        :param digest: its HashedId8 or HashedId10, such as ``Verdict.signer``: 8 or 10 octets, or their hexadecimal digits
        :raises ValueError: octets or digits of another number
        """
        self._verifier.revoke(digest)

    def verify(self, message: bytes, at: datetime | int | None = None) -> Verdict:
        """The verdict on a message.

        :param message: a secured message: IEEE 1609.2 in COER, or TS 103 097 V1.1.1 or V1.2.1
        :param at: when it was received, as in :func:`sign`; without it, that does not count
        :raises Error: octets that are no secured message
        """
        verdict = self._verifier.verify_at(message, None if at is None else _microseconds(at))
        return replace(verdict, accept=self._accept)


def verify(
    message: bytes,
    *,
    certificates: Iterable[bytes] = (),
    trust: Iterable[bytes] | None = None,
    at: datetime | int | None = None,
    accept: Literal["valid", "signed"] = "valid",
    profile: Literal["etsi", "none"] | None = None,
    crl: Iterable[bytes] = (),
    revoke: Iterable[bytes | str] = (),
) -> Verdict:
    """The verdict on one signed message: see :class:`Verifier`."""
    return Verifier(certificates, trust, accept, profile, crl, revoke).verify(message, at)


def _each(values: Iterable[_T], name: str) -> Iterable[_T]:
    """One value alone is a mistake: its octets, or characters, would be taken for values."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is a list of values, not one {type(values).__name__}")
    return values


def _microseconds(when: datetime | int) -> int:
    """A time as IEEE 1609.2 has it."""
    if isinstance(when, int):
        return when
    if when.tzinfo is None:
        raise ValueError("a time has a zone: datetime.now(timezone.utc), for example")
    seconds, nanoseconds = divmod(round(when.timestamp() * 1_000_000) * 1000, 1_000_000_000)
    return _native.microseconds(seconds, nanoseconds)
