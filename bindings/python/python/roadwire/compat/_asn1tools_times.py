"""Times as asn1tools has them, and as their text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timezone
from typing import Any, NamedTuple


class TimeForm(NamedTuple):
    """How a time type is an object of Python."""

    type: type[Any]
    text: Callable[[Any], str]
    """The text of an object."""
    read: Callable[[str], object]
    """The object of a text; ValueError if there is none."""


def _zone(when: datetime) -> str:
    return when.strftime("%z") if when.utcoffset() else "Z"


def _fraction(when: datetime) -> str:
    return f".{when.microsecond:06}".rstrip("0") if when.microsecond else ""


def _utc(when: datetime) -> str:
    zone = "Z" if when.tzinfo is None else when.strftime("%z")
    return when.strftime("%y%m%d%H%M%S" if when.second else "%y%m%d%H%M") + zone


def _read_utc(text: str) -> datetime:
    body, zone = (text[:-1], "") if text.endswith("Z") else (text[:-5], text[-5:])
    forms = {10: "%y%m%d%H%M", 12: "%y%m%d%H%M%S"}
    if len(body) not in forms:
        raise ValueError(text)
    return datetime.strptime(body + zone, forms[len(body)] + ("%z" if zone else ""))


def _generalized(when: datetime) -> str:
    digits = when.strftime("%Y%m%d%H%M%S" if when.second else "%Y%m%d%H%M").zfill(12)
    return digits + _fraction(when) + ("" if when.tzinfo is None else _zone(when))


def _read_generalized(text: str) -> datetime:
    if text.endswith("Z"):
        return _read_local(text[:-1]).replace(tzinfo=timezone.utc)
    if text[-5:-4] in ("+", "-"):
        zone = datetime.strptime(text[-5:], "%z").tzinfo
        return _read_local(text[:-5]).replace(tzinfo=zone)
    return _read_local(text)


def _read_local(text: str) -> datetime:
    """Of asn1tools, a fraction is one of a second, even after minutes."""
    digits, dot, fraction = text.replace(",", ".").partition(".")
    forms = {12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
    if len(digits) not in forms:
        raise ValueError(text)
    when = datetime.strptime(digits, forms[len(digits)])
    return when.replace(microsecond=int(fraction[:6].ljust(6, "0"))) if dot else when


def _in_utc(when: datetime) -> datetime:
    offset = when.utcoffset()
    return when if offset is None else (when - offset).replace(tzinfo=None)


def _canonical_utc(when: datetime) -> str:
    return _in_utc(when).strftime("%y%m%d%H%M%S") + "Z"


def _canonical_generalized(when: datetime) -> str:
    when = _in_utc(when)
    return when.strftime("%Y%m%d%H%M%S") + _fraction(when) + "Z"


def _read_canonical(read: Callable[[str], datetime]) -> Callable[[str], datetime]:
    """A time in UTC, without its zone."""
    return lambda text: _in_utc(read(text))


def _seconds(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


ALL = {
    "UTCTime": TimeForm(datetime, _utc, _read_utc),
    "GeneralizedTime": TimeForm(datetime, _generalized, _read_generalized),
    "DATE": TimeForm(date, lambda when: when.isoformat()[:10], date.fromisoformat),
    "TIME-OF-DAY": TimeForm(time, _seconds, time.fromisoformat),
    "DATE-TIME": TimeForm(datetime, lambda when: _seconds(when.replace(tzinfo=None)), datetime.fromisoformat),
}
CANONICAL = ALL | {
    "UTCTime": TimeForm(datetime, _canonical_utc, _read_canonical(_read_utc)),
    "GeneralizedTime": TimeForm(datetime, _canonical_generalized, _read_canonical(_read_generalized)),
}
