"""Recordings, lines and Parquet that are no paths: file objects, and names that fsspec opens."""

from __future__ import annotations

import gzip
import io
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest

import roadwire
from roadwire._distributed import Decoder, SchemaDescription
from roadwire._files import find_files, is_capture
from roadwire._parquet import ParquetSource
from roadwire._sources import Source
from support import CAM, missing
from test_captures import packet, recording
from test_partitions import table


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recording(tmp_path_factory.mktemp("stores"), [packet(CAM), packet(CAM[:9])] * 10_000)


@pytest.fixture
def memory() -> Any:
    """A file system of this process alone, empty."""
    missing("fsspec")
    import fsspec

    store = fsspec.filesystem("memory")
    store.store.clear()
    store.pseudo_dirs[:] = [""]
    return store


def same_rows(found: Any, file: Path, name: str) -> None:
    """Those of the file, under another name."""
    made, wanted = pa.table(found), pa.table(roadwire.read_capture(file))
    assert set(made["file"].to_pylist()) == {name}
    assert made.drop_columns(["file"]).equals(wanted.drop_columns(["file"]))


def test_file_objects(file: Path) -> None:
    octets = file.read_bytes()
    with file.open("rb") as opened:
        same_rows(roadwire.read_capture(opened), file, str(file))
        assert not opened.closed
    with file.open("rb", buffering=0) as opened:
        same_rows(roadwire.read_capture(opened, jobs=3), file, str(file))
    same_rows(roadwire.read_capture(io.BytesIO(octets)), file, "<BytesIO>")
    same_rows(roadwire.read_capture(io.BytesIO(gzip.compress(octets))), file, "<BytesIO>")
    with pa.fs.LocalFileSystem().open_input_file(str(file)) as opened:
        same_rows(roadwire.read_capture(opened), file, "<NativeFile>")
    with pa.fs.LocalFileSystem().open_input_stream(str(file)) as opened:
        same_rows(roadwire.read_capture(opened), file, "<NativeFile>")


class Trickle(io.BytesIO):
    """Gives few octets at once, as a view, and counts how often it was asked."""

    asked = 0

    def read(self, size: int | None = -1, /) -> Any:
        self.asked += 1
        return memoryview(super().read(min(size or 0, 1000)))


def test_a_file_object_is_read_as_far_as_rows_are_taken(file: Path) -> None:
    head, records = file.read_bytes()[:24], file.read_bytes()[24:]
    source = Trickle(head + records * 8)
    assert len(next(roadwire.read_capture(source))) and source.tell() < 6 * len(records)
    same_rows(roadwire.read_capture(Trickle(file.read_bytes())), file, "<Trickle>")


class Broken(io.BytesIO):
    def __init__(self, octets: bytes, error: BaseException) -> None:
        super().__init__(octets)
        self.error = error

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        if not found:
            raise self.error
        return found


def test_errors_of_file_objects(file: Path) -> None:
    octets = file.read_bytes()
    for begin in (octets, octets[:1000], b""):
        with pytest.raises(roadwire.Error, match="away") as refused:
            list(roadwire.read_capture(Broken(begin, OSError("the store went away"))))
        assert isinstance(refused.value.__cause__, OSError) and refused.value.code == "capture.read"
    with pytest.raises(KeyboardInterrupt):
        list(roadwire.read_capture(Broken(octets, KeyboardInterrupt())))
    with pytest.raises(Exception, match="away"):
        pa.table(roadwire.read_capture(Broken(octets, OSError("the store went away"))))
    with file.open(encoding="latin-1") as text, pytest.raises(TypeError, match="open it as binary"):
        roadwire.read_capture(text)
    with pytest.raises(TypeError):
        roadwire.read_capture(5)  # type: ignore[arg-type]
    with pytest.raises(roadwire.Error, match="only a file has parts"):
        roadwire.read_capture(io.BytesIO(octets), part=roadwire.capture_parts(file)[0])


def test_names_that_fsspec_opens(file: Path, memory: Any) -> None:
    memory.pipe("/drives/a.pcap", file.read_bytes())
    same_rows(roadwire.read_capture("memory://drives/a.pcap"), file, "memory://drives/a.pcap")
    same_rows(roadwire.read_capture(f"local://{file}"), file, f"local://{file}")
    same_rows(roadwire.read_capture(f"file://{file}"), file, str(file))
    same_rows(roadwire.read_capture("simplecache::memory://drives/a.pcap"), file, "simplecache::memory://drives/a.pcap")
    with memory.open("/drives/a.pcap") as opened:
        same_rows(roadwire.read_capture(opened), file, "/drives/a.pcap")
    with pytest.raises(roadwire.FileNotFound, match="memory://nothing"):
        roadwire.read_capture("memory://nothing.pcap")
    with pytest.raises(ValueError, match="morse://a.pcap.*morse"):
        roadwire.read_capture("morse://a.pcap")
    with pytest.raises(ImportError, match="abfs://a.pcap.*adlfs"):
        roadwire.read_capture("abfs://a.pcap")


def test_files_of_a_store_are_named_by_patterns_and_folders(memory: Any) -> None:
    for name in ("b.pcap", "a.pcapng", "notes.txt", ".hidden.pcap", "_part.pcap", "below/d.PCAP", "_temporary/e.pcap"):
        memory.pipe(f"/drives/{name}", b"")

    def names(path: str) -> list[str]:
        head, _, _ = path.partition("drives")
        found = find_files([path], is_capture)
        return [name.replace("memory:///", "memory://").removeprefix(f"{head}drives/") for name in found]

    assert names("memory://drives") == ["a.pcapng", "b.pcap", "below/d.PCAP"]
    assert names("memory://drives/*.pcap*") == [".hidden.pcap", "_part.pcap", "a.pcapng", "b.pcap"]
    assert names("simplecache::memory://drives/b*") == ["b.pcap", "below/d.PCAP"]
    assert names("memory://drives/notes.txt") == ["notes.txt"]
    with pytest.raises(roadwire.FileNotFound):
        names("memory://drives/c*")


def test_sources_read_stores(file: Path, memory: Any) -> None:
    memory.pipe("/drives/a.pcap", file.read_bytes())
    source = Source(("memory://drives",), octets=1)
    assert len(source.partitions()) == 1
    same_rows(table(source), file, source.partitions()[0].path)
    text = b"\n".join([CAM.hex().encode(), b"no digits"] * 20)
    for octets in (text, gzip.compress(text)):
        memory.pipe("/lines.txt", octets)
        lines = table(Source(("memory://lines.txt",), lines="hex", octets=100))
        assert lines["octets"].to_pylist() == [CAM, None] * 20


def test_parquet_of_a_store(memory: Any) -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"row": range(10), "octets": [CAM] * 10}), sink, row_group_size=4)
    memory.pipe("/cams/a.parquet", sink.getvalue())
    decoder = Decoder(SchemaDescription.of("cam-1.4.1"), "octets", "uper", ("header.stationID",), "raise", None)
    source = ParquetSource.of(["memory://cams"], decoder, octets=1)
    partitions = pickle.loads(pickle.dumps(source.partitions()))
    rows = [row for part in partitions for batch in source.read(part) for row in batch.to_pylist()]
    assert len(partitions) == 3 and rows == [{"row": row, "header": {"stationID": 2228980240}} for row in range(10)]


def test_without_fsspec_the_message_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "fsspec.py").write_text("raise ImportError('not here')")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import roadwire; roadwire.read_capture('s3://bucket/a.pcap')"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 1 and "pip install fsspec" in done.stderr.splitlines()[-1]


def test_spark_reads_stores(spark: Any, file: Path) -> None:
    import roadwire.spark

    roadwire.spark.register(spark)
    frames = spark.read.format("roadwire").option("columns", "file,frame").load(f"local://{file.parent}")
    found = frames.orderBy("frame").toArrow()
    assert found["frame"].to_pylist() == list(range(1, 20_001)) and set(found["file"].to_pylist()) == {f"local://{file}"}


def test_ray_reads_stores(ray: Any, file: Path) -> None:
    import roadwire.ray

    frames = roadwire.ray.read_captures(f"simplecache::local://{file.parent}/*.pcap", where="frame > 19000")
    assert frames.count() == 1000
