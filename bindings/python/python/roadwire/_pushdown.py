"""Filters of a query in Spark as ``where`` of a recording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql.datasource import (
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNotNull,
    IsNull,
    LessThan,
    LessThanOrEqual,
    Not,
)

from roadwire import Error
from roadwire._sources import Source, capture_fields

_ORDERS = {GreaterThan: ">", GreaterThanOrEqual: ">=", LessThan: "<", LessThanOrEqual: "<="}


class _Condition(NamedTuple):
    where: str
    is_exact: bool = True
    """Whether it is true of the filter's rows alone: of no other, which Spark would have to leave out."""


def push(source: Source, filters: Iterable[Filter]) -> tuple[Source, list[Filter]]:
    """The source with the filters that an expression of `where` says, and the filters that Spark still has to apply.

    A row that a filter keeps is never left out. Filters on values of messages are Spark's.
    """
    left = []
    for one in filters:
        condition = _condition(one)
        narrowed = None if condition is None else _narrowed(source, condition.where)
        if condition is None or narrowed is None or not condition.is_exact:
            left.append(one)
        source = narrowed or source
    return source, left


def _narrowed(source: Source, where: str) -> Source | None:
    """Nothing where the expression has no sense to `where`, such as a word that a field never has."""
    try:
        return replace(source, where=where if source.where is None else f"({source.where}) && {where}")
    except Error:
        return None


def _condition(of: Filter) -> _Condition | None:
    match of:
        case Not(EqualTo(attribute, value)):
            return _compared(attribute, "!=", value)
        case Not(In(attribute, values)):
            # With a null among them it is true of no row.
            return _joined([_compared(attribute, "!=", value) for value in values], " && ")
        case EqualTo(attribute, value) | EqualNullSafe(attribute, value):
            return _compared(attribute, "==", value)
        case In(attribute, values):
            return _joined([_compared(attribute, "==", value) for value in values if value is not None], " || ")
        case IsNotNull(attribute):
            kind = _type_of(attribute)
            # A time that is out of the column's range is null there, and not in the record.
            return None if kind is None else _Condition(".".join(attribute), not pa.types.is_timestamp(kind))
        case IsNull(attribute):
            kind = _type_of(attribute)
            return None if kind is None or pa.types.is_timestamp(kind) else _Condition(f"!{'.'.join(attribute)}")
        case GreaterThan(attribute, value) | GreaterThanOrEqual(attribute, value):
            return _compared(attribute, _ORDERS[type(of)], value)
        case LessThan(attribute, value) | LessThanOrEqual(attribute, value):
            return _compared(attribute, _ORDERS[type(of)], value)
    return None


def _joined(parts: list[_Condition | None], operator: str) -> _Condition | None:
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return _Condition("(" + operator.join(part.where for part in known) + ")", all(part.is_exact for part in known))


def _compared(attribute: tuple[str, ...], operator: str, value: Any) -> _Condition | None:
    kind, path = _type_of(attribute), ".".join(attribute)
    if kind is None:
        return None
    if pa.types.is_integer(kind) and isinstance(value, int) and not isinstance(value, bool):
        return _Condition(f"{path} {operator} {value}")
    if pa.types.is_boolean(kind) and isinstance(value, bool):
        return _Condition(f"{path} {operator} {str(value).lower()}")
    if pa.types.is_binary(kind) and isinstance(value, (bytes, bytearray)):
        return _Condition(f"{path} {operator} '{bytes(value).hex()}'")
    # Without its module, the name of a type would be that of several.
    if pa.types.is_string(kind) and isinstance(value, str) and (path != "message.type" or "." in value):
        quoted = value.replace("\\", "\\\\").replace("'", "\\'")
        return _Condition(f"{path} {operator} '{quoted}'")
    if pa.types.is_timestamp(kind) and isinstance(value, datetime) and value.tzinfo is not None:
        return _of_time(path, operator, value)
    return None


def _of_time(path: str, operator: str, value: datetime) -> _Condition | None:
    """Whole seconds around a time: `where` compares times as texts, and Spark has fewer digits of them."""
    second = value.astimezone(timezone.utc).replace(microsecond=0, tzinfo=None)
    try:
        after = second + timedelta(seconds=1)
    except OverflowError:
        return None
    least, most = f"{path} >= '{second.isoformat()}'", f"{path} < '{after.isoformat()}'"
    match operator:
        case "==":
            return _Condition(f"({least} && {most})", False)
        case ">" | ">=":
            return _Condition(least, False)
        case "<" | "<=":
            return _Condition(most, False)
    return None


def _type_of(attribute: tuple[str, ...]) -> pa.DataType | None:
    """The type of a column of the frame, or of a part of one; nothing for other columns."""
    fields: Any = capture_fields()
    for name in attribute:
        at = fields.get_field_index(name) if isinstance(fields, (pa.Schema, pa.StructType)) else -1
        if at < 0:
            return None
        found = fields.field(at).type
        fields = found
    return fields if isinstance(fields, pa.DataType) else None
