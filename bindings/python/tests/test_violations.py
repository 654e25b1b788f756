"""Messages that break constraints: decoded to their end where that is asked for."""

from __future__ import annotations

import pytest

import roadwire
from support import CAM

DEMO = """Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
M ::= SEQUENCE { a INTEGER (-160..161), e ENUMERATED { x, y, w }, z BOOLEAN }
END"""


def test_a_message_that_breaks_constraints_is_decoded_to_its_end_if_that_is_asked_for() -> None:
    schema = roadwire.compile(text=DEMO)
    octets = bytes.fromhex("b270")
    with pytest.raises(roadwire.Error) as refused:
        schema.decode("uper", octets)
    assert refused.value.code == "integer.range"
    value, violations = schema.decode("uper", octets, strict=False)
    assert (value["a"], value["z"]) == (196, True)
    assert [one["path"] for one in violations] == ["a", "e"]
    first = dict(violations[0])
    assert first.pop("message").startswith("value 196 above 161")
    assert first == {"path": "a", "at": 0, "value": 196, "constraint": "(-160..161)", "code": "integer.range"}


def test_a_message_that_breaks_no_constraint_has_no_violations() -> None:
    cam = roadwire.schema("cam-1.4.1")
    assert cam.decode("uper", CAM, strict=False) == (cam.decode("uper", CAM), [])


def test_octets_that_cannot_be_read_are_refused_in_any_case() -> None:
    cam = roadwire.schema("cam-1.4.1")
    with pytest.raises(roadwire.Error) as refused:
        cam.decode("uper", CAM[:9], strict=False)
    assert refused.value.code == "input.truncated"
