"""Random values of random shapes: what is encoded is decoded, and the three forms of a value are one."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import roadwire
from support import is_jer, same
from test_batches import in_columns

TYPES: dict[str, tuple[str, st.SearchStrategy[Any]]] = {
    "truth": ("BOOLEAN", st.booleans()),
    "nothing": ("NULL", st.none()),
    "octet": ("INTEGER (0..255)", st.integers(0, 255)),
    "signed": ("INTEGER (-1000..1000)", st.integers(-1000, 1000)),
    "word": ("INTEGER (0..18446744073709551615)", st.integers(0, (1 << 64) - 1)),
    "free": ("INTEGER", st.integers(-(1 << 63), (1 << 63) - 1)),
    "real": ("REAL", st.floats(allow_nan=False, allow_infinity=False).filter(lambda real: str(real) != "-0.0")),
    "item": ("ENUMERATED { a, b, c }", st.sampled_from("abc")),
    "later": ("ENUMERATED { a, ..., b }", st.sampled_from("ab")),
    "bytes": ("OCTET STRING", st.binary(max_size=30)),
    "four": ("OCTET STRING (SIZE (4))", st.binary(min_size=4, max_size=4)),
    "bits": ("BIT STRING", st.binary(max_size=12).map(lambda octets: (octets, len(octets) * 8))),
    "seven": ("BIT STRING (SIZE (7))", st.integers(0, 127).map(lambda bits: (bytes([bits << 1]), 7))),
    "text": ("UTF8String", st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cn"]), max_size=20)),
    "ascii": ("IA5String (SIZE (0..9))", st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=9)),
    "oid": ("OBJECT IDENTIFIER", st.lists(st.integers(0, 1 << 40)).map(lambda arcs: ".".join(map(str, [1, 2, *arcs])))),
    "list": ("SEQUENCE OF INTEGER (0..9)", st.lists(st.integers(0, 9), max_size=5)),
    "pairs": (
        "SEQUENCE OF SEQUENCE { x INTEGER (0..9), y BOOLEAN OPTIONAL }",
        st.lists(st.fixed_dictionaries({"x": st.integers(0, 9)}, optional={"y": st.booleans()}), max_size=4),
    ),
    "choice": (
        "CHOICE { p INTEGER (0..9), q BOOLEAN, ..., r NULL }",
        st.one_of(
            st.builds(lambda p: {"p": p}, st.integers(0, 9)),
            st.builds(lambda q: {"q": q}, st.booleans()),
            st.just({"r": None}),
        ),
    ),
}
SCHEMA = roadwire.compile(
    text="P DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { "
    + ", ".join(f"{name} {of} OPTIONAL" for name, (of, _) in TYPES.items())
    + " } END"
)
VALUES = st.fixed_dictionaries({}, optional={name: values for name, (_, values) in TYPES.items()})
RULES = st.sampled_from([rules for rules in roadwire.rules() if rules != "tls"])


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES, RULES)
def test_values_go_there_and_back(value: dict[str, Any], rules: str) -> None:
    if rules == "protobuf":
        # The mapping has no lists of nothing (an absent list is an empty one).
        value = {name: part for name, part in value.items() if part != []}
    octets = SCHEMA.encode(rules, value)
    found = SCHEMA.decode(rules, octets)
    assert same(found, value)
    text = SCHEMA.convert(octets, rules, "jer")
    assert is_jer(found, json.loads(text))
    assert SCHEMA.decode("jer", text) == found
    assert SCHEMA.convert(text, "jer", rules) == octets


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.none() | VALUES, max_size=6))
def test_batches_have_the_values(values: list[dict[str, Any] | None]) -> None:
    octets = [None if value is None else SCHEMA.encode("uper", value) for value in values]
    batch = pa.record_batch(SCHEMA.decode_batch("uper", octets))
    batch.validate(full=True)
    whole = pa.struct(list(batch.schema))
    assert batch.to_pylist() == [in_columns(value or {}, whole) for value in values]
