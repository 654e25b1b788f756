"""Octets in rows to columns: any array of octets, nulls, errors, and the same values as one by one."""

from __future__ import annotations

import threading
from typing import Any

import pyarrow as pa
import pytest

import roadwire
from support import CAM, recorded, shipped_vectors

CAMS = [
    octets
    for vector in shipped_vectors("cam-1.4.1")
    if vector.type == "CAM-PDU-Descriptions.CAM"
    for octets in vector.octets["uper"][:1]
]
BAD = CAM[:9]


@pytest.fixture
def cam() -> roadwire.Schema:
    return roadwire.schema("cam-1.4.1")


def batch(found: roadwire.RecordBatch) -> pa.RecordBatch:
    made = pa.record_batch(found)
    made.validate(full=True)
    assert made.schema == pa.schema(found.schema)
    return made


def in_columns(value: Any, of: pa.DataType) -> Any:
    """A value as its column has it in Python: the table of docs/arrow.md."""
    if pa.types.is_struct(of):
        if isinstance(value, tuple):
            return {"value": value[0], "length": value[1]}
        names = [of.field(at).name for at in range(of.num_fields)]
        assert set(value) <= set(names)
        return {name: in_columns(value[name], of.field(name).type) if name in value else None for name in names}
    if pa.types.is_list(of):
        return [in_columns(one, of.value_type) for one in value]
    if pa.types.is_fixed_size_binary(of) and isinstance(value, tuple):
        return value[0]
    if pa.types.is_boolean(of):
        return value is not False
    return value


def test_columns_have_the_values_that_single_messages_have(cam: roadwire.Schema) -> None:
    messages = CAMS + [message.octets for message in recorded() if message.schema == "cam-1.4.1"][:300]
    made = batch(cam.decode_batch("uper", messages))
    whole = pa.struct(list(made.schema))
    found = made.to_pylist()
    for octets, row in zip(messages, found, strict=True):
        value = cam.decode("uper", octets)
        try:
            assert row == in_columns(value, whole)
        except AssertionError:
            # Only what has no column: an addition that the type does not know.
            if "..." not in repr(value):
                raise


def arrays() -> list[Any]:
    rows = [CAM, None, CAM, CAM]
    binary = pa.array(rows, pa.binary())
    return [
        rows,
        tuple(rows),
        [memoryview(CAM), None, bytearray(CAM), CAM],
        (row for row in rows),
        binary,
        pa.array(rows, pa.large_binary()),
        pa.array(rows, pa.binary_view()),
        pa.array(rows, pa.binary(len(CAM))),
        pa.array([b"", *rows, CAM], pa.binary())[1:5],
        pa.array([b"", *rows, CAM], pa.large_binary())[1:5],
        binary.dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([1, 0, 1, 1], pa.uint8()), pa.array([None, CAM], pa.binary())),
        pa.chunked_array([binary[:1], binary[1:1], binary[1:]]),
        pa.chunked_array([binary[:2].dictionary_encode(), binary[2:].dictionary_encode()]),
        pa.table({"octets": binary}),
        pa.record_batch({"octets": binary}),
    ]


@pytest.mark.parametrize("octets", arrays(), ids=lambda octets: str(getattr(octets, "type", type(octets).__name__)))
def test_octets_may_be_in_any_array(cam: roadwire.Schema, octets: Any) -> None:
    made = batch(cam.decode_batch("uper", octets, columns=["header.stationID"]))
    assert made.to_pylist() == [
        {"header": row} for row in [{"stationID": 2228980240}, None, *[{"stationID": 2228980240}] * 2]
    ]


def test_text_may_be_in_arrays(cam: roadwire.Schema) -> None:
    text = cam.convert(CAM, "uper", "jer").decode()
    for rows in ([text, None], [text.encode(), None]):
        for octets in (
            rows,
            pa.array(rows),
            pa.array(rows).cast(pa.large_string()),
            pa.array(rows).cast(pa.string_view()),
        ):
            assert len(cam.decode_batch("jer", octets)) == 2


def test_other_arrays_are_refused(cam: roadwire.Schema) -> None:
    others: list[Any] = [
        CAM,
        "text",
        5,
        None,
        [5],
        pa.array([1, 2]),
        pa.array([[CAM]]),
        pa.table({"a": [CAM], "b": [CAM]}),
    ]
    for octets in others:
        with pytest.raises(TypeError):
            cam.decode_batch("uper", octets)


def test_empty_batches(cam: roadwire.Schema) -> None:
    empty = pa.array([], pa.binary())
    empties: list[Any] = [[], empty, pa.chunked_array([], pa.binary()), pa.nulls(0), empty.dictionary_encode()]
    for octets in empties:
        made = batch(cam.decode_batch("uper", octets))
        assert made.num_rows == 0 and made.schema == pa.schema(cam.arrow_schema())
    assert batch(cam.decode_batch("uper", pa.nulls(3))).column("header").null_count == 3


def test_errors_are_raised_with_their_row(cam: roadwire.Schema) -> None:
    with pytest.raises(roadwire.Error) as refused:
        cam.decode_batch("uper", [CAM, None, BAD])
    error = refused.value
    assert (error.row, error.code, error.bit) == (2, "input.truncated", 68)
    assert str(error).endswith("in row 2")


def test_errors_are_null(cam: roadwire.Schema) -> None:
    made = batch(cam.decode_batch("uper", [BAD, CAM, None, b""], errors="null"))
    assert [row["header"] is None for row in made.to_pylist()] == [True, False, True, True]
    assert all(column.null_count == 3 for column in made.columns)


def test_errors_have_a_column(cam: roadwire.Schema) -> None:
    found = cam.decode_batch("uper", [BAD, CAM, None], errors="column")
    made = batch(found)
    assert made.schema == pa.schema(cam.arrow_schema(errors="column"))
    errors = made.column("_error").to_pylist()
    assert errors[1:] == [None, None]
    assert errors[0]["code"] == "input.truncated" and errors[0]["bit"] == 68
    assert errors[0]["path"] == "cam.camParameters.basicContainer.stationType"
    assert "too soon" in errors[0]["message"]


def test_columns_are_selected(cam: roadwire.Schema) -> None:
    made = batch(cam.decode_batch("uper", [CAM], columns=["cam.generationDeltaTime", "header"]))
    assert made.to_pylist() == [
        {
            "header": {"protocolVersion": 2, "messageID": 2, "stationID": 2228980240},
            "cam": {"generationDeltaTime": 17062},
        }
    ]
    assert pa.schema(cam.arrow_schema(columns=["header.stationID"])).names == ["header"]
    with pytest.raises(roadwire.Error) as refused:
        cam.arrow_schema(columns=["header.stationId"])
    assert refused.value.code == "columns.unknown"
    with pytest.raises(ValueError, match="no column"):
        cam.arrow_schema(columns=[])
    with pytest.raises(ValueError, match="'raise', 'null' or 'column'"):
        cam.decode_batch("uper", [CAM], errors="ignore")  # type: ignore[arg-type]


def test_fields_have_units(cam: roadwire.Schema) -> None:
    latitude = pa.schema(cam.arrow_schema()).field("cam").type
    for name in ("camParameters", "basicContainer", "referencePosition", "latitude"):
        latitude = latitude.field(name) if isinstance(latitude, pa.StructType) else latitude.type.field(name)
    assert latitude.metadata[b"unit"] == b"0.1 microdegree" or b"microdegree" in latitude.metadata[b"unit"]


def test_types_of_every_kind_have_nullable_columns() -> None:
    schema = roadwire.compile(
        text="M DEFINITIONS AUTOMATIC TAGS ::= BEGIN N ::= INTEGER (0..9) L ::= SEQUENCE OF BOOLEAN"
        " C ::= CHOICE { a NULL, b N } S ::= SEQUENCE { n N DEFAULT 3, l L, e ENUMERATED { x, y } } END"
    )
    rows: list[tuple[str, list[Any], list[Any]]] = [
        ("N", [5, None], [{"value": 5}, {"value": None}]),
        ("L", [[True], None], [{"value": [True]}, {"value": None}]),
        ("C", [{"b": 1}, None], [{"a": None, "b": 1}, {"a": None, "b": None}]),
        ("S", [{"l": [], "e": "y"}, None], [{"n": 3, "l": [], "e": "y"}, {"n": None, "l": None, "e": None}]),
    ]
    for name, values, wanted in rows:
        octets = [None if value is None else schema.encode("uper", value, type=name) for value in values]
        made = batch(schema.decode_batch("uper", octets, type=name))
        assert made.to_pylist() == wanted
        assert all(field.nullable for field in made.schema)


def test_large_batches_do_not_hold_the_lock() -> None:
    """Other threads go on while a batch is decoded."""
    cam = roadwire.schema("cam-1.4.1")
    octets = pa.array([CAM] * 200_000)
    counts = [0]
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counts[0] += 1

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    try:
        before = counts[0]
        cam.decode_batch("uper", octets, columns=["header.stationID"])
        assert counts[0] > before
    finally:
        done.set()
        thread.join()
