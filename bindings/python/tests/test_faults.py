"""The input of each fault of another implementation: what `docs/faults.md` says happens."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

import roadwire
from support import ROOT, is_jer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE: dict[str, Any] = tomllib.loads((ROOT / "crates/faults/faults.toml").read_text(encoding="utf-8"))
SIGNED = TABLE["signed"]


def named(key: str) -> pytest.MarkDecorator:
    """The faults that have a key, each a test with its name."""
    faults = [fault for fault in TABLE["fault"] if key in fault]
    assert faults
    return pytest.mark.parametrize("fault", faults, ids=lambda fault: fault["name"])


def repeated(text: str) -> str:
    return re.sub("‹(.*?)›×([0-9]+)", lambda found: found[1] * int(found[2]), text)


def length(octets: int) -> bytes:
    """A definite length in its shortest form."""
    digits = octets.to_bytes((octets.bit_length() + 7) // 8, "big")
    return bytes([octets]) if octets < 128 else bytes([0x80 | len(digits)]) + digits


def input_of(fault: dict[str, Any]) -> bytes:
    if "text" in fault:
        return repeated(fault["text"]).encode()
    octets = bytes.fromhex(repeated(fault["octets"]))
    inside = fault.get("inside", {"tag": "", "times": 0})
    for _ in range(inside["times"]):
        octets = bytes.fromhex(inside["tag"]) + length(len(octets)) + octets
    return octets


def module(fault: dict[str, Any]) -> str:
    text: str = fault["asn1"]
    return text if "DEFINITIONS" in text else f"Fault DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND\n"


@named("rules")
def test_message(fault: dict[str, Any]) -> None:
    schema = roadwire.compile(text=module(fault), type="A")
    rules, octets, here = fault["rules"], input_of(fault), fault["here"]
    if "first" in fault:
        schema.decode(rules, bytes.fromhex(fault["first"]))
    if "code" in here:
        with pytest.raises(roadwire.Error) as refused:
            schema.decode(rules, octets)
        error = refused.value
        assert error.offset is not None
        # Text has no bits.
        bit = error.offset * 8 if error.bit is None else error.bit
        assert (error.code, bit, error.path) == (here["code"], here["bit"], here.get("path", ""))
        return
    value, violations = schema.decode(rules, octets, strict=False)
    breaks = [f"{one['code']} in {one['path']}" for one in violations]
    assert breaks == ([here["breaks"]] if "breaks" in here else [])
    if here["value"] == "limit.length":
        with pytest.raises(roadwire.Error) as refused:
            schema.encode(rules, value)
        assert refused.value.code == here["value"]
        return
    # Of a long value, the table has both ends.
    if re.search(r'[^"]\.\.\.', here["value"]) is None:
        assert is_jer(value, json.loads(here["value"])), value
    if not violations:
        assert (schema.encode(rules, value) == octets) == ("canonical" not in here)


@named("change")
def test_signed_message(fault: dict[str, Any]) -> None:
    genuine, other = fault["change"]
    verifier = roadwire.Verifier(trust=[bytes.fromhex(SIGNED["root"])], profile="none")
    verdict = verifier.verify(bytes.fromhex(SIGNED["message"].replace(genuine, other)))
    assert {"verdict": verdict.verdict, "reason": verdict.reason} == fault["here"]
    assert verifier.verify(bytes.fromhex(SIGNED["message"])).verdict == "valid"


def test_modules() -> None:
    faults = [fault for fault in TABLE["fault"] if "codes" in fault["here"]]
    assert faults
    for fault in faults:
        with pytest.raises(roadwire.Error) as refused:
            roadwire.compile(text=fault["asn1"])
        assert refused.value.code == fault["here"]["codes"][0], fault["name"]


def test_every_fault_has_a_test() -> None:
    for fault in TABLE["fault"]:
        assert "rules" in fault or "change" in fault or "codes" in fault["here"], fault["name"]
