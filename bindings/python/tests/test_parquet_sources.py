"""Parquet files with a column of octets, decoded where they are read: without an engine, in Spark and in Ray."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import roadwire
from roadwire._distributed import PART, Decoder, SchemaDescription
from roadwire._parquet import ParquetSource
from support import CAM

FIELDS = ("header.stationID", "cam.generationDeltaTime")
OCTETS = [None if row == 7 else CAM for row in range(10)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of ten messages in three row groups each, and what is not read."""
    folder = tmp_path_factory.mktemp("parquet")
    for at in range(2):
        rows = pa.array(range(10 * at, 10 * at + 10), pa.uint16())
        pq.write_table(
            pa.table({"row": rows, "octets": OCTETS, "who": ["a"] * 10}), folder / f"{at}.parquet", row_group_size=4
        )
    (folder / "_SUCCESS").touch()
    return folder


def wanted() -> pa.Table:
    """The rows of the folder, as `decode_batch` makes them."""
    values = pa.table(roadwire.schema("cam-1.4.1").decode_batch("uper", OCTETS * 2, list(FIELDS)))
    kept = {"row": pa.array(range(20), pa.uint16()), "who": ["a"] * 20}
    return pa.table({**kept, **{name: values[name] for name in values.column_names}})


def decoder(fields: tuple[str, ...] | None = FIELDS, column: str = "octets", errors: Any = "raise") -> Decoder:
    return Decoder(SchemaDescription.of("cam-1.4.1"), column, "uper", fields, errors, None)


def table(source: ParquetSource) -> pa.Table:
    source, partitions = pickle.loads(pickle.dumps((source, source.partitions())))
    batches = [batch for partition in partitions for batch in source.read(partition)]
    return pa.Table.from_batches(batches, source.fields())


@pytest.mark.parametrize(("octets", "partitions"), [(PART, 2), (1, 6)])
def test_rows_do_not_depend_on_partitions(folder: Path, octets: int, partitions: int) -> None:
    source = ParquetSource.of([str(folder)], decoder(), octets=octets)
    assert len(source.partitions()) == partitions
    assert table(source).to_pylist() == wanted().to_pylist()
    assert source.fields().names == ["row", "who", "header", "cam"]


def test_columns_that_are_kept_are_selected(folder: Path) -> None:
    some = table(ParquetSource.of([str(folder)], decoder(), ("who",)))
    assert some.to_pylist() == wanted().drop_columns(["row"]).to_pylist()
    assert table(ParquetSource.of([str(folder)], decoder(), ())).column_names == ["header", "cam"]


def test_wrong_columns_and_files_are_reported_at_once(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no column 'rwo'; did you mean 'row'"):
        ParquetSource.of([str(folder)], decoder(), ("rwo",))
    with pytest.raises(ValueError, match="no column 'message'"):
        ParquetSource.of([str(folder)], decoder(column="message"))
    with pytest.raises(FileNotFoundError):
        ParquetSource.of([f"{folder}/nothing*"], decoder())
    with pytest.raises(ValueError, match="no Parquet file"):
        ParquetSource.of([str(tmp_path)], decoder())
    (tmp_path / "text.parquet").write_text("text")
    with pytest.raises(ValueError, match="not a Parquet file"):
        ParquetSource.of([str(tmp_path)], decoder())
    pq.write_table(pa.table({"header": [1], "octets": [CAM]}), tmp_path / "text.parquet")
    with pytest.raises(ValueError, match="same name"):
        ParquetSource.of([str(tmp_path)], decoder())
    pq.write_table(pa.table({"row": ["1"], "octets": [CAM]}), tmp_path / "text.parquet")
    with pytest.raises(ValueError, match="'row' is uint16 in .*0.parquet, and string in .*text.parquet"):
        ParquetSource.of([str(folder), str(tmp_path)], decoder(), ("row",)).partitions()


def test_a_file_without_rows_has_a_partition_without_rows(tmp_path: Path) -> None:
    pq.write_table(pa.table({"octets": pa.array([], pa.binary())}), tmp_path / "none.parquet")
    source = ParquetSource.of([str(tmp_path)], decoder())
    assert len(source.partitions()) == 1 and table(source).num_rows == 0


def test_a_refused_message_is_named_by_its_file_and_row(tmp_path: Path) -> None:
    pq.write_table(pa.table({"row": [5, 6], "octets": [CAM, CAM[:9]]}), tmp_path / "a.parquet")
    with pytest.raises(roadwire.Error, match=r"in the row with row='6' of .*a\.parquet"):
        table(ParquetSource.of([str(tmp_path)], decoder()))
    rows = table(ParquetSource.of([str(tmp_path)], decoder(errors="column"))).to_pylist()
    assert [row["_error"] is None for row in rows] == [True, False]


def test_ray_reads_and_decodes_in_one_task(ray: Any, folder: Path) -> None:
    import roadwire.ray

    def read(**options: Any) -> pa.Table:
        dataset = roadwire.ray.read_parquet(folder, "octets", "cam-1.4.1", "uper", fields=FIELDS, **options)
        return pa.concat_tables(ray.get(dataset.to_arrow_refs()))

    assert read().to_pylist() == read(part_octets=1).to_pylist() == wanted().to_pylist()
    assert read(columns=["row"]).column_names == ["row", "header", "cam"]
    with pytest.raises(TypeError, match="read_parquet has no option 'feilds'; did you mean 'fields'"):
        roadwire.ray.read_parquet(folder, "octets", "cam-1.4.1", "uper", feilds=[])


def test_spark_reads_and_decodes_in_one_task(spark: Any, folder: Path) -> None:
    import roadwire.spark

    roadwire.spark.register(spark)
    options = {"column": "octets", "message": "cam-1.4.1", "rules": "uper", "fields": ", ".join(FIELDS)}

    def read(**others: str) -> Any:
        return spark.read.format("roadwire").options(**options, **others).load(str(folder))

    assert read().rdd.getNumPartitions() == 2
    decoded = roadwire.spark.decode(spark.read.parquet(str(folder)), "octets", "cam-1.4.1", "uper", FIELDS)
    for frame in (read(), read(partOctets="1")):
        assert frame.orderBy("row").toArrow().to_pylist() == decoded.orderBy("row").toArrow().to_pylist()
        assert frame.schema == decoded.schema
    assert read(columns="who").columns == ["who", "header", "cam"]
    for others, why in (({"lines": "hex"}, "lines"), ({"columns": "rwo"}, "'row'"), ({"verify": "true"}, "verify")):
        with pytest.raises(Exception, match=why):
            read(**others)
    with pytest.raises(Exception, match="'rules' is missing"):
        spark.read.format("roadwire").option("column", "octets").option("message", "cam-1.4.1").load(str(folder))
    with pytest.raises(Exception, match="'column'"):
        spark.read.format("roadwire").option("rules", "uper").load(str(folder))


def test_a_stream_is_refused_and_decode_takes_one(spark: Any, folder: Path) -> None:
    import roadwire.spark

    roadwire.spark.register(spark)
    octets = spark.readStream.schema(spark.read.parquet(str(folder)).schema).parquet(str(folder))
    values = roadwire.spark.decode(octets, "octets", "cam-1.4.1", "uper", FIELDS)
    query = values.writeStream.format("memory").queryName("decoded").trigger(availableNow=True).start()
    assert query.awaitTermination(60)
    assert spark.table("decoded").count() == 20
    options = {"column": "octets", "message": "cam-1.4.1", "rules": "uper"}
    refused = spark.readStream.format("roadwire").options(**options).load(str(folder))
    query = refused.writeStream.format("noop").start()
    with pytest.raises(Exception, match="reads files that are complete, with spark.read"):
        query.awaitTermination(60)
