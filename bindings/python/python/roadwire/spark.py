"""roadwire in Spark: recordings as a data source, and columns of messages decoded and encoded in workers.

It needs PySpark 4, and roadwire on every worker: ``pip install 'roadwire[spark]'``.

    roadwire.spark.register(spark)
    frames = spark.read.format("roadwire").load("recordings/*.pcapng")
    cams = frames.where("message.schema = 'cam-1.4.1'").select("file", "frame", "message.octets")
    values = roadwire.spark.decode(cams, "octets", "cam-1.4.1", "uper")

Rows cross as Arrow record batches; no row is a Python object. Which column of Arrow has which type in Spark is in
docs/engines.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

try:
    import pyarrow as pa
    from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
    from pyspark.sql.types import StructType
except ImportError as _missing:
    raise ImportError(
        f"roadwire.spark needs PySpark 4 and pyarrow ({_missing}): pip install 'roadwire[spark]'"
    ) from _missing

from roadwire._distributed import (
    PART,
    AnySchema,
    Decoder,
    Encoder,
    Errors,
    Profile,
    SchemaDescription,
    files_of,
    names_of,
    suggestion,
)
from roadwire._parquet import ParquetPartition, ParquetSource
from roadwire._sources import Partition, Source, Verification
from roadwire._spark_types import from_spark, spark_fields, stored_fields, to_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.datasource import Filter

__all__ = ["RoadwireDataSource", "decode", "encode", "register"]

_OPTIONS = [
    "path",
    "paths",
    "lines",
    "column",
    "rules",
    "type",
    "verify",
    "trust",
    "profile",
    "crl",
    "revoke",
    "columns",
    "message",
    "fields",
    "where",
    "errors",
    "partOctets",
]


_PUSHES = "spark.sql.python.filterPushdown.enabled"


def register(spark: SparkSession, push_filters: bool = True) -> None:
    """Makes ``spark.read.format("roadwire")`` known: see :class:`RoadwireDataSource`.

    :param push_filters: frames that a query's ``where`` leaves out do not leave the source, in PySpark 4.1 and later. For
        that it sets ``spark.sql.python.filterPushdown.enabled`` of the session, without which Spark refuses such a source
    """
    if push_filters and hasattr(DataSourceReader, "pushFilters"):
        spark.conf.set(_PUSHES, "true")
        spark.dataSource.register(_PushingDataSource)
    else:
        spark.dataSource.register(RoadwireDataSource)


def decode(
    df: DataFrame,
    column: str,
    schema: AnySchema,
    rules: str,
    columns: Sequence[str] | None = None,
    errors: Errors = "raise",
    type: str | None = None,
) -> DataFrame:
    """A data frame with the values of messages in place of their octets.

    The other columns of ``df`` come first; after them are those of ``Schema.decode_batch``. Rows keep their
    order in a partition.

    :param column: the column of octets, binary; of text rules (JER, XER) a string, too
    :param schema: the name of a shipped schema, a ``Schema``, or the arguments of ``roadwire.compile`` as a dict.
        Modules are sent as text, and compiled once in each worker process
    :param rules: the encoding rules
    :param columns: fields by their paths, as in ``Schema.decode_batch``; fewer of them cost less, also on the way to
        Spark
    :param errors: ``"raise"`` fails the task, with an error that has what the row's columns of text and numbers say;
        ``"null"`` makes nulls, and ``"column"`` has what is wrong in the column ``_error``
    :param type: the type, where it is not the schema's one
    :raises Error: an unknown schema, type, set of rules or field
    :raises ValueError: ``column`` is not there, or a column of the value is called as another one
    """
    decoder = Decoder(SchemaDescription.of(schema), column, rules, names_of(columns), errors, type)
    kept = decoder.check(df.columns)
    made = stored_fields(decoder.fields())
    result = StructType([*(df.schema[name] for name in kept), *spark_fields(decoder.fields())])

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield _stored_behind(decoder(batch), len(kept), made)

    return df.mapInArrow(run, result)


def encode(
    df: DataFrame,
    column: str,
    schema: AnySchema,
    rules: str,
    errors: Errors = "raise",
    type: str | None = None,
) -> DataFrame:
    """A data frame with the octets of messages in place of the columns of their values: what ``decode`` took apart.

    The columns of ``df`` that are called as components of the type are those of the value; the others are kept, in
    front. A row whose value is null in all of them has null octets.

    :param column: the new column of octets, binary
    :param schema: as in :func:`decode`
    :param rules: the encoding rules
    :param errors: as in :func:`decode`
    :param type: the type, where it is not the schema's one
    :raises Error: a schema, a type or rules that there are not
    :raises ValueError: no column is one of the value, or two columns have the same name
    """
    encoder = Encoder(SchemaDescription.of(schema), column, rules, errors, type)
    kept, values = encoder.check(df.columns), set(encoder.values(df.columns))
    made = stored_fields(encoder.fields())
    result = StructType([*(df.schema[name] for name in kept), *spark_fields(encoder.fields())])

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield _stored_behind(encoder(from_spark(batch, values)), len(kept), made)

    return df.mapInArrow(run, result)


def _stored_behind(batch: pa.RecordBatch, kept: int, made: pa.Schema) -> pa.RecordBatch:
    """The columns after the first ones with the types of Spark."""
    fields = pa.schema([*(batch.schema.field(at) for at in range(kept)), *made])
    return to_spark(batch, fields)


class RoadwireDataSource(DataSource):
    """``spark.read.format("roadwire")``: recordings (pcap, pcapng, gzipped or not), text with a message on each line, or
    Parquet with a column of messages.

    Its columns are those of ``roadwire.read_capture``; of lines ``file``, ``offset`` (octets from the start of the
    text), ``octets`` and ``problem`` (code, message). ``file`` and ``frame``, or ``file`` and ``offset``, tell a row
    from all others, however the files are divided. Paths are files, patterns, folders (with what is below: ``.pcap``,
    ``.pcapng`` and ``.cap``, with ``.gz`` or not) or lists of these, which all workers have under the same names, or
    that fsspec opens, such as ``s3://bucket/drives/*.pcap``: such a file is one partition.

    Options:

    - ``lines``: ``hex`` or ``base64`` for text
    - ``column``: the column of octets of Parquet files. They are decoded by ``message`` and ``rules``, and ``type`` where
      the schema has several, in the task that reads them: octets do not cross between Spark and Python. The files' other
      columns come first, those in ``columns`` if it is given; of folders, files with ``.parquet`` are read
    - ``verify``: ``true`` for verdicts on signed messages. A file is one partition then, for a signer is known from
      the frames before; without it, recordings are divided into blocks
    - ``trust``: files of trusted certificates, with commas, which all workers have; with an empty text no signer is trusted. It
      verifies, also without ``verify``
    - ``profile``: ``etsi`` or ``none``, as in ``roadwire.read_capture``. It verifies, also without ``verify``
    - ``crl``: files of signed lists of revoked certificates, with commas, which all workers have. ``revoke``: certificates
      that are no longer trusted, by their HashedId8 or HashedId10 in hex, with commas. Both verify, also without ``verify``
    - ``columns``: names of columns, with commas, of which alone there are any; fewer of them cost less
    - ``message``: the name of a shipped schema: the rows are those of its messages in UPER, with their values after
      the columns of the frame, as :func:`decode` has them. Octets need not go to Spark and back for that
    - ``fields``: which fields of a message, by their paths, with commas; ``errors``: as in :func:`decode`
    - ``where``: only frames of which this is true: an expression as in ``roadwire.read_capture``
    - ``partOctets``: how many octets of a file make a partition, by default 67108864
    """

    @classmethod
    def name(cls) -> str:
        return "roadwire"

    def schema(self) -> StructType:
        return StructType(spark_fields(_source(self.options).fields()))

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(_source(self.options))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """Refuses a stream."""
        raise ValueError(
            "roadwire reads files that are complete, with spark.read: a recording that still grows has no columns of "
            "a stream. Of a stream with messages in a column of octets, roadwire.spark.decode makes their values"
        )


class _Reader(DataSourceReader):
    def __init__(self, source: Source | ParquetSource) -> None:
        self.source = source

    def partitions(self) -> Sequence[InputPartition]:
        return [_Partition(partition) for partition in self.source.partitions()]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Spark asks for one partition without a value where there is none.
        if not isinstance(partition, _Partition):
            return
        fields = stored_fields(self.source.fields())
        source: Any = self.source
        for batch in source.read(partition.value):
            yield to_spark(batch, fields)


class _PushingReader(_Reader):
    """Leaves out frames that a query does not want."""

    def pushFilters(self, filters: list[Filter]) -> list[Filter]:
        """Takes those that the source has words for, and returns the others."""
        # A recording's: other files have no expressions.
        if not isinstance(self.source, Source) or self.source.lines is not None:
            return filters
        from roadwire._pushdown import push

        self.source, left = push(self.source, filters)
        return left


class _PushingDataSource(RoadwireDataSource):
    def reader(self, schema: StructType) -> DataSourceReader:
        return _PushingReader(_source(self.options))


class _Partition(InputPartition):
    value: Partition | ParquetPartition


def _source(options: Mapping[str, str]) -> Source | ParquetSource:
    """What the options say; their names have no case."""
    given = {name.lower(): value for name, value in options.items()}
    unknown = sorted(set(given) - {name.lower() for name in _OPTIONS})
    if unknown:
        hint = suggestion(unknown[0], _OPTIONS)
        raise ValueError(f"unknown option {unknown[0]!r}{hint}: there are {', '.join(_OPTIONS)}")
    paths: list[str] = json.loads(given["paths"]) if "paths" in given else []
    if "path" in given:
        paths.append(given["path"])
    if "column" in given:
        return _parquet(paths, given)
    for name in ("rules", "type"):
        if name in given:
            raise ValueError(f"{name!r} is an option of Parquet files, whose octets are in a 'column'")
    return Source(
        tuple(paths),
        lines=_lines(given.get("lines")),
        verification=Verification(
            _flag("verify", given.get("verify", "false")),
            files_of("trust", _names(given.get("trust"))),
            cast("Profile | None", given.get("profile")),
            files_of("crl", _names(given.get("crl"))) or (),
            _names(given.get("revoke")) or (),
        ),
        columns=_names(given.get("columns")),
        octets=int(given.get("partoctets", PART)),
        message=given.get("message"),
        fields_of_message=_names(given.get("fields")),
        where=given.get("where"),
        errors=cast(Errors, given.get("errors", "raise")),
    )


def _parquet(paths: list[str], given: Mapping[str, str]) -> ParquetSource:
    """Parquet files, as the options say. Those of recordings and lines are refused."""
    of_parquet = "path paths column message rules type fields errors columns partoctets"
    others = given.keys() - set(of_parquet.split())
    if others:
        raise ValueError(f"{sorted(others)[0]!r} is not an option of Parquet files, which 'column' is for")
    missing = [name for name in ("message", "rules") if name not in given]
    if missing or not paths:
        raise ValueError(f"{missing[0]!r} is missing, to decode the column" if missing else "no path is given")
    decoder = Decoder(
        SchemaDescription.of(given["message"]),
        given["column"],
        given["rules"],
        _names(given.get("fields")),
        cast(Errors, given.get("errors", "raise")),
        given.get("type"),
    )
    return ParquetSource.of(paths, decoder, _names(given.get("columns")), int(given.get("partoctets", PART)))


def _names(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def _lines(text: str | None) -> Any:
    return None if text is None else text.lower()


def _flag(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{name} is true or false, not {text!r}")
    return text.lower() == "true"
