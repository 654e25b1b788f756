"""Which Python objects values are, and which are refused."""

from __future__ import annotations

import copy
import enum
import json
import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import roadwire
from support import CAM, same

SCHEMA = roadwire.compile(
    text="""
    Test DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    All ::= SEQUENCE {
        truth BOOLEAN OPTIONAL, nothing NULL OPTIONAL, small INTEGER (0..255) OPTIONAL, free INTEGER OPTIONAL,
        real REAL OPTIONAL, item ENUMERATED { red, green, ..., blue } OPTIONAL, octets OCTET STRING OPTIONAL,
        bits BIT STRING OPTIONAL, text UTF8String OPTIONAL, oid OBJECT IDENTIFIER OPTIONAL,
        list SEQUENCE (SIZE (0..3)) OF INTEGER (0..7) OPTIONAL, choice CHOICE { a INTEGER, b BOOLEAN, ... } OPTIONAL,
        default INTEGER DEFAULT 5, inside OCTET STRING (CONTAINING INTEGER (0..9)) OPTIONAL,
        ..., [[ one INTEGER, two INTEGER OPTIONAL ]]
    }
    END
    """
)
BINARY = [rules for rules in roadwire.rules() if rules not in ("tls", "cer")]


def shown(part: object) -> str:
    """A short name of a test."""
    try:
        return repr(part)[:40]
    except ValueError:
        return "of too many digits"


def everywhere(value: dict[str, Any]) -> None:
    """The value goes there and back under all rules."""
    for rules in BINARY:
        octets = SCHEMA.encode(rules, value)
        assert same(SCHEMA.decode(rules, octets), value), rules


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"truth": True},
        {"truth": False, "nothing": None},
        {"small": 0},
        {"small": 255},
        *({"free": number} for number in (0, -1, 1 << 63, -(1 << 63), (1 << 64) - 1, 1 << 127, -(1 << 200), 10**900)),
        *({"real": number} for number in (0.0, -0.0, 1.5, -1e300, 5e-324, math.inf, -math.inf, math.nan)),
        {"item": "red"},
        {"item": "blue"},
        {"octets": b""},
        {"octets": bytes(range(256))},
        {"bits": (b"", 0)},
        {"bits": (b"\xa0", 3)},
        {"bits": (bytes(20), 160)},
        {"text": ""},
        {"text": "Straße 道路 🚗"},
        {"oid": "1.2.840.113549"},
        {"oid": "2.999.123456789"},
        {"list": []},
        {"list": [1, 2, 7]},
        {"choice": {"a": -5}},
        {"choice": {"b": True}},
        {"default": 6},
        {"inside": {"containing": 7}},
        {"one": 1},
        {"one": 1, "two": -1},
    ],
    ids=shown,
)
def test_values_go_there_and_back(value: dict[str, Any]) -> None:
    if "real" in value and (value["real"] == 0 or not math.isfinite(value["real"])):
        octets = SCHEMA.encode("der", value)
        assert same(SCHEMA.decode("der", octets), value)
    else:
        everywhere(value)


def test_what_is_at_its_default_is_left_out() -> None:
    assert SCHEMA.decode("uper", SCHEMA.encode("uper", {"default": 5})) == {}


def test_subclasses_and_other_octets_are_taken() -> None:
    class Colour(str, enum.Enum):
        RED = "red"

    class Number(enum.IntEnum):
        ONE = 1

    value = {"item": Colour.RED, "small": Number.ONE, "octets": bytearray(b"ab"), "list": (1, 2), "real": 3}
    plain = {"small": 1, "real": 3.0, "item": "red", "octets": b"ab", "list": [1, 2]}
    assert SCHEMA.decode("uper", SCHEMA.encode("uper", value)) == plain
    assert SCHEMA.encode("uper", {"octets": memoryview(b"xaby")[1:3]}) == SCHEMA.encode("uper", {"octets": b"ab"})


REFUSED: list[tuple[object, str, str]] = [
    (None, "value.mismatch", ""),
    ([], "value.mismatch", ""),
    ({"truth": 1}, "value.mismatch", "truth"),
    ({"truth": "true"}, "value.mismatch", "truth"),
    ({"nothing": False}, "value.mismatch", "nothing"),
    ({"nothing": 0}, "value.mismatch", "nothing"),
    ({"small": None}, "value.mismatch", "small"),
    ({"small": True}, "value.mismatch", "small"),
    ({"small": 1.0}, "value.mismatch", "small"),
    ({"small": "1"}, "value.mismatch", "small"),
    ({"small": 256}, "integer.range", "small"),
    ({"small": -1}, "integer.range", "small"),
    ({"small": 1 << 80}, "integer.range", "small"),
    ({"free": 1 << 40000}, "limit.length", "free"),
    ({"free": math.nan}, "value.mismatch", "free"),
    ({"real": True}, "value.mismatch", "real"),
    ({"real": "1.0"}, "value.mismatch", "real"),
    ({"real": (1 << 60) + 1}, "real.width", "real"),
    ({"real": 10**400}, "real.width", "real"),
    ({"item": 0}, "value.mismatch", "item"),
    ({"item": "yellow"}, "jer.enumerated", "item"),
    ({"item": "...0"}, "jer.enumerated", "item"),
    ({"octets": "6162"}, "value.mismatch", "octets"),
    ({"octets": [1, 2]}, "value.mismatch", "octets"),
    ({"octets": 5}, "value.mismatch", "octets"),
    ({"bits": b"\xa0"}, "value.mismatch", "bits"),
    ({"bits": (b"\xa0",)}, "value.mismatch", "bits"),
    ({"bits": ("a", 3)}, "value.mismatch", "bits"),
    ({"bits": (b"\xa0", True)}, "value.mismatch", "bits"),
    ({"bits": (b"\xa0", 9)}, "jer.bits", "bits"),
    ({"bits": (b"\xa0", -1)}, "jer.bits", "bits"),
    ({"bits": (b"\xff", 3)}, "jer.bits", "bits"),
    ({"text": b"abc"}, "value.mismatch", "text"),
    ({"text": "\ud800"}, "json.string", "text"),
    ({"oid": "1.2."}, "jer.oid", "oid"),
    ({"oid": "3.2"}, "jer.oid", "oid"),
    ({"oid": "1.-2"}, "jer.oid", "oid"),
    ({"oid": (1, 2)}, "value.mismatch", "oid"),
    ({"list": {1, 2}}, "value.mismatch", "list"),
    ({"list": "12"}, "value.mismatch", "list"),
    ({"list": [1, 9]}, "integer.range", "list[1]"),
    ({"list": [1, None]}, "value.mismatch", "list[1]"),
    ({"list": [1] * 4}, "size.range", "list"),
    ({"choice": {}}, "jer.choice", "choice"),
    ({"choice": {"a": 1, "b": True}}, "jer.choice", "choice"),
    ({"choice": {"c": 1}}, "jer.choice", "choice"),
    ({"choice": {"b": 1}}, "value.mismatch", "choice.b"),
    ({"choice": ("a", 1)}, "value.mismatch", "choice"),
    ({"choice": {1: 1}}, "value.mismatch", "choice"),
    ({"inside": {"containing": 10}}, "integer.range", "inside"),
    ({"inside": {"other": 1}}, "jer.containing", "inside"),
    ({"two": 1}, "component.missing", "one"),
    ({"trut": True}, "jer.member.unknown", ""),
    ({1: True}, "value.mismatch", ""),
    ({"...0": b""}, "jer.member.unknown", ""),
    ({"...1": "00"}, "value.mismatch", "...1"),
    ({"\ud800": 1}, "json.string", ""),
]


@pytest.mark.parametrize(("value", "code", "path"), REFUSED, ids=shown)
def test_what_is_not_of_the_type_is_refused(value: object, code: str, path: str) -> None:
    for rules in BINARY:
        with pytest.raises(roadwire.Error) as refused:
            SCHEMA.encode(rules, value)
        assert (refused.value.code, refused.value.path.split(".containing")[0]) == (code, path), rules


def mutations(value: Any, wrong: object) -> list[Any]:
    """The value with one of its parts replaced, for each part."""
    found = []

    def visit(parts: list[Any]) -> None:
        part = value
        for step in parts:
            part = part[step]
        for step in part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ():
            changed = copy.deepcopy(value)
            inner = changed
            for outer in parts:
                inner = inner[outer]
            inner[step] = wrong
            found.append(changed)
            visit([*parts, step])

    visit([])
    return found


@pytest.mark.parametrize(
    "wrong", [1 << 40, -(1 << 40), None, True, "no such item", 1.5, b"", {}, [], object()], ids=repr
)
def test_generated_code_and_the_interpreter_refuse_the_same(wrong: object) -> None:
    """Shipped schemas have generated code, which fills other types in memory than the interpreter: the answers are the same."""
    shipped = roadwire.schema("cam-1.4.1")
    own = roadwire.compile(text="\n".join(text for _, text in shipped.modules), type="CAM-PDU-Descriptions.CAM")
    for value in mutations(shipped.decode("uper", CAM), wrong):
        for rules in ("uper", "coer", "der", "protobuf", "exi", "xer", "jer", "cbor"):
            answers: list[object] = []
            for schema in (shipped, own):
                try:
                    answers.append(schema.encode(rules, value))
                except roadwire.Error as error:
                    answers.append((error.code, error.path, str(error)))
            assert answers[0] == answers[1], (rules, value)


def test_errors_have_code_bit_path_and_offset() -> None:
    cam = roadwire.schema("cam-1.4.1")
    with pytest.raises(roadwire.Error) as refused:
        cam.decode("uper", CAM[:16])
    error = refused.value
    assert (error.code, error.bit, error.offset) == ("input.truncated", 107, 13)
    assert error.path == "cam.camParameters.basicContainer.referencePosition.longitude"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.bit, again.path, again.offset) == (
        str(error),
        error.code,
        error.bit,
        error.path,
        error.offset,
    )

    with pytest.raises(roadwire.Error) as refused:
        cam.decode("jer", '{"header":\n {"protocolVersion": true}}')
    assert (refused.value.code, refused.value.offset, refused.value.path) == (
        "value.mismatch",
        32,
        "header.protocolVersion",
    )
    with pytest.raises(roadwire.Error, match="1 octet follows"):
        cam.decode("uper", CAM + b"\0")


def test_octets_may_be_of_any_bytes_like_object() -> None:
    cam = roadwire.schema("cam-1.4.1")
    value = cam.decode("uper", CAM)
    assert cam.decode("uper", bytearray(CAM)) == cam.decode("uper", memoryview(CAM)) == value
    for other in (CAM.hex(), list(CAM), None, 5):
        with pytest.raises(TypeError):
            cam.decode("uper", other)  # type: ignore[arg-type]
    assert cam.decode("jer", json.dumps(json.loads(cam.convert(CAM, "uper", "jer")))) == value


def test_what_a_later_version_added_is_kept() -> None:
    new = roadwire.compile(
        text="V DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..7), ..., x OCTET STRING,"
        " y CHOICE { p NULL, ..., q BOOLEAN }, z ENUMERATED { i, ..., j } } END"
    )
    old = roadwire.compile(text="V DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..7), ... } END")
    value = {"a": 3, "x": b"abc", "y": {"q": True}, "z": "j"}
    octets = new.encode("uper", value)
    seen = old.decode("uper", octets)
    assert set(seen) == {"a", "...0", "...1", "...2"}
    assert all(isinstance(seen[name], bytes) for name in seen if name != "a")
    assert old.encode("uper", seen) == octets
    with pytest.raises(roadwire.Error) as refused:
        old.convert(octets, "uper", "aper")
    assert refused.value.code == "additions.foreign"


def test_unknown_names() -> None:
    cam = roadwire.schema("cam-1.4.1")
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: roadwire.schema("cam-1.4.2"), "schema.unknown"),
        (lambda: cam.decode("uber", CAM), "rules.unknown"),
        (lambda: cam.decode("uper", CAM, type="CAMM"), "type.unknown"),
        (lambda: cam.decode("tls", CAM), "type.no-layout"),
        (lambda: roadwire.compile(text="M DEFINITIONS ::= BEGIN A ::= B END"), "asn1.name.unknown"),
    ]
    for call, code in calls:
        with pytest.raises(roadwire.Error) as refused:
            call()
        assert refused.value.code == code


def test_schemas_can_be_pickled() -> None:
    cam = roadwire.schema("cam-1.4.1")
    assert pickle.loads(pickle.dumps(cam)) is cam
    own = pickle.loads(pickle.dumps(SCHEMA))
    assert own.encode("uper", {"small": 5}) == SCHEMA.encode("uper", {"small": 5})
