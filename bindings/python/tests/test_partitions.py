"""What Spark and Ray share: files, partitions, lines, and columns of a batch decoded beside its others."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import roadwire
from roadwire._distributed import Decoder, Encoder, SchemaDescription
from roadwire._files import find_files, is_capture
from roadwire._lines import MOST
from roadwire._sources import Source, Verification, capture_fields
from support import CAM, SHARED
from test_captures import packet, recording
from test_encode_batch import DEMO, VALUE


def table(source: Source) -> pa.Table:
    """The rows of all partitions, which come by pickle as they come to a worker."""
    partitions = pickle.loads(pickle.dumps(source.partitions()))
    batches = [batch for partition in partitions for batch in source.read(partition)]
    return pa.Table.from_batches(batches, source.fields())


def test_files_are_named_by_patterns_and_folders(tmp_path: Path) -> None:
    for name in (
        "b.pcap",
        "a.pcapng",
        "c.pcap.gz",
        "notes.txt",
        ".hidden.pcap",
        "_part.pcap",
        "below/d.PCAP",
        "_temporary/e.pcap",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    def names(*paths: str) -> list[str]:
        return [str(Path(file).relative_to(tmp_path)) for file in find_files(paths, is_capture)]

    assert names(str(tmp_path)) == ["a.pcapng", "b.pcap", "c.pcap.gz", "below/d.PCAP"]
    assert names(f"{tmp_path}/[b-c]*.pcap") == ["b.pcap"]
    assert names(f"{tmp_path}/**/*.PCAP") == ["below/d.PCAP"]
    # What is named is taken, whatever its name, and once.
    assert names(
        f"{tmp_path}/notes.txt", str(tmp_path / "b.pcap"), f"file:{tmp_path}/b.pcap", f"file://{tmp_path}/b.pcap"
    ) == [
        "notes.txt",
        "b.pcap",
    ]
    with pytest.raises(FileNotFoundError, match="nothing"):
        names(f"{tmp_path}/nothing*")


def test_a_name_with_signs_of_patterns_is_a_name(tmp_path: Path) -> None:
    file = tmp_path / "a[1].pcap"
    file.touch()
    assert find_files([str(file)], bool) == [str(file)]


def test_recordings_have_their_rows(tmp_path: Path) -> None:
    file = recording(tmp_path, [packet(CAM), packet(CAM[:9])] * 50)
    whole = pa.table(roadwire.read_capture(file))
    assert whole.schema == capture_fields()
    assert table(Source((str(file),))).equals(whole)
    some = table(Source((str(file),), columns=("frame", "message")))
    assert some.equals(whole.select(["frame", "message"]))


@pytest.mark.parametrize("octets", [1, 500_000, 1 << 30])
def test_recordings_have_the_same_rows_in_any_parts(tmp_path: Path, octets: int) -> None:
    file = recording(tmp_path, [packet(CAM), packet(CAM[:9]), b"no packet"] * 5000)
    source = Source((str(file),), octets=octets)
    assert table(source).equals(pa.table(roadwire.read_capture(file)))
    # Files are cut between blocks of 512 frames or 32 KiB.
    assert len(source.partitions()) == {1: 30, 500_000: 2, 1 << 30: 1}[octets]
    # Who signed is known from the frames before.
    assert len(Source((str(file),), octets=octets, verification=Verification(verify=True)).partitions()) == 1
    assert len(Source((str(file),), octets=octets, verification=Verification(trust=())).partitions()) == 1
    packed = tmp_path / "packed.pcap.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert len(Source((str(packed),), octets=octets).partitions()) == 1
    assert table(Source((str(packed),), octets=octets)).num_rows == 15000


def test_recorded_traffic_has_the_same_rows_in_any_parts() -> None:
    files = sorted((SHARED / "captures").glob("*.pcap*"))
    if not files:
        pytest.skip("there are no recordings here")
    whole = pa.concat_tables(pa.table(roadwire.read_capture(file)) for file in files)
    found = table(Source(tuple(map(str, files)), octets=5000))
    assert found.equals(whole)
    cams = table(Source(tuple(map(str, files)), octets=5000, columns=("frame",), message="cam-1.4.1"))
    assert cams.equals(table(Source(tuple(map(str, files)), columns=("frame",), message="cam-1.4.1")))


def test_files_that_are_no_recordings_are_told(tmp_path: Path) -> None:
    for content in (b"", b"no recording at all, but some text"):
        file = tmp_path / "a.pcap"
        file.write_bytes(content)
        for octets in (1, 1 << 20):
            with pytest.raises(roadwire.Error, match="a.pcap"):
                table(Source((str(file),), octets=octets))


def test_messages_of_a_schema_have_their_values(tmp_path: Path) -> None:
    file = recording(tmp_path, [packet(CAM), packet(CAM[:9]), packet(b""), packet(CAM)])
    frames = Source((str(file),), columns=("file", "frame"), message="cam-1.4.1")
    value = roadwire.schema("cam-1.4.1").decode_batch("uper", [CAM])
    found = table(frames)
    assert found.select(["file", "frame"]).to_pylist() == [{"file": str(file), "frame": frame} for frame in (1, 4)]
    assert found.drop_columns(["file", "frame"]).to_pylist() == pa.table(value).to_pylist() * 2
    some = Source((str(file),), columns=("frame",), message="cam-1.4.1", fields_of_message=("header.stationID",))
    assert table(some).to_pylist() == [{"frame": frame, "header": {"stationID": 2228980240}} for frame in (1, 4)]
    assert table(Source((str(file),), message="denm-1.3.1", errors="column")).num_rows == 0


def test_wrong_sources_are_refused(tmp_path: Path) -> None:
    wrong: list[dict[str, Any]] = [
        {"paths": ()},
        {"lines": "morse"},
        {"lines": "hex", "verification": Verification(verify=True)},
        {"lines": "hex", "verification": Verification(trust=())},
        {"columns": ("frame", "other")},
        {"columns": ("frame", "frame")},
        {"columns": ()},
        {"octets": 0},
        {"fields_of_message": ("header",)},
        {"lines": "hex", "message": "cam-1.4.1"},
        {"lines": "hex", "where": "frame == 1"},
        {"message": "cam-1.4.1", "errors": "other"},
    ]
    for arguments in wrong:
        with pytest.raises(ValueError):
            Source(**{"paths": ("a",), **arguments})


@pytest.mark.parametrize("octets", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_the_same_in_any_parts(tmp_path: Path, octets: int, packed: bool) -> None:
    text = b"0202\n\n  02 03 \r\n" + CAM.hex().encode() + b"\nxyz\n0\n \n" + b"ff" * 40 + b"\n\xff\n0102"
    file = tmp_path / "lines.txt"
    file.write_bytes(gzip.compress(text) if packed else text)
    rows = table(Source((str(file),), lines="hex", octets=octets)).to_pylist()
    lines = {row["offset"]: row["octets"] for row in rows}
    assert lines == {
        0: b"\x02\x02",
        6: b"\x02\x03",
        16: CAM,
        text.index(b"xyz"): None,
        text.index(b"\n0\n") + 1: None,
        text.index(b"ff" * 40): b"\xff" * 40,
        text.index(b"\xff"): None,
        len(text) - 4: b"\x01\x02",
    }
    assert len(rows) == len(lines) and [row["offset"] for row in rows] == sorted(lines)
    assert [row["problem"]["code"] for row in rows if row["octets"] is None] == ["input.hex"] * 3
    assert all(row["problem"] is None for row in rows if row["octets"] is not None)


def test_lines_of_base64(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("AgI=\nAgI\n!\n")
    rows = table(Source((str(tmp_path),), lines="base64")).to_pylist()
    assert [row["octets"] for row in rows] == [b"\x02\x02", None, None]
    assert rows[1]["problem"]["code"] == "input.base64"


def test_a_line_without_an_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"0" * (MOST + 5) + b"\n0202\n")
    rows = table(Source((str(file),), lines="hex")).to_pylist()
    assert [row["octets"] for row in rows] == [None, b"\x02\x02"]
    assert rows[0]["problem"]["code"] == "input.size" and rows[1]["offset"] == MOST + 6


def test_a_schema_is_made_once_in_a_process() -> None:
    for schema in (
        "cam-1.4.1",
        roadwire.schema("cam-1.4.1"),
        roadwire.compile(text=DEMO),
        {"text": DEMO, "type": "Report"},
    ):
        description = SchemaDescription.of(schema)
        again = pickle.loads(pickle.dumps(description))
        assert again == description and again.schema() is description.schema()
    assert SchemaDescription.of({"text": DEMO, "type": "Report"}).main == "Demo.Report"
    # Text of the modules is what is sent: a shipped schema is known by its name.
    assert len(pickle.dumps(SchemaDescription.of(roadwire.schema("cam-1.4.1")))) < 500
    with pytest.raises(roadwire.Error):
        SchemaDescription.of("cam-0")
    with pytest.raises(TypeError):
        SchemaDescription.of(5)  # type: ignore[arg-type]


def decoder(errors: Any = "raise", columns: tuple[str, ...] | None = None) -> Decoder:
    return Decoder(SchemaDescription.of("cam-1.4.1"), "octets", "uper", columns, errors, None)


def encoder(errors: Any = "raise") -> Encoder:
    return Encoder(SchemaDescription.of("cam-1.4.1"), "octets", "uper", errors, None)


@pytest.mark.parametrize("of", [pa.RecordBatch, pa.Table])
def test_values_stand_beside_other_columns(of: Any) -> None:
    batch = of.from_pydict({"a": [1, 2, 3], "octets": [CAM, None, CAM], "b": ["x", "y", None]})
    made = decoder()(batch)
    assert isinstance(made, of) and made.column_names == ["a", "b", "header", "cam"]
    assert decoder().check(batch.column_names) == ["a", "b"]
    value = pa.table(roadwire.schema("cam-1.4.1").decode_batch("uper", [CAM, None, CAM]))
    assert pa.table(made).select(["header", "cam"]).equals(value)
    back = encoder()(made)
    assert isinstance(back, of) and back.to_pydict() == {
        "a": [1, 2, 3],
        "b": ["x", "y", None],
        "octets": [CAM, None, CAM],
    }


def test_errors_of_rows() -> None:
    batch = pa.RecordBatch.from_pydict({"file": ["a", "b"], "frame": [7, 8], "octets": [CAM, CAM[:9]]})
    with pytest.raises(roadwire.Error, match="in the row with file='b', frame='8'") as refused:
        decoder()(batch)
    assert refused.value.code == "input.truncated"
    assert decoder("null")(batch).to_pylist()[1] == {"file": "b", "frame": 8, "header": None, "cam": None}
    found = decoder("column")(batch)
    assert found.schema.names == ["file", "frame", *decoder("column").fields().names]
    assert [error and error["code"] for error in found.column("_error").to_pylist()] == [None, "input.truncated"]


@pytest.mark.parametrize("wrong", [(), (0,), (3,), (1, 2), (0, 1, 2, 3), (0, 3)])
def test_errors_of_encoding(wrong: tuple[int, ...]) -> None:
    rows = pa.record_batch(roadwire.schema("cam-1.4.1").decode_batch("uper", [CAM] * 4)).to_pylist()
    for row in wrong:
        rows[row]["header"]["stationID"] = 1 << 40
    batch = pa.Table.from_pylist([{"n": n, **row} for n, row in enumerate(rows)])
    wanted = [None if row in wrong else CAM for row in range(4)]
    assert encoder("null")(batch).column("octets").to_pylist() == wanted
    found = encoder("column")(batch)
    assert found.column("octets").to_pylist() == wanted
    codes = [error and error["code"] for error in found.column("_error").to_pylist()]
    assert codes == ["integer.range" if row in wrong else None for row in range(4)]
    if wrong:
        with pytest.raises(roadwire.Error, match=f"n='{wrong[0]}'"):
            encoder()(batch)


def test_what_does_not_fit_together_is_told_before_workers_are_asked() -> None:
    for names in (["a"], ["octets", "octets"], ["octets", "cam"], ["octets", "a", "a"]):
        with pytest.raises(ValueError):
            decoder().check(names)
    for names in (["a"], ["header", "header"], ["header", "octets"]):
        with pytest.raises(ValueError):
            encoder().check(names)
    with pytest.raises(ValueError, match="errors"):
        encoder("other").check(["header", "cam"])
    with pytest.raises(ValueError, match="errors"):
        decoder("other").fields()
    with pytest.raises(roadwire.Error):
        decoder(columns=("header.other",)).fields()


def test_own_modules_and_all_kinds_of_columns() -> None:
    demo = roadwire.compile(text=DEMO)
    octets = demo.encode("uper", VALUE)
    there = Decoder(SchemaDescription.of(demo), "o", "uper", None, "raise", None)
    back = Encoder(SchemaDescription.of(demo), "o", "uper", "raise", None)
    assert back(pickle.loads(pickle.dumps(there))(pa.table({"o": [octets, None]}))).column("o").to_pylist() == [
        octets,
        None,
    ]


def test_columns_of_a_decoder_are_made_once() -> None:
    one, other = (Decoder(SchemaDescription.of("cam-1.4.1"), "octets", "uper", ("header",), "raise", None) for _ in "ab")
    assert one.fields() is other.fields() and one.fields().names == ["header"]
    for _ in range(2):
        with pytest.raises(roadwire.Error):
            Decoder(SchemaDescription.of("cam-1.4.1"), "octets", "morse", None, "raise", None).fields()
