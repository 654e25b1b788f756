"""roadwire in Ray: recordings as a dataset, and columns of messages decoded and encoded in workers.

It needs Ray with its part for data, and roadwire on every worker: ``pip install 'roadwire[ray]'``.

    cams = roadwire.ray.read_captures("recordings/*.pcapng", message="cam-1.4.1")
    values = roadwire.ray.read_parquet("cams", "octets", "cam-1.4.1", "uper")

Blocks are Arrow tables, with the types of docs/arrow.md; no row is a Python object.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

try:
    import pyarrow as pa
    import ray
    from ray.data import Dataset, Datasource, ReadTask, read_datasource
    from ray.data.block import BlockMetadata
except ImportError as _missing:
    raise ImportError(f"roadwire.ray needs Ray and pyarrow ({_missing}): pip install 'roadwire[ray]'") from _missing

from roadwire._distributed import (
    PART,
    AnySchema,
    Decoder,
    Encoder,
    Errors,
    Profile,
    SchemaDescription,
    digests_of,
    files_of,
    names_of,
    suggestion,
)
from roadwire._parquet import ParquetPartition, ParquetSource
from roadwire._sources import Partition, Source, Verification

__all__ = ["RoadwireDatasource", "decode", "encode", "read_captures", "read_lines", "read_parquet"]

_Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def read_captures(
    paths: _Paths,
    *,
    verify: bool = False,
    trust: Sequence[str | os.PathLike[str]] | None = None,
    profile: Profile | None = None,
    crl: Sequence[str | os.PathLike[str]] | None = None,
    revoke: Sequence[bytes | str] | None = None,
    columns: Sequence[str] | None = None,
    message: str | None = None,
    fields: Sequence[str] | None = None,
    where: str | None = None,
    errors: Errors = "raise",
    part_octets: int = PART,
    **options: Any,
) -> Dataset:
    """A dataset of the frames of recordings (pcap, pcapng, gzipped or not), with the columns of ``roadwire.read_capture``.

    ``file`` and ``frame`` tell a row from all others, however the files are divided.

    :param paths: files, patterns, folders (with what is below: ``.pcap``, ``.pcapng`` and ``.cap``, with ``.gz`` or
        not) or a list of these, which all workers have under the same names, or that fsspec opens, such as
        ``s3://bucket/drives/*.pcap``
    :param verify: verdicts on signed messages. A file is one partition then, for a signer is known from the frames
        before; without it, recordings are divided into blocks
    :param trust: files of trusted certificates, as in ``roadwire.read_capture``, which all workers have; an empty list trusts
        nobody. It verifies, also without ``verify``
    :param profile: which messages must keep the profile of TS 103 097, as in ``roadwire.read_capture``. It verifies, also
        without ``verify``
    :param crl: files of signed lists of revoked certificates, as in ``roadwire.read_capture``, which all workers have
    :param revoke: certificates that are no longer trusted, as in ``roadwire.read_capture``
    :param columns: columns of the frame of which alone there are any
    :param message: the name of a shipped schema: the rows are those of its messages in UPER, with their values after
        the columns of the frame, as :func:`decode` has them
    :param fields: which fields of a message, by their paths
    :param where: only frames of which this is true: an expression as in ``roadwire.read_capture``
    :param errors: as in :func:`decode`, with ``message``
    :param part_octets: how many octets of a file make a partition
    :param options: those of ``ray.data.read_datasource``, such as ``num_cpus`` and ``concurrency``
    :raises FileNotFound: a path, or a pattern, of nothing; a file of ``trust`` or ``crl`` that does not exist
    :raises TypeError: an option that neither this function nor ``read_datasource`` has
    """
    _check_options(read_captures, read_datasource, options)
    source = Source(
        _paths(paths),
        verification=Verification(
            verify, files_of("trust", trust), profile, files_of("crl", crl) or (), digests_of(revoke)
        ),
        columns=names_of(columns),
        octets=part_octets,
        message=message,
        fields_of_message=names_of(fields),
        where=where,
        errors=errors,
    )
    return _read(source, options)


def read_lines(
    paths: _Paths,
    lines: Literal["hex", "base64"] = "hex",
    *,
    columns: Sequence[str] | None = None,
    part_octets: int = PART,
    **options: Any,
) -> Dataset:
    """A dataset of text with a message on each line: ``file``, ``offset`` (octets from the start of the text), ``octets`` and
    ``problem`` (code, message). The rest is as in :func:`read_captures`; of folders all files are read."""
    _check_options(read_lines, read_datasource, options)
    source = Source(_paths(paths), lines=lines, columns=names_of(columns), octets=part_octets)
    return _read(source, options)


def read_parquet(
    paths: _Paths,
    column: str,
    schema: AnySchema,
    rules: str,
    *,
    columns: Sequence[str] | None = None,
    fields: Sequence[str] | None = None,
    errors: Errors = "raise",
    type: str | None = None,
    part_octets: int = PART,
    **options: Any,
) -> Dataset:
    """A dataset of Parquet files with a column of octets, which are decoded in the tasks that read them.

    Its rows are those of :func:`decode` after ``ray.data.read_parquet``, for less: octets are not handed on between
    tasks.

    :param paths: files, patterns, folders (with what is below, ``.parquet``) or a list of these, which all workers have
        under the same names. All have the same columns
    :param column: the column of octets
    :param schema: as in :func:`decode`
    :param rules: the encoding rules
    :param columns: which of the other columns are kept, all if it is left out; they come first
    :param fields: which fields of a message, by their paths
    :param errors: as in :func:`decode`
    :param type: the type, where it is not the schema's one
    :param part_octets: how many octets of row groups make a partition, before compression
    :param options: those of ``ray.data.read_datasource``, such as ``num_cpus`` and ``concurrency``
    :raises FileNotFound: a path, or a pattern, of nothing
    :raises Error: an unknown schema, type, set of rules or field
    :raises ValueError: a file that is not Parquet, or has other columns; columns of the same name
    :raises TypeError: an option that neither this function nor ``read_datasource`` has
    """
    _check_options(read_parquet, read_datasource, options)
    decoder = Decoder(SchemaDescription.of(schema), column, rules, names_of(fields), errors, type)
    return _read(ParquetSource.of(_paths(paths), decoder, names_of(columns), part_octets), options)


def decode(
    dataset: Dataset,
    column: str,
    schema: AnySchema,
    rules: str,
    columns: Sequence[str] | None = None,
    errors: Errors = "raise",
    type: str | None = None,
    **options: Any,
) -> Dataset:
    """A dataset with the values of messages in place of their octets.

    The other columns come first; after them are those of ``Schema.decode_batch``. Rows keep their order in a
    block.

    :param column: the column of octets, binary; of text rules (JER, XER) a string, too
    :param schema: the name of a shipped schema, a ``Schema``, or the arguments of ``roadwire.compile`` as a dict.
        Modules are sent as text, and compiled once in each worker process
    :param rules: the encoding rules
    :param columns: fields by their paths, as in ``Schema.decode_batch``
    :param errors: ``"raise"`` fails the task, with an error that has what the row's columns of text and numbers say;
        ``"null"`` makes nulls, and ``"column"`` has what is wrong in the column ``_error``
    :param type: the type, where it is not the schema's one
    :param options: those of ``Dataset.map_batches``, such as ``batch_size`` (65,536 rows, if it is left out) and
        ``concurrency``
    :raises Error: an unknown schema, type, set of rules or field
    :raises TypeError: an option that neither this function nor ``map_batches`` has
    """
    _check_options(decode, Dataset.map_batches, options)
    decoder = Decoder(SchemaDescription.of(schema), column, rules, names_of(columns), errors, type)
    decoder.fields()
    return _mapped(dataset, decoder, options)


def encode(
    dataset: Dataset,
    column: str,
    schema: AnySchema,
    rules: str,
    errors: Errors = "raise",
    type: str | None = None,
    **options: Any,
) -> Dataset:
    """A dataset with the octets of messages in the new column ``column``, in place of the columns of their values: those that
    are called as components of the type. The others are kept, in front. The arguments are those of :func:`decode`."""
    _check_options(encode, Dataset.map_batches, options)
    encoder = Encoder(SchemaDescription.of(schema), column, rules, errors, type)
    return _mapped(dataset, encoder, options)


# What `decode` and `encode` give to `map_batches` themselves.
_OWN = {"self", "fn", "batch_format", "fn_args", "fn_kwargs", "fn_constructor_args", "fn_constructor_kwargs"}


def _check_options(function: Callable[..., Any], of_ray: Callable[..., Any], options: dict[str, Any]) -> None:
    """Refuses options that neither a function here nor the one of Ray below it has: Ray ignores them.

    Those of tasks, which `map_batches` takes as well, are known to `ray.remote` alone.
    """
    known = [*_keywords(function), *_keywords(of_ray)]
    unknown = {name: value for name, value in options.items() if name not in known}
    if of_ray is not read_datasource and not _OWN & unknown.keys():
        unknown = {name: value for name, value in unknown.items() if not _is_of_tasks(name, value)}
    for name in unknown:
        hint = suggestion(name, known)
        raise TypeError(f"roadwire.ray.{function.__name__} has no option {name!r}{hint}")


def _keywords(function: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind is not one.VAR_KEYWORD and one.name not in _OWN]


def _is_of_tasks(name: str, value: Any) -> bool:
    try:
        ray.remote(**{name: value})(_blocks)
    except (TypeError, ValueError, AssertionError):
        return False
    return True


def _read(source: Source | ParquetSource, options: dict[str, Any]) -> Dataset:
    datasource = RoadwireDatasource(source)
    # Otherwise Ray cuts what a task reads into hundreds of small blocks, which cost the driver more than the reading.
    options = {"override_num_blocks": max(1, len(datasource.partitions)), **options}
    dataset: Dataset = read_datasource(datasource, **options)
    return dataset


def _mapped(dataset: Dataset, change: Decoder | Encoder, options: dict[str, Any]) -> Dataset:
    def run(batch: Any) -> Any:
        change.check(batch.column_names)
        return change(batch)

    return dataset.map_batches(run, **{"batch_size": 1 << 16, **options, "batch_format": "pyarrow"})


def _paths(paths: _Paths) -> tuple[str, ...]:
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return tuple(os.fspath(path) for path in paths)


class RoadwireDatasource(Datasource):
    """The files of a source, for ``ray.data.read_datasource``: a task for each partition."""

    def __init__(self, source: Source | ParquetSource) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.source = source
        self.partitions: Sequence[Partition | ParquetPartition] = source.partitions()

    def get_name(self) -> str:
        return "roadwire"

    def estimate_inmemory_data_size(self) -> int | None:
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        return [
            ReadTask(
                partial(_blocks, self.source, partition),
                BlockMetadata(num_rows=None, size_bytes=None, exec_stats=None, input_files=(partition.path,)),
                schema=self.source.fields(),
                per_task_row_limit=per_task_row_limit,
            )
            for partition in self.partitions
        ]


def _blocks(source: Any, partition: Any) -> Iterator[Any]:
    for batch in source.read(partition):
        yield pa.Table.from_batches([batch])
