"""Columns back to octets: what decode_batch made, what other libraries made of it, and what is refused."""

from __future__ import annotations

import signal
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
            cam.encode_batch("uper", wrong)  # type: ignore[call-overload]
    with pytest.raises(roadwire.Error):
        cam.encode_batch("uper", pa.array([CAM]))
    with pytest.raises(roadwire.Error):
        cam.encode_batch("morse", cam.decode_batch("uper", [CAM]))


def test_rows_that_are_refused_are_null_or_told(tmp_path: Any) -> None:
    cam = roadwire.schema("cam-1.4.1")
    rows = pa.record_batch(cam.decode_batch("uper", [CAM, CAM, None, CAM])).to_pylist()
    rows[1]["header"]["stationID"] = -1
    rows[3]["header"]["messageID"] = None
    table = pa.concat_tables([pa.Table.from_pylist(rows)] * 2)
    good = [CAM, None, None, None] * 2
    assert cam.encode_batch("uper", table, errors="null").to_pylist() == good
    found = pa.record_batch(cam.encode_batch("uper", table, errors="column"))
    found.validate(full=True)
    assert found.schema.field("_error") == pa.schema(cam.arrow_schema(errors="column")).field("_error")
    assert found.column("octets").to_pylist() == good
    told = [(error["code"], error["path"]) if error else None for error in found.column("_error").to_pylist()]
    wanted = [None, ("integer.range", "header.stationID"), None, ("columns.absent", "header.messageID")]
    assert told == wanted * 2
    with pytest.raises(roadwire.Error) as refused:
        cam.encode_batch("uper", table.slice(2))
    assert (refused.value.row, refused.value.code) == (1, "columns.absent")
    with pytest.raises(ValueError, match="errors"):
        cam.encode_batch("uper", table, errors="other")  # type: ignore[call-overload]
    # What is wrong with all rows is no matter of one.
    for columns, code in ((table.append_column("other", table["cam"]), "columns.unknown"), (table, "rules.unknown")):
        with pytest.raises(roadwire.Error) as refused:
            cam.encode_batch("morse" if code == "rules.unknown" else "uper", columns, errors="null")
        assert refused.value.code == code


def test_two_columns_of_one_name_are_refused() -> None:
    demo = roadwire.compile(text="M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..9), ... } END")
    a, b = pa.array([1]), pa.array([2])
    for columns in ([a, b], [a, a]):
        with pytest.raises(roadwire.Error, match="several columns are called `a`") as refused:
            demo.encode_batch("uper", pa.Table.from_arrays(columns, names=["a", "a"]))
        assert refused.value.code == "columns.double"
    unknown = pa.nulls(1)
    with pytest.raises(roadwire.Error, match="_unknown"):
        demo.encode_batch("uper", pa.Table.from_arrays([a, unknown, unknown], names=["a", "_unknown", "_unknown"]))


LONG = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { o OCTET STRING } END"


def test_more_octets_than_an_array_holds_are_an_error_with_its_row() -> None:
    schema = roadwire.compile(text=LONG)
    part = pa.table({"o": [bytes(1 << 22)]})
    for errors in ("raise", "null"):
        with pytest.raises(roadwire.Error) as refused:
            schema.encode_batch("coer", pa.concat_tables([part] * 513), errors=errors)
        assert (refused.value.code, refused.value.row) == ("columns.limit", 511)


@pytest.mark.parametrize("direction", ["encode", "decode"])
def test_ctrl_c_ends_a_batch(direction: str) -> None:
    """A handler runs during the call, several times, and ends it when it raises."""
    schema = roadwire.compile(text=DEMO)
    octets = schema.encode("uper", VALUE)
    columns = pa.table(pa.record_batch(schema.decode_batch("uper", [octets] * 20_000)))
    tables = pa.concat_tables([columns] * 200)
    rows = pa.chunked_array([pa.array([octets] * 20_000)] * 200)
    calls = 0

    def stop(signal: int, frame: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(KeyboardInterrupt):
            # Signals that wait for the end of a call are one.
            signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
            schema.encode_batch("jer", tables) if direction == "encode" else schema.decode_batch("uper", rows)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
