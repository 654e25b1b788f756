"""asn1tools' interface: its form of values, and its exceptions."""

from __future__ import annotations

import datetime
import doctest
from typing import Any

import pytest

from roadwire.compat import asn1tools

MODULE = """
    Test DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    All ::= SEQUENCE {
        choice CHOICE { a INTEGER, b BOOLEAN, ... } OPTIONAL, bits BIT STRING OPTIONAL, octets OCTET STRING OPTIONAL,
        item ENUMERATED { red(3), green(7), ... } OPTIONAL, oid OBJECT IDENTIFIER OPTIONAL, nothing NULL OPTIONAL,
        set SET OF INTEGER OPTIONAL, real REAL OPTIONAL, utc UTCTime OPTIONAL, general GeneralizedTime OPTIONAL,
        day DATE OPTIONAL, hour TIME-OF-DAY OPTIONAL, moment DATE-TIME OPTIONAL,
        inside OCTET STRING (CONTAINING INTEGER (0..9)) OPTIONAL, number INTEGER (0..9) DEFAULT 5, ...
    }
    Later ::= SEQUENCE { a BOOLEAN, ..., b INTEGER }
    Earlier ::= SEQUENCE { a BOOLEAN, ... }
    MoreItems ::= ENUMERATED { one, ..., two }
    FewerItems ::= ENUMERATED { one, ... }
    MoreChoices ::= CHOICE { one NULL, ..., two NULL }
    FewerChoices ::= CHOICE { one NULL, ... }
    Tree ::= SEQUENCE { left Tree OPTIONAL, leaf INTEGER DEFAULT 1 }
    KIND ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id IS &Type }
    Kinds KIND ::= { { 1 IS INTEGER } | { 2 IS BOOLEAN } }
    Message ::= SEQUENCE { id KIND.&id ({Kinds}), value KIND.&Type ({Kinds}{@id}) }
    END
    Other DEFINITIONS AUTOMATIC TAGS ::= BEGIN Earlier ::= NULL Only ::= BOOLEAN END
"""
CODECS = ["ber", "der", "jer", "oer", "per", "uper", "xer"]
ZONE = datetime.timezone.utc


def spec(codec: str, **options: Any) -> asn1tools.Specification:
    return asn1tools.compile_string(MODULE, codec, **options)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    "value",
    [
        {"choice": ("a", 5)},
        {"choice": ("b", True)},
        {"bits": (b"\xa0", 3)},
        {"octets": b"\x01\x02"},
        {"item": "green"},
        {"oid": "1.2.840.113549"},
        {"nothing": None},
        {"set": [1, 2]},
        {"real": 1.5},
        {"utc": datetime.datetime(2026, 1, 2, 3, 4, 5)},
        {"day": datetime.date(2026, 1, 2)},
        {"hour": datetime.time(3, 4, 5)},
        {"moment": datetime.datetime(2026, 1, 2, 3, 4, 5)},
        {"number": 7},
    ],
    ids=lambda value: next(iter(value)),
)
def test_values_go_there_and_back_in_asn1tools_form(codec: str, value: dict[str, Any]) -> None:
    all_types = spec(codec).types["All"]
    assert all_types.decode(all_types.encode(value)) == {"number": 5, **value}


def test_canonical_rules_have_times_without_a_zone() -> None:
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, 250_000, tzinfo=ZONE)
    for codec, expected in [("ber", when), ("der", when.replace(tzinfo=None)), ("uper", when.replace(tzinfo=None))]:
        one = spec(codec)
        assert one.decode("All", one.encode("All", {"general": when}))["general"] == expected


def test_enumerations_are_numbers_where_that_is_asked_for() -> None:
    numeric = spec("uper", numeric_enums=True)
    octets = numeric.encode("All", {"item": 7})
    assert octets == spec("uper").encode("All", {"item": "green"})
    assert numeric.decode("All", octets)["item"] == 7
    with pytest.raises(asn1tools.EncodeError):
        numeric.encode("All", {"item": 4})


@pytest.mark.parametrize("codec", [codec for codec in CODECS if codec != "jer"])
def test_additions_of_a_later_version_are_left_out(codec: str) -> None:
    one = spec(codec)
    octets = one.encode("Later", {"a": True, "b": 5}).replace(b"Later", b"Earlier")
    assert one.modules["Test"]["Earlier"].decode(octets) == {"a": True}


def test_items_and_alternatives_of_a_later_version_are_none() -> None:
    one = spec("uper")
    assert one.decode("FewerItems", one.encode("MoreItems", "two")) is None
    assert one.decode("FewerChoices", one.encode("MoreChoices", ("two", None))) == (None, None)


def test_defaults_of_additions_are_filled_in_as_asn1tools_does() -> None:
    text = (
        "T DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
        " A ::= SEQUENCE { ..., a BOOLEAN DEFAULT TRUE, b NULL, c BOOLEAN DEFAULT TRUE } END"
    )
    for codec, expected in [("ber", {"a": True}), ("uper", {})]:
        one = asn1tools.compile_string(text, codec)
        assert one.decode("A", one.encode("A", {})) == expected


def test_a_named_number_is_taken_for_its_number() -> None:
    one = asn1tools.compile_string("T DEFINITIONS ::= BEGIN A ::= INTEGER { three(3) } END")
    assert one.encode("A", "three") == one.encode("A", 3)
    with pytest.raises(asn1tools.EncodeError):
        one.encode("A", "four")


def test_white_space_of_text_is_that_of_asn1tools() -> None:
    text = "T DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a BOOLEAN, b UTF8String } END"
    value = {"a": True, "b": "<x/>"}
    xml = asn1tools.compile_string(text, "xer")
    assert xml.encode("A", value) == b"<A><a><true /></a><b>&lt;x/&gt;</b></A>"
    assert xml.encode("A", {"a": True, "b": ""}, indent=2) == b"<A>\n  <a>\n    <true />\n  </a>\n  <b />\n</A>\n"
    assert asn1tools.compile_string(text, "jer").encode("A", {"a": True, "b": ""}, indent=1) == (
        b'{\n "a": true,\n "b": ""\n}'
    )


def test_octets_that_end_too_soon_have_an_error_of_their_own() -> None:
    with pytest.raises(asn1tools.OutOfDataError):
        spec("uper").decode("Later", b"")


def test_recursive_types_are_read() -> None:
    one = spec("uper")
    value = {"left": {"left": {"leaf": 2}}}
    whole = {"left": {"left": {"leaf": 2}, "leaf": 1}, "leaf": 1}
    assert one.decode("Tree", one.encode("Tree", value)) == whole


@pytest.mark.parametrize("codec", ["uper", "per", "oer", "der"])
def test_open_types_and_contained_values_are_octets(codec: str) -> None:
    one = spec(codec)
    inner = asn1tools.compile_string("T DEFINITIONS ::= BEGIN A ::= INTEGER B ::= INTEGER (0..9) END", codec)
    message = {"id": 1, "value": inner.encode("A", 300)}
    assert one.decode("Message", one.encode("Message", message)) == message
    octets = inner.encode("B", 7)
    assert one.decode("All", one.encode("All", {"inside": octets}))["inside"] == octets


def test_octets_after_the_value_do_not_count() -> None:
    one = spec("uper")
    octets = one.encode("Later", {"a": True, "b": 5})
    assert one.decode_with_length("Later", octets + b"more") == ({"a": True, "b": 5}, len(octets))


def test_length_is_that_of_the_first_octets() -> None:
    one = spec("ber")
    assert one.decode_length(b"\x30\x0e\x02") == 16
    assert one.decode_length(b"\x30\x82\x01\x00") == 260
    assert one.decode_length(b"\x30") is None


def test_types_of_two_modules_are_only_in_their_modules() -> None:
    one = spec("uper")
    assert "Earlier" not in one.types
    assert {"Earlier", "Only"} == set(one.modules["Other"])


def test_errors_name_the_part() -> None:
    one = spec("uper")
    with pytest.raises(asn1tools.EncodeError, match=r"^choice\.b: "):
        one.encode("All", {"choice": ("b", b"")})
    with pytest.raises(asn1tools.EncodeError, match=r"^choice: "):
        one.encode("All", {"choice": {"b": True}})
    with pytest.raises(asn1tools.DecodeError):
        one.decode("All", b"")
    with pytest.raises(asn1tools.EncodeError, match="'None' not found"):
        one.encode("None", 1)


def test_constraints_are_checked_whatever_was_asked_for() -> None:
    one = spec("uper")
    with pytest.raises(asn1tools.ConstraintsError):
        one.encode("All", {"number": 10}, check_constraints=True)
    with pytest.raises(asn1tools.EncodeError):
        one.encode("All", {"number": 10})


def test_modules_are_refused_as_asn1tools_does() -> None:
    with pytest.raises(asn1tools.ParseError):
        asn1tools.compile_string("A DEFINITIONS ::= BEGIN A ::= END")
    with pytest.raises(asn1tools.CompileError):
        asn1tools.compile_string("A DEFINITIONS ::= BEGIN A ::= B END")
    with pytest.raises(asn1tools.CompileError):
        asn1tools.compile_string(MODULE, "gser")


def test_example_of_the_docstring_runs() -> None:
    assert doctest.testmod(asn1tools).failed == 0
