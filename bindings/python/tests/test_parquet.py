"""Parquet that `capture` writes is read by pyarrow, pandas, polars, DuckDB and Spark, and each cell is that of the Arrow table."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import roadwire
from support import SHARED, shipped_vectors, write_capture
from test_captures import packet
from test_command import run

# Of each type of message: the BTP port, the number in the header and the protocol version (TS 103 248, TS 102 894-2). IVIM contains itself,
# so it has no columns.
KINDS = {
    "cam-1.3.0": (2001, 2, 1),
    "cam-1.4.1": (2001, 2, 2),
    "cam-2.3.1": (2001, 2, 2),
    "denm-1.2.0": (2002, 1, 1),
    "denm-1.3.1": (2002, 1, 2),
    "denm-2.3.1": (2002, 1, 2),
    "mapem-2.1.1": (2003, 5, 2),
    "spatem-2.1.1": (2004, 4, 2),
    "srem-2.1.1": (2007, 9, 2),
    "ssem-2.1.1": (2008, 10, 2),
    "cpm-tr-103562": (2009, 14, 1),
    "cpm-2.1.1": (2009, 14, 2),
    "rtcmem-2.1.1": (2013, 13, 2),
    "vam-2.3.1": (2018, 16, 3),
}
# Versions of which all messages are taken for those of another one.
NEWER = {"cam-2.3.1", "denm-2.3.1"}
ROWS = 200
"""Rows of a table that are compared."""


class Table:
    """A table that `capture` wrote in both formats."""

    def __init__(self, name: str, parquet: Path, arrow: Path) -> None:
        self.name = name
        self.parquet = parquet
        self.rows = [plain(row) for row in _arrow(arrow).slice(0, ROWS).to_pylist()]
        """The rows of the Arrow file, with times in microseconds."""


def _arrow(file: Path) -> pa.Table:
    with pa.OSFile(str(file)) as source:
        table = pa.ipc.open_file(source).read_all()
    at = table.schema.get_field_index("time")
    # Nanoseconds are rounded down, as in Parquet.
    return table.set_column(at, "time", table["time"].cast(pa.timestamp("us", "UTC"), safe=False))


def plain(value: Any) -> Any:
    """A value without what libraries differ in: classes of numbers and lists, and how an absent one is shown."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if hasattr(value, "tolist") and not isinstance(value, (bytes, memoryview)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, float) and math.isnan(value):
        return None
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime()
    return value


def recordings(folder: Path) -> Iterator[Path]:
    """All recordings of the shared material; one of all types of messages; and one of made traffic."""
    yield every_type(folder / "types.pcap")
    made = folder / "made.pcap"
    script = Path(__file__).parents[1] / "examples/make_recording.py"
    subprocess.run([sys.executable, str(script), str(made), "--seconds", "20"], check=True)
    yield made
    yield from sorted((SHARED / "captures").glob("*.pcap*"))


def every_type(file: Path) -> Path:
    frames: list[tuple[int, bytes]] = []
    for name, (port, number, version) in KINDS.items():
        schema = roadwire.schema(name)
        for vector in shipped_vectors(name):
            if vector.type != schema.pdus[0] or not vector.octets.get("uper"):
                continue
            value = schema.decode("uper", vector.octets["uper"][0])
            header = value["header"]
            number_name = "messageID" if "messageID" in header else "messageId"
            value["header"] = {**header, number_name: number, "protocolVersion": version}
            octets = schema.encode("uper", value)
            if len(octets) < 1400:
                frames.append((len(frames), packet(octets, port)))
    return write_capture(file, frames, microseconds=123_456)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Table]:
    folder = tmp_path_factory.mktemp("tables")
    found = []
    for recording in recordings(folder):
        for format in ("parquet", "arrow"):
            ran = run("capture", str(recording), "--to", format, "-o", str(folder / f"{recording.stem}.{format}"))
            assert ran.returncode in (0, 1), ran.stderr
        for parquet in sorted(folder.glob(f"{recording.stem}.*parquet")):
            found.append(Table(parquet.stem, parquet, parquet.with_suffix(".arrow")))
    return found


def compare(tables: list[Table], read: Callable[[Path], list[dict[str, Any]]]) -> None:
    for table in tables:
        rows = [plain(row) for row in read(table.parquet)[:ROWS]]
        assert len(rows) == len(table.rows), table.name
        for at, (found, wanted) in enumerate(zip(rows, table.rows, strict=True)):
            assert found == wanted, f"{table.name}, row {at}"


def test_all_types_of_messages_have_a_table(tables: list[Table]) -> None:
    names = {table.name.removeprefix("types.") for table in tables if table.rows}
    assert set(KINDS) - NEWER - names == set()


def test_pyarrow_reads_all_tables(tables: list[Table]) -> None:
    def read(file: Path) -> list[dict[str, Any]]:
        table = pq.read_table(file)
        table.validate(full=True)
        rows: list[dict[str, Any]] = table.slice(0, ROWS).to_pylist()
        return rows

    compare(tables, read)


def test_pandas_reads_all_tables(tables: list[Table]) -> None:
    pandas = pytest.importorskip("pandas")
    compare(tables, lambda file: pandas.read_parquet(file).head(ROWS).to_dict("records"))


def test_polars_reads_all_tables(tables: list[Table]) -> None:
    polars = pytest.importorskip("polars")
    compare(tables, lambda file: polars.read_parquet(file).head(ROWS).to_arrow().to_pylist())


def test_duckdb_reads_all_tables(tables: list[Table]) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")

        def read(file: Path) -> list[dict[str, Any]]:
            rows: list[dict[str, Any]] = connection.read_parquet(str(file)).limit(ROWS).to_arrow_table().to_pylist()
            return rows

        compare(tables, read)


def test_spark_reads_all_tables(spark: Any, tables: list[Table]) -> None:
    compare(tables, lambda file: spark.read.parquet(str(file)).limit(ROWS).toArrow().to_pylist())


def test_items_are_text_and_times_are_in_microseconds(tables: list[Table]) -> None:
    for table in tables:
        for leaf in (leaf for field in pq.read_schema(table.parquet) for leaf in leaves(field.type)):
            assert not pa.types.is_dictionary(leaf), table.name
            assert not pa.types.is_timestamp(leaf) or leaf.unit == "us", table.name


def leaves(of: pa.DataType) -> Iterator[pa.DataType]:
    if pa.types.is_struct(of):
        for part in of:
            yield from leaves(part.type)
    elif pa.types.is_list(of):
        yield from leaves(of.value_type)
    else:
        yield of
