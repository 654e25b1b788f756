"""Columns back to octets: what decode_batch made, what other libraries made of it, and what is refused."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import roadwire
from support import CAM, recorded, shipped_vectors

DEMO = """Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Report ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL, kind ENUMERATED { a, b, ... },
                      parts SEQUENCE OF CHOICE { flag BOOLEAN, octets OCTET STRING, bits BIT STRING },
                      big INTEGER (0..100000000000000000000000), oid OBJECT IDENTIFIER, relative RELATIVE-OID }
END"""
VALUE: dict[str, Any] = {
    "speed": 1200,
    "kind": "b",
    "parts": [{"flag": True}, {"octets": b"ab"}, {"bits": (b"\xa0", 3)}],
    "big": 10**22,
    "oid": "1.2.840",
    "relative": "8571.3",
}


def test_batches_come_back_as_they_were() -> None:
    for name in roadwire.schemas():
        schema = roadwire.schema(name)
        for rules in ("uper", "coer", "tls"):
            octets = [
                vector.octets[rules][0]
                for vector in shipped_vectors(name)
                if vector.type == schema.pdus[0] and vector.octets.get(rules)
            ]
            octets += [one.octets for one in recorded() if one.schema == name and rules == "uper"][:200]
            rows: list[bytes | None] = []
            for message in octets:
                try:
                    # Other encodings than the canonical one are left out.
                    if schema.encode(rules, schema.decode(rules, message)) == message:
                        schema.decode_batch(rules, [message])
                        rows.append(message)
                except roadwire.Error:
                    continue
            if rows:
                rows.append(None)
                batch = schema.decode_batch(rules, rows, unknown="column")
                assert schema.encode_batch(rules, batch).to_pylist() == rows, (name, rules)
                assert batch.unknown_rows == len(pa.record_batch(batch).column("_unknown").drop_null())


def test_own_modules_and_all_kinds_of_columns() -> None:
    demo = roadwire.compile(text=DEMO)
    octets = demo.encode("uper", VALUE)
    batch = pa.record_batch(demo.decode_batch("uper", [octets, octets]))
    made = demo.encode_batch("uper", batch)
    assert (len(made), made[0], made[-1]) == (2, octets, octets)
    assert pa.array(made).to_pylist() == [octets, octets]
    assert pa.array(demo.encode_batch("jer", batch)).to_pylist()[0].startswith(b'{"speed":1200')
    with pytest.raises(IndexError):
        made[2]


def test_arrays_of_other_libraries_are_taken() -> None:
    cam = roadwire.schema("cam-1.4.1")
    table = pa.table(pa.record_batch(cam.decode_batch("uper", [CAM, None, CAM])))
    for columns in (table, table.slice(1), pa.concat_tables([table, table]), table.to_batches()[0]):
        rows = columns.num_rows
        wanted = [CAM, None, CAM, CAM, None, CAM][:rows] if rows != 2 else [None, CAM]
        assert cam.encode_batch("uper", columns).to_pylist() == wanted
    # Wider integers, and text that is no dictionary.
    again = pa.Table.from_pylist([pa.record_batch(cam.decode_batch("uper", [CAM])).to_pylist()[0]])
    assert cam.encode_batch("uper", again).to_pylist() == [CAM]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"speed": 16384}, "integer.range", "speed"),
        ({"speed": "fast"}, "columns.type", "speed"),
        ({"speed": None}, "columns.absent", "speed"),
        ({"other": 1}, "columns.unknown", ""),
        ({"kind": "c"}, "columns.value", "kind"),
        ({"oid": "1"}, "columns.value", "oid"),
        ({"big": "12x"}, "columns.value", "big"),
        ({"parts": [{"flag": True, "octets": b"", "bits": None}]}, "columns.choice", "parts[0]"),
        ({"parts": [{"flag": None, "octets": None, "bits": None}]}, "columns.absent", "parts[0]"),
        ({"parts": [{"flag": None, "octets": None, "bits": {"value": b"\xff", "length": 3}}]}, "columns.value", "parts[0].bits"),
    ],
)
def test_what_is_wrong_is_told(change: dict[str, Any], code: str, path: str) -> None:
    demo = roadwire.compile(text=DEMO)
    good = pa.record_batch(demo.decode_batch("uper", [demo.encode("uper", VALUE)])).to_pylist()[0]
    with pytest.raises(roadwire.Error) as found:
        demo.encode_batch("uper", pa.Table.from_pylist([{**good, **change}]))
    assert (found.value.code, found.value.path) == (code, path), found.value


def test_what_are_no_columns_is_refused() -> None:
    cam = roadwire.schema("cam-1.4.1")
    for wrong in ([CAM], CAM, None, 1):
        with pytest.raises(TypeError):
            cam.encode_batch("uper", wrong)  # type: ignore[arg-type]
    with pytest.raises(roadwire.Error):
        cam.encode_batch("uper", pa.array([CAM]))
    with pytest.raises(roadwire.Error):
        cam.encode_batch("morse", cam.decode_batch("uper", [CAM]))
