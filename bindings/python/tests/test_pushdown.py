"""Filters of a query in Spark that the source of recordings takes."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import roadwire
from roadwire._sources import Source
from support import CAM, missing, write_capture
from test_captures import packet

ZERO = datetime(2019, 6, 11, 8, 14, 2, tzinfo=timezone.utc)
CAM_TYPE = "CAM-PDU-Descriptions.CAM"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred frames, each a second later: CAMs, one on the port of DENM, cut ones, and no packets."""
    frames = [packet(CAM), packet(CAM[:9]), b"\x00" * 20, packet(CAM, 2002)] * 25
    begin = round(ZERO.timestamp())
    return write_capture(tmp_path_factory.mktemp("pushdown") / "it's.pcap", enumerate(frames, begin), 250_000)


def filters() -> list[tuple[Any, bool]]:
    """Filters of Spark, and whether the source takes them entirely."""
    missing("pyspark")
    from pyspark.sql import datasource as of

    schema, port, link = ("message", "schema"), ("btp", "port"), ("link",)
    times = [ZERO + timedelta(seconds=10, milliseconds=250 * quarter) for quarter in range(5)]
    orders = (of.EqualTo, of.GreaterThan, of.GreaterThanOrEqual, of.LessThan, of.LessThanOrEqual)
    return [
        (of.EqualTo(schema, "cam-1.4.1"), True),
        (of.EqualNullSafe(port, 2002), True),
        (of.Not(of.EqualTo(port, 2002)), True),
        (of.In(port, (2002, 7, None)), True),
        (of.Not(of.In(port, (2002, 7))), True),
        (of.Not(of.In(port, (2002, None))), False),
        *((order(port, 2001), True) for order in orders),
        (of.IsNotNull(("message",)), True),
        (of.IsNull(schema), True),
        (of.IsNull(("problem",)), True),
        (of.EqualTo(("geonetworking", "source", "accurate"), True), True),
        (of.EqualTo(("message", "octets"), CAM), True),
        (of.EqualTo(("message", "type"), CAM_TYPE), True),
        (of.Not(of.EqualTo(("problem", "code"), "it's \\ none")), True),
        (of.GreaterThan(("problem", "code"), "input"), True),
        *((order(("time",), time), False) for order in orders for time in times),
        (of.IsNotNull(("time",)), False),
        # What `where` has no words for.
        (of.EqualTo(("message", "type"), "CAM"), False),
        (of.EqualTo(link, "no link"), False),
        (of.GreaterThan(link, "ethernet"), False),
        (of.EqualTo(port, 2001.0), False),
        (of.EqualTo(port, True), False),
        (of.StringStartsWith(schema, "cam"), False),
        (of.EqualTo(("header", "stationID"), 1), False),
        (of.IsNull(("time",)), False),
        (of.Not(of.EqualNullSafe(port, 2001)), False),
    ]


def keeps(one: Any, row: Any) -> bool | None:
    """What the filter is of a row of Python, with nothing for null."""
    name = type(one).__name__
    if name == "Not":
        inner = keeps(one.child, row)
        return None if inner is None else not inner
    value = row
    for part in one.attribute:
        value = None if value is None else value.get(part)
    if name in ("IsNull", "IsNotNull"):
        return (value is None) is (name == "IsNull")
    if name == "EqualNullSafe":
        return bool(value == one.value)
    if value is None:
        return None
    if name == "In":
        return True if value in one.value else None if None in one.value else False
    compare = {"EqualTo": "__eq__", "GreaterThan": "__gt__", "GreaterThanOrEqual": "__ge__", "LessThan": "__lt__"}
    compare |= {"LessThanOrEqual": "__le__", "StringStartsWith": "startswith"}
    return getattr(value, compare[name])(one.value) is True


def rows(source: Source) -> list[dict[str, Any]]:
    return [row for part in source.partitions() for batch in source.read(part) for row in batch.to_pylist()]


def test_a_filter_is_taken_if_it_keeps_the_same_rows(file: Path) -> None:
    from roadwire._pushdown import push

    source = Source((str(file),))
    whole = rows(source)
    for one, is_taken in filters():
        narrowed, left = push(source, [one])
        assert left == ([] if is_taken else [one]), one
        found, wanted = rows(narrowed), [row for row in whole if keeps(one, row)]
        assert [row for row in found if is_taken or keeps(one, row)] == wanted, one
        if type(one).__name__ == "EqualTo" and one.attribute == ("time",):
            assert len(found) == 1
    every = [one for one, _ in filters()[:4:3]]
    narrowed, left = push(Source((str(file),), where="frame <= 10"), every)
    assert left == [] and [row["frame"] for row in rows(narrowed)] == [4, 8]


def test_times_between_digits_of_spark_are_kept(tmp_path: Path) -> None:
    missing("pyspark")
    from pyspark.sql import datasource as of

    from roadwire._pushdown import push

    file = write_capture(tmp_path / "a.pcap", [(second, packet(CAM)) for second in (9, 10, 11)], 999_999)
    for order, wanted in ((of.GreaterThan, [2, 3]), (of.LessThanOrEqual, [1, 2]), (of.EqualTo, [2])):
        value = datetime(1970, 1, 1, 0, 0, 10, 500_000, timezone.utc)
        narrowed, _ = push(Source((str(file),)), [order(("time",), value)])
        assert [row["frame"] for row in rows(narrowed)] == wanted


QUERIES = [
    ("message.schema = 'cam-1.4.1'", 50),
    ("btp.port = 2002 AND frame > 50", 13),
    ("btp.port IN (2002, 5) OR frame = 1", 100),
    ("message IS NOT NULL AND problem IS NULL", 50),
    ("message.schema IS NULL", 50),
    ("NOT geonetworking.source.latitude = 0", 75),
    ("time < timestamp'2019-06-11 08:14:10.25Z'", 9),
    ("message.type LIKE 'CAM%' AND link = 'ethernet' AND btp.port != 2001", 25),
]


@pytest.mark.parametrize(("query", "most"), QUERIES)
def test_queries_have_the_same_rows_and_fewer_come_out(spark: Any, file: Path, query: str, most: int) -> None:
    import roadwire.spark

    def read() -> Any:
        frames = spark.read.format("roadwire").load(str(file)).where(query)
        return frames.orderBy("frame").toArrow(), out_of_source(frames)

    roadwire.spark.register(spark, push_filters=False)
    wanted, all_of_them = read()
    roadwire.spark.register(spark)
    found, some = read()
    assert found.equals(wanted) and found.num_rows
    assert all_of_them == 100 and some == most


def out_of_source(frames: Any) -> int:
    """How many rows the source hands to Spark for a query, as its plan counts them."""
    plan = frames._jdf.queryExecution().executedPlan()
    frames._jdf.collectToPython()
    node = plan
    while not node.children().isEmpty():
        node = node.children().head()
    return int(node.metrics().apply("numOutputRows").value())


def test_values_of_messages_and_other_sources_are_left_to_spark(spark: Any, file: Path, tmp_path: Path) -> None:
    import roadwire.spark

    roadwire.spark.register(spark)
    cams = spark.read.format("roadwire").options(message="cam-1.4.1", fields="header.stationID", columns="frame")
    assert cams.load(str(file)).where("header.stationID = 2228980240 AND frame < 9").count() == 4
    lines = tmp_path / "lines.txt"
    lines.write_text(CAM.hex() + "\nno digits")
    read = spark.read.format("roadwire").option("lines", "hex").load(str(lines))
    assert read.where("octets IS NOT NULL AND offset = 0").count() == 1


def test_where_is_an_option_of_spark(spark: Any, file: Path) -> None:
    import roadwire.spark

    roadwire.spark.register(spark)
    reader = spark.read.format("roadwire")
    frames = reader.option("where", "btp.port == 2002 || !message").load(str(file))
    assert sorted(row.frame % 4 for row in frames.select("frame").collect()) == [0] * 25 + [3] * 25
    assert frames.where("frame <= 8 AND message.octets IS NOT NULL").count() == 2
    with pytest.raises(Exception, match="no record has a field `btp.prot`"):
        reader.option("where", "btp.prot == 1").load(str(file))
