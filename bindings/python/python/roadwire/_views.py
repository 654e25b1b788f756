"""Answers that are looked at: as text, and as tables where a notebook shows them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, overload

from roadwire._error import Error


def _text_table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Aligned columns; those in `right` line up at their ends."""
    table = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return "\n".join(map(line, table))


def _html_table(head: Sequence[str], rows: Iterable[Sequence[str]], mono: Sequence[int] = ()) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        shown = [
            f"<code>{html.escape(cell)}</code>" if at in mono and cell else html.escape(cell)
            for at, cell in enumerate(row)
        ]
        return "<tr>" + "".join(f'<{tag} style="text-align: left">{cell}</{tag}>' for cell in shown) + "</tr>"

    lines = [cells("th", head), *(cells("td", row) for row in rows)]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


@dataclass(frozen=True)
class BitRun:
    """A run of bits, and what it is."""

    bit: int
    """The first bit, counted from the start of the message."""
    bits: str
    """The bits, as ``0`` and ``1``."""
    what: str
    """``value``, ``presence``, ``length``, ``tag``, ``padding`` and so on; ``unread`` after an error."""
    value: bool | int | float | str | None
    """The value of the bits, if they have one by themselves; octets as hexadecimal digits."""
    meaning: str | None
    """The module's name for the value: a named number, an alternative, the named bits that are set."""
    path: str
    """The field, from the outside in."""

    def _cells(self) -> list[str]:
        value = "" if self.value is None else str(self.value)
        if isinstance(self.value, bool) and self.what != "value":
            value = "yes" if self.value else "no"
        if self.meaning is not None:
            value = self.meaning if self.what == "choice" else f"{value} {self.meaning}"
        return [str(self.bit), _shortened(self.bits, 40), self.what, _shortened(value, 40), self.path]


def _shortened(text: str, most: int) -> str:
    text = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return text if len(text) <= most else text[: most - 1] + "…"


class Inspection(Sequence[BitRun]):
    """Every bit of a message, in order and without gaps.

    >>> import roadwire
    >>> demo = roadwire.compile(text="Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
    ...     " Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL } END")
    >>> demo.inspect("uper", bytes.fromhex("896040"))
    bit  bits            what      value  field
      0  1               presence  yes    lane
      1  00010010110000  value     1200   speed
     15  0010            value     3      lane
     19  00000           padding
    """

    octets: bytes
    """The message."""
    rules: str
    """The encoding rules."""
    error: Error | None
    """What is wrong with the message, if it could not be read to its end."""

    def __init__(
        self,
        octets: bytes,
        rules: str,
        runs: Iterable[tuple[int, int, str, bool | int | float | str | None, str | None, str]],
        error: Error | None,
    ) -> None:
        self.octets = octets
        self.rules = rules
        self.error = error
        all_bits = "".join(f"{octet:08b}" for octet in octets)
        self._runs = tuple(
            BitRun(bit, all_bits[bit : bit + count], what, value, meaning, path)
            for bit, count, what, value, meaning, path in runs
        )

    @overload
    def __getitem__(self, index: int) -> BitRun: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[BitRun]: ...
    def __getitem__(self, index: int | slice) -> BitRun | Sequence[BitRun]:
        return self._runs[index]

    def __len__(self) -> int:
        return len(self._runs)

    _HEAD = ("bit", "bits", "what", "value", "field")

    def __repr__(self) -> str:
        table = _text_table(self._HEAD, (run._cells() for run in self._runs), right=(0,))
        return table if self.error is None else f"{table}\n{self.error}"

    def _repr_html_(self) -> str:
        table = _html_table(self._HEAD, (run._cells() for run in self._runs), mono=(1,))
        return table if self.error is None else f"{table}\n<p>{html.escape(str(self.error))}</p>"


@dataclass(frozen=True)
class Encoding:
    """How long a value is in one encoding."""

    rules: str
    """The encoding rules."""
    octets: int | None
    """How many octets it takes; ``None`` if it has no such encoding."""
    bits: dict[str, int]
    """How many of its bits are values, presence, lengths, tags, names and padding."""
    why: str | None
    """Why it has no such encoding."""


class Comparison(Sequence[Encoding]):
    """A value in every encoding.

    >>> import roadwire
    >>> cam = roadwire.schema("cam-1.4.1")
    >>> found = cam.compare(bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280"), from_rules="uper")
    >>> found["uper"].octets, found["coer"].octets
    (26, 32)
    """

    def __init__(
        self, rows: Iterable[tuple[str, int | None, Sequence[int], str | None]], causes: Sequence[str]
    ) -> None:
        self._causes = tuple(causes)
        self._rows = tuple(
            Encoding(rules, octets, dict(zip(causes, bits, strict=False)), why) for rules, octets, bits, why in rows
        )

    @overload
    def __getitem__(self, index: int) -> Encoding: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Encoding]: ...
    @overload
    def __getitem__(self, index: str) -> Encoding: ...
    def __getitem__(self, index: int | slice | str) -> Encoding | Sequence[Encoding]:
        if isinstance(index, str):
            for row in self._rows:
                if row.rules == index:
                    return row
            raise KeyError(index)
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        there = [row for row in self._rows if row.octets is not None]
        rows = [[row.rules, str(row.octets), *(str(row.bits[cause]) for cause in self._causes)] for row in there]
        return ["rules", "octets", *self._causes], rows

    def __repr__(self) -> str:
        head, rows = self._table()
        return _text_table(head, rows, right=range(1, len(head)))

    def _repr_html_(self) -> str:
        return _html_table(*self._table())


@dataclass(frozen=True)
class Guess:
    """What octets may be."""

    schema: str
    """A shipped schema, such as ``cam-1.4.1``; ``geonetworking-1`` or ``-0`` for a whole packet."""
    type: str
    """The type, as ``Module.Type``; of a packet, ``shb``, ``gbc`` and so on."""
    rules: str
    """The encoding rules; ``geonetworking`` for a packet."""
    score: float
    """From 0 to 1: how sure it is that they are this kind of message."""
    why: Sequence[str]
    """The reasons."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a signed message. It is true if the message is ``valid``, and with ``accept="signed"`` also if it is
    ``signed``."""

    verdict: str
    """``valid``, ``signed`` (the holder of its certificate signed it, and no chain was asked for), ``invalid``, ``unknown-signer``, ``untrusted``, ``expired`` or ``unsupported``."""
    reason: str | None
    """Why it is neither valid nor signed."""
    noted: Sequence[str]
    """What was found and does not count."""
    signer: bytes | None
    """The digest of the signer's certificate, 8 octets, as far as it is known."""
    format: str
    """``ts103097-1.1.1``, ``ts103097-1.2.1`` or ``ieee1609.2``."""
    psid: int | None
    """The application that the message is for: PSID, ITS-AID."""
    generated: datetime | None
    """When the message was made, as it says."""
    payload: bytes | None
    """The message in the envelope; ``None`` where it is encrypted, or not there."""
    is_altered_copy: bool
    """The signature is that of an earlier message in another form, which anybody can make."""
    checked: Mapping[str, str]
    """``chain``, ``profile``, ``permissions``, ``place``, ``time`` and ``payload``: each ``yes``, or ``no: `` and why."""
    chain: Sequence[bytes]
    """The digests of the signer's certificate, its issuer's, and so on up to a trusted one; empty without such a chain."""
    permissions: bytes | None
    """The signer's service-specific permissions for the application; ``None`` if it has no permission for it."""
    open_regions: Sequence[Mapping[str, Any]] = ()
    """The regions of the chain, or without one of the signer's certificate, of which it is not known whether the message was
    made there: all of them if the message has no place. Each is ``{"circle": {"center": PLACE, "radius": METRES}}``,
    ``{"rectangles": [{"northWest": PLACE, "southEast": PLACE}, ...]}``, ``{"polygon": [PLACE, ...]}``, ``{"identified":
    {"dictionary": N, "region": N, "local": N}}`` (dictionary 0 is ISO 3166-1, 1 the UN's; local 0 is all of the region) or
    ``{"unknown": None}``; a place is ``{"latitude": N, "longitude": N}`` in 0.1 microdegree."""
    accept: Literal["valid", "signed"] = "valid"
    """Which verdict is enough."""

    def __post_init__(self) -> None:
        if isinstance(self.generated, str):
            # `fromisoformat` knows no `Z` before Python 3.11, and no nanoseconds.
            text = self.generated.removesuffix("Z")[:26] + "+00:00"
            object.__setattr__(self, "generated", datetime.fromisoformat(text))

    def __bool__(self) -> bool:
        return self.verdict == "valid" or self.verdict == self.accept
