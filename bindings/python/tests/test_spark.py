"""Spark, started on this machine: the data source, and columns of messages in workers."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import roadwire
from support import CAM, SHARED, shipped_vectors, write_capture
from test_captures import chains, optional, packet, recording, shared_chain, verdicts_of
from test_docs import engines_section
from test_encode_batch import DEMO, VALUE

OCTETS = roadwire.compile(text=DEMO).encode("uper", VALUE)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two recordings."""
    folder = tmp_path_factory.mktemp("recordings")
    for name, frames in (("a", [packet(CAM), packet(CAM[:9])] * 40), ("b", [packet(CAM)] * 20)):
        recording(folder, frames).rename(folder / f"{name}.pcap")
    return folder


def read(spark: Any, path: Any, **options: str) -> Any:
    import roadwire.spark

    roadwire.spark.register(spark)
    return spark.read.format("roadwire").options(**options).load(path)


def sorted_rows(table: pa.Table, *keys: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.sort_by([(key, "ascending") for key in keys]).to_pylist()
    return rows


def core(*files: Path) -> pa.Table:
    """The frames of recordings as `read_capture` has them, with times as Spark has them."""
    table = pa.concat_tables(pa.table(roadwire.read_capture(file)) for file in files)
    at = table.schema.get_field_index("time")
    return table.set_column(at, "time", table["time"].cast(pa.timestamp("us", "UTC"), safe=False))


def test_recordings_are_rows(spark: Any, recordings: Path) -> None:
    wanted = core(recordings / "a.pcap", recordings / "b.pcap").to_pylist()
    one, other = str(recordings / "a.pcap"), str(recordings / "b.pcap")
    for path in (str(recordings), f"{recordings}/*.pcap", [one, other], [f"file:{one}", other]):
        frames = read(spark, path)
        assert sorted_rows(frames.toArrow(), "file", "frame") == wanted
    assert frames.rdd.getNumPartitions() == 2
    # Rows of a partition are in order.
    assert read(spark, one).toArrow()["frame"].to_pylist() == list(range(1, 81))
    some = read(spark, one, columns="frame, link")
    assert some.columns == ["frame", "link"] and some.count() == 80


def test_blocks_of_a_recording_are_partitions(spark: Any, tmp_path: Path) -> None:
    file = recording(tmp_path, [packet(CAM), packet(CAM[:9])] * 5000)
    blocks = read(spark, str(file), partOctets="1", columns="file,frame,time,message")
    assert blocks.rdd.getNumPartitions() == 23
    assert sorted_rows(blocks.toArrow(), "file", "frame") == core(file).select(blocks.columns).to_pylist()


def test_verdicts_are_those_of_the_file_as_a_whole(spark: Any) -> None:
    file = SHARED / "captures/karloss_test.pcap"
    if not file.exists():
        pytest.skip("there are no recordings here")
    frames = read(spark, str(file), verify="true", partOctets="1000")
    assert frames.rdd.getNumPartitions() == 1
    found = [row.verdict for row in frames.orderBy("frame").select("security.verdict").collect()]
    table = pa.table(roadwire.read_capture(file, verify=True))
    assert found == pa.compute.struct_field(table["security"], "verdict").to_pylist() and "signed" in found


def test_verdicts_are_those_of_read_capture(spark: Any, tmp_path: Path) -> None:
    file, trusted = chains(tmp_path)
    cases: list[tuple[Path, list[str]]] = [(file, trust) for trust in trusted.values()]
    cases += [found for found in [shared_chain()] if found is not None]
    for of, trust in cases:
        frames = read(spark, str(of), trust=", ".join(trust), partOctets="1").orderBy("frame")
        assert verdicts_of(frames.toArrow()) == verdicts_of(pa.table(roadwire.read_capture(of, trust=trust)))
    frames = read(spark, str(file), verify="true").orderBy("frame")
    assert verdicts_of(frames.toArrow()) == verdicts_of(pa.table(roadwire.read_capture(file, verify=True)))


def test_options_of_verification_are_those_of_read_capture(spark: Any, tmp_path: Path) -> None:
    file, cases = optional(tmp_path)
    for options, verdicts in cases:
        texts = {name: value if isinstance(value, str) else ", ".join(value) for name, value in options.items()}
        frames = read(spark, str(file), partOctets="1", **texts).orderBy("frame")
        assert verdicts_of(frames.toArrow()) == verdicts, options


def test_lines_are_rows(spark: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("\n".join([CAM.hex(), "no digits"] * 20))
    lines = read(spark, str(tmp_path), lines="hex", partOctets="100")
    assert lines.rdd.getNumPartitions() == 13
    rows = lines.orderBy("offset").collect()
    assert [row.octets for row in rows] == [CAM, None] * 20
    assert [row.problem and row.problem.code for row in rows] == [None, "input.hex"] * 20


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"verfy": "true"}, "'verfy'; did you mean 'verify'"),
        ({"trust": "nowhere.oer"}, "nowhere.oer"),
        ({"verify": "yes"}, "verify"),
        ({"crl": "nowhere.oer"}, "nowhere.oer"),
        ({"revoke": "0011"}, "HashedId8"),
        ({"profile": "ieee"}, "ieee"),
        ({"lines": "morse"}, "morse"),
        ({"columns": "other"}, "other"),
    ],
)
def test_wrong_options_are_told(spark: Any, recordings: Path, options: dict[str, str], why: str) -> None:
    with pytest.raises(Exception, match=why):
        read(spark, str(recordings), **options)


def test_a_path_of_nothing_is_told(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="there is no file"):
        read(spark, f"{tmp_path}/nothing.pcap").count()
    with pytest.raises(Exception, match="no path"):
        spark.read.format("roadwire").load()


def test_messages_become_columns_and_octets_again(spark: Any, recordings: Path) -> None:
    import roadwire.spark

    frames = (
        read(spark, str(recordings)).where("message.schema = 'cam-1.4.1'").select("file", "frame", "message.octets")
    )
    values = roadwire.spark.decode(frames, "octets", "cam-1.4.1", "uper")
    assert values.columns == ["file", "frame", "header", "cam"]
    wanted = pa.table(roadwire.schema("cam-1.4.1").decode_batch("uper", [CAM] * 60)).to_pylist()
    assert values.select("header", "cam").toArrow().to_pylist() == wanted
    field: Any = values.schema["cam"]
    for name in ("camParameters", "basicContainer", "referencePosition", "latitude"):
        field = field.dataType[name]
    assert (field.metadata["asn1.type"], field.metadata["unit"]) == ("Latitude", "0.1 microdegree")
    again = roadwire.spark.encode(values, "octets", "cam-1.4.1", "uper")
    assert again.columns == ["file", "frame", "octets"]
    assert sorted_rows(again.toArrow(), "file", "frame") == sorted_rows(frames.toArrow(), "file", "frame")
    some = roadwire.spark.decode(frames, "octets", "cam-1.4.1", "uper", columns=["header.stationID"])
    assert [row.asDict(True) for row in some.select("header").distinct().collect()] == [
        {"header": {"stationID": 2228980240}}
    ]


def test_own_modules_and_all_kinds_of_columns(spark: Any) -> None:
    import roadwire.spark

    rows = spark.createDataFrame(
        [(n, octets) for n, octets in enumerate([OCTETS, None] * 5)], "n int, o binary"
    ).repartition(3)
    for schema in (roadwire.compile(text=DEMO), {"text": DEMO, "type": "Demo.Report"}):
        values = roadwire.spark.decode(rows, "o", schema, "uper")
        found = values.orderBy("n").collect()[0].asDict(True)
        assert found.pop("big") == str(10**22) and found["parts"][2]["bits"] == {"value": b"\xa0", "length": 3}
        back = roadwire.spark.encode(values, "o", schema, "uper")
        assert [row.o for row in back.orderBy("n").collect()] == [OCTETS, None] * 5


WIDTHS = """Widths DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Value ::= SEQUENCE { a INTEGER (0..255), b INTEGER (0..65535), c INTEGER (0..4294967295), d INTEGER
    (0..18446744073709551615), e INTEGER (-128..127), f ENUMERATED { x, y }, g OCTET STRING (SIZE (4)), h BIT STRING
    (SIZE (12)), i REAL, j NULL, k BOOLEAN DEFAULT TRUE, l SEQUENCE OF SEQUENCE { m INTEGER (0..18446744073709551615)
OPTIONAL }, n UTF8String } END"""
GREATEST: dict[str, Any] = {
    "a": 255,
    "b": 65535,
    "c": 2**32 - 1,
    "d": 2**64 - 1,
    "e": -128,
    "f": "y",
    "g": b"abcd",
    "h": (b"\xab\xc0", 12),
    "i": 1.5,
    "j": None,
    "k": False,
    "l": [{"m": 2**63}, {}],
    "n": "ä",
}


def test_types_of_spark_hold_all_values(spark: Any) -> None:
    import roadwire.spark

    widths = roadwire.compile(text=WIDTHS)
    octets = widths.encode("uper", GREATEST)
    rows = spark.createDataFrame([(octets,), (octets[:3],)], "o binary")
    values = roadwire.spark.decode(rows, "o", widths, "uper", errors="column")
    kinds = {field.name: field.dataType.simpleString() for field in values.schema}
    assert kinds == {
        "a": "smallint",
        "b": "int",
        "c": "bigint",
        "d": "decimal(20,0)",
        "e": "tinyint",
        "f": "string",
        "g": "binary",
        "h": "binary",
        "i": "double",
        "j": "boolean",
        "k": "boolean",
        "l": "array<struct<m:decimal(20,0)>>",
        "n": "string",
        "_error": "struct<code:string,message:string,bit:decimal(20,0),path:string>",
    }
    good, bad = values.collect()
    wanted = {**GREATEST, "h": b"\xab\xc0", "j": True, "l": [{"m": 2**63}, {"m": None}], "_error": None}
    assert good.asDict(True) == wanted
    assert bad.a is None and bad._error.code == "input.truncated"
    # A column of errors is another column, and kept.
    back = roadwire.spark.encode(values, "o", widths, "uper").collect()
    assert [row.o for row in back] == [octets, None] and back[1]._error.code == "input.truncated"


def test_rows_that_are_refused(spark: Any) -> None:
    import roadwire.spark

    rows = spark.createDataFrame([(1, CAM), (2, CAM[:9])], "n int, o binary")
    with pytest.raises(Exception, match="in the row with n='2'"):
        roadwire.spark.decode(rows, "o", "cam-1.4.1", "uper").collect()
    nulls = roadwire.spark.decode(rows, "o", "cam-1.4.1", "uper", errors="null").orderBy("n").collect()
    assert [row.header is None for row in nulls] == [False, True]
    for wrong in (
        {"column": "other"},
        {"schema": "cam-0"},
        {"rules": "morse"},
        {"columns": ["header.other"]},
        {"errors": "other"},
    ):
        arguments: dict[str, Any] = {"column": "o", "schema": "cam-1.4.1", "rules": "uper", **wrong}
        with pytest.raises((ValueError, roadwire.Error)):
            roadwire.spark.decode(rows, **arguments)


def test_a_worker_that_dies_loses_and_doubles_nothing(spark: Any, recordings: Path, tmp_path: Path) -> None:
    import roadwire.spark

    died = tmp_path / "died"

    def die_once(batches: Any) -> Any:
        for batch in batches:
            yield batch
            if not died.exists():
                died.touch()
                os._exit(1)

    frames = read(spark, str(recordings)).select("file", "frame", "message.octets").where("octets is not null")
    values = roadwire.spark.decode(frames, "octets", "cam-1.4.1", "uper", errors="null")
    found = values.mapInArrow(die_once, values.schema).select("file", "frame", "header.stationID").toArrow()
    assert died.exists()
    wanted = values.select("file", "frame", "header.stationID").toArrow()
    assert sorted_rows(found, "file", "frame") == sorted_rows(wanted, "file", "frame") and found.num_rows == 100


def test_the_job_counts_denms_by_cause_and_hour(spark: Any, tmp_path: Path) -> None:
    from spark_job import denms_by_cause

    vectors = [vector for vector in shipped_vectors("denm-1.3.1") if vector.type == "DENM-PDU-Descriptions.DENM"]
    denm = roadwire.schema("denm-1.3.1")
    value = next(
        value for vector in vectors if "situation" in (value := denm.decode("uper", vector.octets["uper"][0]))["denm"]
    )
    frames = []
    for at, cause in ((10, 3), (3599, 3), (3600, 3), (3601, 91), (7300, 94)):
        value["denm"]["situation"]["eventType"]["causeCode"] = cause
        frames.append((at, packet(denm.encode("uper", value), 2002)))
    file = write_capture(tmp_path / "denms.pcap", [*frames, (1, packet(CAM))])
    found = [(row.hour.hour, row.cause, row.name, row["count"]) for row in denms_by_cause(spark, [str(file)]).collect()]
    assert found == [
        (0, 3, "roadworks", 2),
        (1, 3, "roadworks", 1),
        (1, 91, "vehicleBreakdown", 1),
        (2, 94, "stationaryVehicle", 1),
    ]


def test_examples_of_the_page_run(spark: Any, recordings: Path, tmp_path: Path) -> None:
    text = engines_section().split("### Ray")[0].replace("recordings/*", f"{recordings}/*")
    text = text.replace('"cams"', f'"{tmp_path}/cams"')
    test = doctest.DocTestParser().get_doctest(text, {"spark": spark}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_without_spark_what_is_missing_is_told(tmp_path: Path) -> None:
    for module, package in (("spark", "pyspark"), ("ray", "ray")):
        (tmp_path / package).mkdir(exist_ok=True)
        (tmp_path / package / "__init__.py").write_text("raise ImportError('not here')")
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import roadwire; import roadwire.{module}"
        done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
        assert done.returncode == 1 and f"pip install 'roadwire[{module}]'" in done.stderr.splitlines()[-1]


def test_the_package_needs_no_engine() -> None:
    code = "import sys, roadwire; assert not {'pyspark', 'ray', 'pyarrow'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_times_are_in_microseconds(spark: Any, tmp_path: Path) -> None:
    file = write_capture(tmp_path / "a.pcap", [(5, packet(CAM))], microseconds=250_000)
    row = read(spark, str(file)).toArrow().to_pylist()[0]
    assert row["time"].replace(tzinfo=timezone.utc) == datetime(1970, 1, 1, 0, 0, 5, 250_000, timezone.utc)
