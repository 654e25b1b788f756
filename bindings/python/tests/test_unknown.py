"""What a later version of a type has, in batches of an earlier one: counted, refused, or kept in a column and put back."""

from __future__ import annotations

import contextlib
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roadwire
from support import CAM, shipped_vectors

OLD = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
T ::= SEQUENCE { kind Kind, inner SEQUENCE { a BOOLEAN OPTIONAL, ... } OPTIONAL, list SEQUENCE OF Kind OPTIONAL,
                 parts SEQUENCE OF SEQUENCE { n INTEGER (0..9), ..., [[ g BOOLEAN, h BOOLEAN ]] } OPTIONAL,
                 string OCTET STRING (CONTAINING Inner) OPTIONAL, ..., x BOOLEAN OPTIONAL }
Kind ::= CHOICE { flag BOOLEAN, deep SEQUENCE { kind Last }, ..., more BOOLEAN }
Last ::= CHOICE { none NULL, ... }
Inner ::= SEQUENCE { b BOOLEAN, ... }
Root ::= CHOICE { a BOOLEAN, ... }
Nothing ::= SEQUENCE { ... }
END"""
NEW = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
T ::= SEQUENCE { kind Kind, inner SEQUENCE { a BOOLEAN OPTIONAL, ..., y INTEGER (0..999) OPTIONAL } OPTIONAL,
                 list SEQUENCE OF Kind OPTIONAL,
                 parts SEQUENCE OF SEQUENCE { n INTEGER (0..9), ..., [[ g BOOLEAN, h BOOLEAN ]],
                                              [[ i UTF8String OPTIONAL, j NULL OPTIONAL ]], k NULL OPTIONAL } OPTIONAL,
                 string OCTET STRING (CONTAINING Inner) OPTIONAL, ..., x BOOLEAN OPTIONAL, y OCTET STRING OPTIONAL, z Kind OPTIONAL }
Kind ::= CHOICE { flag BOOLEAN, deep SEQUENCE { kind Last }, ..., more BOOLEAN, later SEQUENCE { c INTEGER }, last NULL }
Last ::= CHOICE { none NULL, ..., some BOOLEAN }
Inner ::= SEQUENCE { b BOOLEAN, ..., y BOOLEAN }
Root ::= CHOICE { a BOOLEAN, ..., y UTF8String }
Nothing ::= SEQUENCE { ..., y BOOLEAN OPTIONAL }
END"""
RULES = ("uper", "aper", "oer", "coer", "ber", "der", "cer", "xer", "cxer", "protobuf", "cbor", "jer")

PLAIN: list[dict[str, Any]] = [
    {"kind": {"flag": True}},
    {"kind": {"more": False}, "inner": {}, "list": [], "parts": [{"n": 1, "g": True, "h": False}], "x": True},
]
LATER: list[dict[str, Any]] = [
    {"kind": {"last": None}, "y": b""},
    {"kind": {"later": {"c": -5}}, "inner": {"y": 3}, "y": b"abc", "z": {"flag": True}},
    {"kind": {"deep": {"kind": {"some": True}}}, "inner": {"a": True, "y": 999}, "y": b"\xff" * 300},
    {
        "kind": {"flag": False},
        "list": [
            {"flag": True},
            {"last": None},
            {"deep": {"kind": {"none": None}}},
            {"deep": {"kind": {"some": False}}},
        ],
        "parts": [{"n": 0}, {"n": 1, "i": "ä", "j": None, "k": None}, {"n": 2, "g": True, "h": True, "k": None}],
        "x": False,
        "string": {"containing": {"b": True, "y": True}},
        "y": b"1",
    },
]


@pytest.fixture(scope="module")
def old() -> roadwire.Schema:
    return roadwire.compile(text=OLD, type="T")


@pytest.fixture(scope="module")
def new() -> roadwire.Schema:
    return roadwire.compile(text=NEW, type="T")


def later(old: roadwire.Schema, new: roadwire.Schema, rules: str, values: list[dict[str, Any]]) -> list[bytes]:
    """Messages of the later version. JER has them as this one shows them: it takes no names that it does not know."""
    if rules in ("xer", "cxer"):
        # In XML a list of a CHOICE has elements of known names alone.
        known = [[one for one in value.get("list", []) if not {"later", "last"} & set(one)] for value in values]
        values = [{**value, "list": list} for value, list in zip(values, known, strict=True)]
    octets = [new.encode("uper" if rules == "jer" else rules, value) for value in values]
    return [old.convert(one, "uper", "jer") for one in octets] if rules == "jer" else octets


def entries(batch: roadwire.RecordBatch) -> list[list[tuple[str, int]] | None]:
    column = pa.record_batch(batch).column("_unknown").to_pylist()
    return [None if row is None else [(one["path"], one["index"]) for one in row] for row in column]


@pytest.mark.parametrize("rules", RULES)
def test_messages_of_a_later_version_come_back_as_they_were(
    old: roadwire.Schema, new: roadwire.Schema, rules: str
) -> None:
    rows: list[bytes | None] = [*(old.encode(rules, value) for value in PLAIN), *later(old, new, rules, LATER), None]
    batch = old.decode_batch(rules, rows, unknown="column")
    assert old.encode_batch(rules, batch).to_pylist() == rows
    made = pa.record_batch(batch)
    made.validate(full=True)
    assert made.schema.equals(pa.schema(old.arrow_schema(unknown="column")))
    assert [row is None for row in entries(batch)] == [True, True, False, False, False, False, True]
    assert (batch.unknown_rows, made.schema.metadata) == (4, {b"asn1.unknown_rows": b"4"})
    # Other libraries make other arrays of them, and parts.
    table = pa.Table.from_pylist(made.to_pylist())
    assert old.encode_batch(rules, table).to_pylist() == rows
    assert old.encode_batch(rules, made.slice(3, 2)).to_pylist() == rows[3:5]
    assert old.encode_batch(rules, pa.concat_tables([pa.table(made).slice(5), pa.table(made)])).to_pylist() == [
        *rows[5:],
        *rows,
    ]


def test_paths_say_where(old: roadwire.Schema, new: roadwire.Schema) -> None:
    found = entries(old.decode_batch("der", later(old, new, "der", LATER), unknown="column"))
    assert [[path for path, _ in row or []] for row in found] == [
        ["kind", ""],
        ["kind", "inner", "", ""],
        ["kind.deep.kind", "inner", ""],
        ["list[1]", "list[3].deep.kind", "parts[1]", "parts[1]", "parts[1]", "parts[2]", "string.containing", ""],
    ]
    found = entries(old.decode_batch("uper", later(old, new, "uper", LATER), unknown="column"))
    # The last one, where it is only known to be absent, has no octets.
    assert found == [
        [("kind", 2), ("", 1), ("", 2)],
        [("kind", 1), ("inner", 0), ("", 1), ("", 2)],
        [("kind.deep.kind", 0), ("inner", 0), ("", 1), ("", 2)],
        [
            ("list[1]", 2),
            ("list[3].deep.kind", 0),
            ("parts[1]", 1),
            ("parts[1]", 2),
            ("parts[2]", 2),
            ("string.containing", 0),
            ("", 1),
            ("", 2),
        ],
    ]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("name", "values"), [("Root", [{"a": True}, {"y": "ä"}]), ("Nothing", [{}, {"y": True}])])
def test_types_without_other_columns(
    old: roadwire.Schema, new: roadwire.Schema, rules: str, name: str, values: list[Any]
) -> None:
    octets = [new.encode("uper" if rules == "jer" else rules, value, type=name) for value in values]
    if rules == "jer":
        octets = [old.convert(one, "uper", "jer", type=name) for one in octets]
    batch = old.decode_batch(rules, [*octets, None], type=name, unknown="column")
    assert old.encode_batch(rules, batch, type=name).to_pylist() == [*octets, None]


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("cam-2.3.1", "cam-1.4.1"),
        ("cam-2.3.1", "cam-2.1.1"),
        ("denm-2.3.1", "denm-1.3.1"),
        ("denm-2.3.1", "denm-2.2.1"),
    ],
)
def test_shipped_messages_of_a_later_version_come_back(newer: str, older: str) -> None:
    """Beside messages that generated code takes, and nulls."""
    schema, found = roadwire.schema(older), 0
    types = {schema.pdus[0], roadwire.schema(newer).pdus[0]}
    vectors = [vector for name in (newer, older) for vector in shipped_vectors(name) if vector.type in types]
    for rules in ("uper", "aper", "coer", "der", "protobuf", "cbor"):
        rows: list[bytes | None] = [None]
        for vector in vectors:
            for message in vector.octets.get(rules, [])[:1]:
                try:
                    # A message that only happens to be one of this version may be another encoding than the canonical one.
                    if schema.encode(rules, schema.decode(rules, message)) == message:
                        rows.append(message)
                except roadwire.Error:
                    continue
        batch = schema.decode_batch(rules, rows, unknown="column")
        assert schema.encode_batch(rules, batch).to_pylist() == rows, rules
        found += batch.unknown_rows
        with contextlib.suppress(roadwire.Error):
            schema.decode_batch(rules, rows, unknown="refuse")
            assert batch.unknown_rows == 0, rules
        # JER has the same parts, whose octets it shows.
        texts = [row and schema.convert(row, rules, "jer") for row in rows]
        shown = schema.decode_batch("jer", texts, unknown="column")
        assert schema.encode_batch("jer", shown).to_pylist() == texts, rules
        assert shown.unknown_rows == batch.unknown_rows
    assert found >= 4


def test_content_of_open_types_has_unknown_parts() -> None:
    text = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    C ::= CLASS { &id INTEGER (0..9) UNIQUE, &Type } WITH SYNTAX { &id &Type }
    Set C ::= { {0 A} | {1 A} | {2 BOOLEAN} }
    A ::= SEQUENCE { a BOOLEAN, ... }
    T ::= SEQUENCE { id C.&id ({Set}), value C.&Type ({Set}{@id}) } END"""
    old = roadwire.compile(text=text, type="T")
    new = roadwire.compile(text=text.replace("a BOOLEAN, ...", "a BOOLEAN, ..., b BOOLEAN"), type="T")
    for rules in ("uper", "oer", "der", "xer"):
        octets = [new.encode(rules, {"id": id, "value": {"a": True, "b": False}}) for id in (0, 1)]
        batch = old.decode_batch(rules, octets, unknown="column")
        assert entries(batch) == [[("value.A", 0)], [("value.A-2", 0)]]
        assert old.encode_batch(rules, batch).to_pylist() == octets


def test_what_is_left_out_is_counted(old: roadwire.Schema, new: roadwire.Schema) -> None:
    octets = [*(old.encode("uper", value) for value in PLAIN), *later(old, new, "uper", LATER)]
    batch = old.decode_batch("uper", [*octets, None])
    assert batch.unknown_rows == 4 and "_unknown" not in batch.schema.names
    assert repr(batch) == "<roadwire.RecordBatch: 7 rows, 6 columns, unknown additions in 4>"
    assert pa.table(pa.record_batch(batch)).schema.metadata == {b"asn1.unknown_rows": b"4"}
    plain = old.decode_batch("uper", octets[:2])
    assert plain.unknown_rows == 0 and pa.record_batch(plain).schema.metadata is None
    # Those of columns that nobody asked for count, too.
    assert old.decode_batch("uper", octets, columns=["x"]).unknown_rows == 4


def test_messages_with_unknown_additions_are_refused(old: roadwire.Schema, new: roadwire.Schema) -> None:
    octets = [*(old.encode("uper", value) for value in PLAIN), *later(old, new, "uper", LATER[2:3])]
    with pytest.raises(roadwire.Error) as found:
        old.decode_batch("uper", octets, unknown="refuse")
    assert (found.value.code, found.value.path, found.value.row) == ("additions.unknown", "kind.deep.kind", 2)
    made = pa.record_batch(old.decode_batch("uper", octets, unknown="refuse", errors="column"))
    assert [row and row["code"] for row in made.column("_error").to_pylist()] == [None, None, "additions.unknown"]
    with pytest.raises(ValueError, match="'drop', 'refuse' or 'column'"):
        old.decode_batch("uper", octets, unknown="raise")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'drop', 'refuse' or 'column'"):
        old.arrow_schema(unknown="null")  # type: ignore[arg-type]


def test_errors_and_unknown_additions_each_have_a_column(old: roadwire.Schema, new: roadwire.Schema) -> None:
    octets = later(old, new, "uper", LATER)
    batch = old.decode_batch("uper", [octets[0], b"", None, octets[1]], errors="column", unknown="column")
    assert batch.schema.names[-2:] == ["_error", "_unknown"]
    assert batch.schema.names == old.arrow_schema(errors="column", unknown="column").names
    assert [row is None for row in entries(batch)] == [False, True, True, False]
    assert old.encode_batch("uper", batch).to_pylist() == [octets[0], None, None, octets[1]]


def test_a_row_that_has_no_place_in_the_columns_has_no_additions() -> None:
    text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { i INTEGER, ... } END"
    old = roadwire.compile(text=text)
    new = roadwire.compile(text=text.replace("...", "..., y BOOLEAN"))
    octets = [new.encode("uper", {"i": i, "y": True}) for i in (2**80, 5)]
    batch = old.decode_batch("uper", octets, errors="null", unknown="column")
    assert entries(batch) == [None, [("", 0)]] and batch.unknown_rows == 1


def test_octets_of_other_rules_are_refused(old: roadwire.Schema, new: roadwire.Schema) -> None:
    octets = later(old, new, "uper", LATER[1:2])
    batch = old.decode_batch("uper", octets, unknown="column")
    for rules in ("aper", "der", "oer", "cbor"):
        with pytest.raises(roadwire.Error) as found:
            old.encode_batch(rules, batch)
        assert (found.value.code, found.value.row) == ("additions.foreign", 0)
    assert old.encode_batch("jer", batch).to_pylist() == [old.convert(octets[0], "uper", "jer")]
    ber = old.decode_batch("ber", later(old, new, "ber", LATER[1:2]), unknown="column")
    assert old.encode_batch("der", ber).to_pylist() == later(old, new, "der", LATER[1:2])


ENTRY: dict[str, Any] = {"path": "", "index": 1, "octets": b"\x00", "rules": "uper"}


@pytest.mark.parametrize(
    ("wrong", "code", "path"),
    [
        ([{"path": "nothing"}], "columns.addition", "_unknown[0].path"),
        ([{}, {"path": "x"}], "columns.addition", "_unknown[1].path"),
        ([{"path": "kind.flag"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "inner"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "list"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "list[1]"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "list[99999999999999999999]"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "list.[0]"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "list[0"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "list[+0]"}], "columns.addition", "_unknown[0].path"),
        ([{"path": "."}], "columns.addition", "_unknown[0].path"),
        ([{"path": "kind."}], "columns.addition", "_unknown[0].path"),
        ([{"path": "a" * 100_000}], "columns.addition", "_unknown[0].path"),
        ([{"path": ".a" * 100_000}], "columns.addition", "_unknown[0].path"),
        ([{"path": "a" + ".a" * 100_000}], "columns.addition", "_unknown[0].path"),
        ([{"path": "[0]" * 100_000}], "columns.addition", "_unknown[0].path"),
        ([{"path": "kind"}], "columns.choice", "kind"),
        ([{"path": "list[0]", "index": 3}], "columns.choice", "list[0]"),
        ([{"index": 0}], "columns.addition", ""),
        ([{"path": "parts[0]", "index": 0}], "columns.addition", "parts[0]"),
        ([{}, {}], "columns.addition", ""),
        ([{"index": -1}], "columns.addition", "_unknown[0].index"),
        ([{}, {"index": 2**32}], "columns.addition", "_unknown[1].index"),
        ([{"index": None}], "columns.absent", "_unknown[0].index"),
        ([{}, {"octets": None}], "columns.absent", "_unknown[1].octets"),
        ([None], "columns.absent", "_unknown[0]"),
        ([{"rules": "morse"}], "rules.unknown", "_unknown[0].rules"),
        ([{"rules": "der"}], "additions.foreign", ""),
        ([{}, {"index": 2, "rules": "aper"}], "additions.foreign", ""),
        ([{"path": 5}], "columns.type", "_unknown.item.path"),
        ([{"index": "1"}], "columns.type", "_unknown.item.index"),
        ([{"octets": "00"}], "columns.type", "_unknown.item.octets"),
        ([{"other": 1}], "columns.unknown", "_unknown.item"),
        ("text", "columns.type", "_unknown"),
        (5, "columns.type", "_unknown"),
        ([5], "columns.type", "_unknown.item"),
    ],
)
def test_wrong_entries_are_told(old: roadwire.Schema, wrong: Any, code: str, path: str) -> None:
    octets = old.encode("uper", {"kind": {"flag": True}, "list": [{"flag": True}], "parts": [{"n": 1}]})
    [row] = pa.record_batch(old.decode_batch("uper", [octets])).to_pylist()
    if isinstance(wrong, list):
        wrong = [{**ENTRY, **one} if isinstance(one, dict) else one for one in wrong]
    if wrong == [None]:
        wrong = pa.array([wrong], pa.list_(pa.struct([(name, pa.array([ENTRY[name]]).type) for name in ENTRY])))
        table = pa.Table.from_pylist([row]).append_column("_unknown", wrong)
    else:
        table = pa.Table.from_pylist([{**row, "_unknown": wrong}])
    with pytest.raises(roadwire.Error) as found:
        old.encode_batch("uper", table)
    assert (found.value.code, found.value.path) == (code, path), found.value
    assert len(str(found.value)) < 500


def test_entries_without_a_part_are_told(old: roadwire.Schema) -> None:
    [row] = pa.record_batch(old.decode_batch("uper", [old.encode("uper", PLAIN[0])])).to_pylist()
    for name in ENTRY:
        entry = {key: value for key, value in ENTRY.items() if key != name}
        with pytest.raises(roadwire.Error) as found:
            old.encode_batch("uper", pa.Table.from_pylist([{**row, "_unknown": [entry]}]))
        assert (found.value.code, found.value.path) == ("columns.absent", f"_unknown.item.{name}")


@pytest.mark.parametrize("rules", RULES)
def test_indexes_of_any_size_are_written_or_refused(old: roadwire.Schema, rules: str) -> None:
    [row] = pa.record_batch(old.decode_batch(rules, [old.encode(rules, PLAIN[0])])).to_pylist()
    for path, index in (("", 2**32 - 1), ("", 2**31), ("", 70_000), ("inner", 2**32 - 1)):
        entry = {**ENTRY, "path": path, "index": index, "rules": rules}
        table = pa.Table.from_pylist([{**row, "inner": {"a": None}, "_unknown": [entry]}])
        try:
            [made] = old.encode_batch(rules, table).to_pylist()
        except roadwire.Error:
            continue
        assert made is not None and len(made) < 100


def test_columns_without_entries_change_nothing() -> None:
    cam = roadwire.schema("cam-1.4.1")
    batch = pa.record_batch(cam.decode_batch("uper", [CAM, None, CAM], unknown="column"))
    assert batch.column("_unknown").null_count == 3
    kind = batch.schema.field("_unknown").type
    plain = batch.drop_columns(["_unknown"])
    empties = [
        pa.nulls(3),
        pa.nulls(3, kind),
        pa.array([[], [], []], kind),
        pa.array([[], None, []], pa.list_(pa.null())),
        pa.array([[], [], None], pa.large_list(kind.value_type)),
        pa.nulls(3, pa.list_(kind.value_type, 1)),
        pa.array([[], None, []], kind).slice(0),
    ]
    for empty in empties:
        columns = plain.append_column("_unknown", empty)
        assert cam.encode_batch("uper", columns).to_pylist() == [CAM, None, CAM]


def test_arrays_of_other_kinds_are_taken(old: roadwire.Schema, new: roadwire.Schema) -> None:
    octets = later(old, new, "uper", LATER)
    batch = pa.record_batch(old.decode_batch("uper", octets, unknown="column"))
    column, plain = batch.column("_unknown"), batch.drop_columns(["_unknown"])
    struct = column.type.value_type
    wide = pa.struct(
        [
            pa.field("path", pa.large_string()),
            pa.field("index", pa.int64()),
            pa.field("octets", pa.large_binary()),
            pa.field("rules", pa.string()),
        ]
    )
    dictionary = pa.StructArray.from_arrays(
        [
            column.values.field(at).dictionary_encode() if name != "octets" else column.values.field(at)
            for at, name in enumerate(struct.names)
        ],
        names=struct.names,
    )
    others = [
        column.cast(pa.large_list(struct)),
        column.cast(pa.list_(wide)),
        pa.ListArray.from_arrays(column.offsets, dictionary),
        pa.concat_arrays([column, column]).slice(len(column)),
    ]
    for other in others:
        assert old.encode_batch("uper", plain.append_column("_unknown", other)).to_pylist() == octets


KINDS: st.SearchStrategy[dict[str, Any]] = st.deferred(
    lambda: st.one_of(
        st.booleans().map(lambda value: {"flag": value}),
        st.integers().map(lambda value: {"later": {"c": value}}),
        st.just({"last": None}),
        st.sampled_from([{"none": None}, {"some": True}]).map(lambda kind: {"deep": {"kind": kind}}),
    )
)
PARTS = st.fixed_dictionaries({"n": st.integers(0, 9)}, optional={"i": st.text(max_size=3), "k": st.none()})
VALUES = st.fixed_dictionaries(
    {"kind": KINDS, "y": st.binary(max_size=200)},
    optional={
        "inner": st.fixed_dictionaries({}, optional={"a": st.booleans(), "y": st.integers(0, 999)}),
        "list": st.lists(KINDS, max_size=4),
        "parts": st.lists(PARTS, max_size=3),
        "x": st.booleans(),
        "z": KINDS,
    },
)


@given(values=st.lists(VALUES, max_size=5), rules=st.sampled_from(["uper", "aper", "coer", "der", "cbor"]))
@settings(max_examples=100, deadline=None)
def test_any_message_of_a_later_version_comes_back(
    old: roadwire.Schema, new: roadwire.Schema, values: list[dict[str, Any]], rules: str
) -> None:
    octets = [new.encode(rules, value) for value in values]
    batch = old.decode_batch(rules, octets, unknown="column")
    assert old.encode_batch(rules, batch).to_pylist() == octets
    assert batch.unknown_rows == len(octets)
    empty = pa.record_batch(batch).drop_columns(["_unknown"])
    assert empty.schema.equals(pa.schema(old.arrow_schema()))
