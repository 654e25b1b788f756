"""Values and octets on which other implementations agree, through Python objects: every construct, all rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import roadwire
from support import VECTORS, is_jer, read_vectors, recorded, same, schema_of


@pytest.mark.parametrize("file", VECTORS, ids=lambda file: file.stem)
def test_every_vector_is_written_and_read(file: Path) -> None:
    schema = schema_of(file)
    for vector in read_vectors(file)[1]:
        try:
            value = schema.decode("jer", vector.value, type=vector.type)
        except roadwire.Error as error:
            # A few of them break a constraint that encoding rules do not take into account.
            assert error.code == "constraint.value"
            continue
        assert is_jer(value, json.loads(vector.value))
        for rules, (own, *others) in vector.octets.items():
            assert schema.encode(rules, value, type=vector.type) == own, (rules, vector.value)
            assert schema.convert(vector.value, "jer", rules, type=vector.type) == own, (rules, vector.value)
            for octets in [own, *others]:
                # Trailing zeros of named bits have no meaning.
                found = schema.decode(rules, octets, type=vector.type)
                assert same(found, value) or schema.encode(rules, found, type=vector.type) == own, (rules, octets.hex())


def test_recorded_messages_go_there_and_back() -> None:
    if not recorded():
        pytest.skip("there are no recorded messages here")
    for message in recorded():
        schema = roadwire.schema(message.schema)
        value = schema.decode("uper", message.octets)
        text = schema.convert(message.octets, "uper", "jer")
        assert is_jer(value, json.loads(text))
        assert schema.encode("uper", value) == message.octets
        assert schema.encode("jer", value) == text
