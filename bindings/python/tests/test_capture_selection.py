"""Rows and columns of a recording that are asked for: the same words in `read_capture`, the sources of Spark and Ray, and the
command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import roadwire
from roadwire._sources import Source
from support import CAM, SHARED
from test_captures import packet, recording
from test_partitions import table

# A CAM on its port, one that breaks off, no packet, and a CAM that is guessed on the port of DENM.
FRAMES = [packet(CAM), packet(CAM[:9]), b"\x00" * 20, packet(CAM, 2002)]
LATITUDE = "cam.camParameters.basicContainer.referencePosition.latitude"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recording(tmp_path_factory.mktemp("selection"), FRAMES * 3)


def read(file: Path, **options: Any) -> pa.Table:
    found = pa.table(roadwire.read_capture(file, **options))
    found.validate(full=True)
    # A source has the same rows for the same options.
    options = {("fields_of_message" if name == "fields" else name): value for name, value in options.items()}
    lists: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    assert table(Source((str(file),), **lists)).equals(found)
    return found


def test_columns_come_in_the_order_they_are_named(file: Path) -> None:
    whole = read(file)
    for columns in (["frame"], ["message", "file"], ["problem", "geonetworking", "frame"], whole.column_names):
        assert read(file, columns=columns).equals(whole.select(columns)), columns
    for wrong, why in ((["frmae"], "did you mean `frame`"), (["frame", "frame"], "each once"), ([], "each once")):
        with pytest.raises(ValueError, match=why):
            roadwire.read_capture(file, columns=wrong)
    with pytest.raises(TypeError):
        roadwire.read_capture(file, columns="frame")


def test_messages_have_their_values(file: Path) -> None:
    whole = read(file)
    cams = whole.filter(pc.equal(pc.struct_field(whole["message"], "schema"), "cam-1.4.1"))
    assert cams.num_rows == 6
    for fields in (None, ["header.stationID", LATITUDE]):
        found = read(file, message="cam-1.4.1", fields=fields)
        values = roadwire.schema("cam-1.4.1").decode_batch("uper", [CAM] * 6, fields)
        assert found.select(whole.column_names).equals(cams)
        assert found.drop_columns(whole.column_names).to_pylist() == pa.table(values).to_pylist()
    some = read(file, message="cam-1.4.1", fields=["header.stationID"], columns=["frame"])
    assert some.to_pylist()[:2] == [{"frame": frame, "header": {"stationID": 2228980240}} for frame in (1, 4)]
    assert read(file, message="denm-1.3.1", errors="column").num_rows == 0
    assert "_error" in read(file, message="cam-1.4.1", errors="column").column_names
    for wrong in ({"message": "cam-1.4.1", "fields": ["header.other"]}, {"message": "cam-0"}, {"message": "certificate"}):
        with pytest.raises(roadwire.Error):
            roadwire.read_capture(file, **wrong)
    with pytest.raises(ValueError, match="fields are those of a message"):
        roadwire.read_capture(file, fields=["header"])
    with pytest.raises(TypeError, match="feilds"):
        roadwire.read_capture(file, feilds=["header"])  # type: ignore[call-arg]


EXPRESSIONS = [
    "frame > 3 && !problem",
    "problem.code == input.truncated",
    "message.schema == cam-1.4.1",
    "message.type == CAM && btp.port == 2002",
    f"message.value.{LATITUDE} == 491711500",
    "message.value.header.messageID == denm || !message",
    "geonetworking.source.latitude > 0 && message.octets != 00",
]


@pytest.mark.parametrize("where", EXPRESSIONS)
def test_where_has_the_rows_of_the_command(file: Path, where: str) -> None:
    command = [sys.executable, "-m", "roadwire", "capture", str(file), "--where", where]
    records = [json.loads(line) for line in subprocess.run(command, capture_output=True, check=True).stdout.splitlines()]
    found = read(file, where=where)
    assert found["frame"].to_pylist() == [record["frame"] for record in records] != []
    whole = read(file)
    assert found.equals(whole.filter(pc.is_in(whole["frame"], found["frame"].combine_chunks())))
    assert read(file, where=where, columns=["frame"]).equals(found.select(["frame"]))


@pytest.mark.parametrize("schema", ["cam-1.4.1", "denm-1.3.1"])
def test_where_knows_the_schema_that_a_record_has(schema: str) -> None:
    for file in sorted((SHARED / "captures").glob("*.pcap*")):
        whole = read(file, columns=["frame", "message"])
        wanted = whole.filter(pc.equal(pc.struct_field(whole["message"], "schema"), schema))["frame"]
        assert read(file, columns=["frame"], where=f"message.schema == '{schema}'")["frame"].equals(wanted)
        assert read(file, columns=["frame"], where=f"message.value && message.schema == {schema}").num_rows == len(wanted)
        assert read(file, columns=["frame"], message=schema).num_rows == len(wanted)


def test_an_expression_without_sense_is_refused(file: Path) -> None:
    cases = {
        "btp.prot == 1": ("where.field", r"where:1: no record has a field `btp.prot`; did you mean `btp.port`"),
        "frame =": ("where.syntax", "where:7"),
        "security.verdict == valid": ("where.kind", "verified; add verify"),
        "message.schema == cam-1.4": ("where.kind", "did you mean"),
    }
    for where, (code, text) in cases.items():
        for refuse in (lambda where: roadwire.read_capture(file, where=where), lambda where: Source(("a",), where=where)):
            with pytest.raises(roadwire.Error, match=text) as refused:
                refuse(where)
            assert refused.value.code == code
    assert pa.table(roadwire.read_capture(file, verify=True, where="security.verdict == valid")).num_rows == 0


def test_selections_hold_for_parts_and_jobs(tmp_path: Path) -> None:
    file = recording(tmp_path, FRAMES * 3000)
    options: dict[str, Any] = {"message": "cam-1.4.1", "fields": ["header"], "where": "btp.port == 2001", "columns": ["frame"]}
    whole = pa.table(roadwire.read_capture(file, **options)).combine_chunks()
    assert whole["frame"].to_pylist() == list(range(1, 12_000, 4))
    assert pa.table(roadwire.read_capture(file, jobs=3, **options)).equals(whole)
    parts = roadwire.capture_parts(file, 1 << 18)
    assert len(parts) > 2
    assert pa.concat_tables(pa.table(roadwire.read_capture(file, part=part, **options)) for part in parts).equals(whole)
