"""Which Spark type an Arrow column has: the one place of the table in docs/engines.md."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import ArrayType, DataType, StructField, StructType

_WIDER = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
}


def stored(of: pa.DataType) -> pa.DataType:
    """The Arrow type that holds the values of another one and is a type of Spark."""
    if pa.types.is_struct(of):
        return pa.struct([pa.field(field.name, stored(field.type)) for field in of])
    if pa.types.is_list(of):
        return pa.list_(pa.field("element", stored(of.value_type)))
    if pa.types.is_dictionary(of):
        return stored(of.value_type)
    if pa.types.is_fixed_size_binary(of):
        return pa.binary()
    if pa.types.is_timestamp(of):
        return pa.timestamp("us", of.tz)
    return _WIDER.get(of, of)


def stored_fields(fields: pa.Schema) -> pa.Schema:
    """The columns of a batch for Spark, all nullable."""
    return pa.schema([pa.field(field.name, stored(field.type)) for field in fields])


def spark_fields(fields: pa.Schema) -> list[StructField]:
    """The same as Spark has them, with the metadata of Arrow: types of ASN.1, units, names."""
    return [_spark_field(field) for field in fields]


def _spark_field(field: pa.Field) -> StructField:
    metadata: dict[str, Any] = {name.decode(): value.decode() for name, value in (field.metadata or {}).items()}
    return StructField(field.name, _spark_type(field.type), True, metadata)


def _spark_type(of: pa.DataType) -> DataType:
    if pa.types.is_struct(of):
        return StructType([_spark_field(field) for field in of])
    if pa.types.is_list(of):
        return ArrayType(_spark_type(of.value_type), True)
    return from_arrow_type(stored(of))


def to_spark(batch: pa.RecordBatch, fields: pa.Schema) -> pa.RecordBatch:
    """A batch with the types of `fields`, as `stored_fields` has them. Times lose what is below a microsecond."""
    columns = [
        column if column.type == field.type else column.cast(field.type, safe=False)
        for column, field in zip(batch.columns, fields, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=fields)


def from_spark(batch: pa.RecordBatch, names: Container[str]) -> pa.RecordBatch:
    """A batch whose columns of these names `Schema.encode_batch` takes: of what `stored` makes, it takes all but decimals."""
    columns = [
        column.cast(_taken(field.type)) if field.name in names else column
        for column, field in zip(batch.columns, batch.schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _taken(of: pa.DataType) -> pa.DataType:
    if pa.types.is_struct(of):
        return pa.struct([pa.field(field.name, _taken(field.type), field.nullable) for field in of])
    if pa.types.is_list(of):
        return pa.list_(pa.field(of.value_field.name, _taken(of.value_type), of.value_field.nullable))
    return pa.uint64() if of == pa.decimal128(20, 0) else of
