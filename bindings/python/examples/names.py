"""The names that a schema has for numbers, such as those of station types."""

from __future__ import annotations

import pyarrow as pa

import roadwire


def names_of(schema: str, path: str) -> dict[int, str]:
    """The named numbers of a field, from the metadata of its column: `{0: "unknown", 1: "pedestrian", ...}`."""
    first, *rest = path.split(".")
    field = pa.schema(roadwire.schema(schema).arrow_schema(columns=[path])).field(first)
    for name in rest:
        field = field.type.field(name)
    pairs = (pair.split("=") for pair in field.metadata[b"asn1.named"].decode().split(","))
    return {int(number): name for name, number in pairs}
