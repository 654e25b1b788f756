"""Ray, started on this machine: the datasource, and columns of messages in workers."""

from __future__ import annotations

import doctest
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import roadwire
from support import CAM
from test_captures import chains, optional, packet, recording, shared_chain, verdicts_of
from test_docs import engines_section
from test_encode_batch import DEMO, VALUE


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two recordings."""
    folder = tmp_path_factory.mktemp("recordings")
    for name, frames in (("a", [packet(CAM), packet(CAM[:9])] * 40), ("b", [packet(CAM)] * 20)):
        recording(folder, frames).rename(folder / f"{name}.pcap")
    return folder


def table(ray: Any, dataset: Any) -> pa.Table:
    return pa.concat_tables(ray.get(dataset.to_arrow_refs()))


def messages(batch: Any) -> Any:
    message = batch["message"]
    found = batch.select(["file", "frame"]).append_column("octets", pc.struct_field(message, "octets"))
    return found.filter(pc.equal(pc.struct_field(message, "schema"), "cam-1.4.1"))


def test_recordings_are_rows(ray: Any, recordings: Path) -> None:
    import roadwire.ray

    one, other = recordings / "a.pcap", recordings / "b.pcap"
    wanted = pa.concat_tables([pa.table(roadwire.read_capture(file)) for file in (one, other)])
    sources: list[Any] = [recordings, f"{recordings}/*.pcap", [one, str(other)]]
    for paths in sources:
        assert table(ray, roadwire.ray.read_captures(paths)).equals(wanted)
    some = roadwire.ray.read_captures(one, columns=["frame", "link"])
    assert table(ray, some).equals(wanted.select(["frame", "link"])[:80])
    with pytest.raises(FileNotFoundError):
        roadwire.ray.read_captures(f"{recordings}/nothing*")


def test_verdicts_are_those_of_read_capture(ray: Any, tmp_path: Path) -> None:
    import roadwire.ray

    file, trusted = chains(tmp_path)
    cases: list[tuple[Path, list[str] | None]] = [(file, None), *((file, trust) for trust in trusted.values())]
    cases += [found for found in [shared_chain()] if found is not None]
    for of, trust in cases:
        frames = roadwire.ray.read_captures(of, verify=True, trust=trust, part_octets=1)
        assert verdicts_of(table(ray, frames)) == verdicts_of(pa.table(roadwire.read_capture(of, True, trust=trust)))
    with pytest.raises(roadwire.FileNotFound):
        roadwire.ray.read_captures(file, trust=[tmp_path / "nowhere.oer"])


def test_options_of_verification_are_those_of_read_capture(ray: Any, tmp_path: Path) -> None:
    import roadwire.ray

    file, cases = optional(tmp_path)
    for options, verdicts in cases:
        frames = roadwire.ray.read_captures(file, part_octets=1, **options)
        assert verdicts_of(table(ray, frames)) == verdicts, options
    with pytest.raises(roadwire.FileNotFound, match="nowhere.oer"):
        roadwire.ray.read_captures(file, crl=[tmp_path / "nowhere.oer"])
    for wrong in ({"revoke": ["0011"]}, {"profile": "ieee"}):
        with pytest.raises(ValueError):
            roadwire.ray.read_captures(file, **wrong)
    with pytest.raises(TypeError, match="revoke is a list"):
        roadwire.ray.read_captures(file, revoke="0011223344556677")


def test_options_that_are_not_known_are_refused(ray: Any, recordings: Path) -> None:
    import roadwire.ray

    rows = ray.data.from_arrow(pa.table({"o": [CAM]}))
    wrong: list[tuple[Any, tuple[Any, ...], str, str]] = [
        (roadwire.ray.read_captures, (recordings,), "verfy", "verify"),
        (roadwire.ray.read_captures, (recordings,), "concurency", "concurrency"),
        (roadwire.ray.read_lines, (recordings,), "colums", "columns"),
        (roadwire.ray.decode, (rows, "o", "cam-1.4.1", "uper"), "batchsize", "batch_size"),
        (roadwire.ray.encode, (rows, "o", "cam-1.4.1", "uper"), "error", "errors"),
        (roadwire.ray.decode, (rows, "o", "cam-1.4.1", "uper"), "batch_format", ""),
        (roadwire.ray.decode, (rows, "o", "cam-1.4.1", "uper"), "trust", ""),
    ]
    for function, arguments, name, near in wrong:
        with pytest.raises(TypeError, match=f"no option '{name}'" + (f"; did you mean '{near}'" if near else "")):
            function(*arguments, **{name: True})
    # Those of Ray are taken.
    assert roadwire.ray.read_captures(recordings / "b.pcap", num_cpus=1, concurrency=1).count() == 20
    assert roadwire.ray.decode(rows, "o", "cam-1.4.1", "uper", batch_size=1, num_cpus=1, max_retries=1).count() == 1


def test_blocks_of_a_recording_are_partitions(ray: Any, tmp_path: Path) -> None:
    import roadwire.ray

    file = recording(tmp_path, [packet(CAM), packet(CAM[:9])] * 5000)
    blocks = roadwire.ray.read_captures(file, part_octets=1).materialize()
    assert blocks.num_blocks() == 23
    assert table(ray, blocks).equals(pa.table(roadwire.read_capture(file)))


def test_lines_are_rows(ray: Any, tmp_path: Path) -> None:
    import roadwire.ray

    file = tmp_path / "lines.txt"
    file.write_text("\n".join([CAM.hex(), "no digits"] * 20))
    rows = table(ray, roadwire.ray.read_lines(file, "hex", part_octets=100)).to_pylist()
    assert [row["octets"] for row in rows] == [CAM, None] * 20


def test_messages_become_columns_and_octets_again(ray: Any, recordings: Path) -> None:
    import roadwire.ray

    frames = roadwire.ray.read_captures(recordings).map_batches(messages, batch_format="pyarrow")
    values = roadwire.ray.decode(frames, "octets", "cam-1.4.1", "uper", batch_size=7)
    found = table(ray, values)
    assert found.column_names == ["file", "frame", "header", "cam"]
    wanted = pa.table(roadwire.schema("cam-1.4.1").decode_batch("uper", [CAM] * 60))
    assert found.select(["header", "cam"]).to_pylist() == wanted.to_pylist()
    again = roadwire.ray.encode(values, "octets", "cam-1.4.1", "uper")
    assert table(ray, again).to_pylist() == table(ray, frames).to_pylist()


def test_own_modules(ray: Any) -> None:
    import roadwire.ray

    demo = roadwire.compile(text=DEMO)
    octets = demo.encode("uper", VALUE)
    rows = ray.data.from_arrow(pa.table({"n": [1, 2], "o": [octets, None]}))
    values = roadwire.ray.decode(rows, "o", {"text": DEMO, "type": "Report"}, "uper")
    assert table(ray, roadwire.ray.encode(values, "o", demo, "uper")).to_pylist() == [
        {"n": 1, "o": octets},
        {"n": 2, "o": None},
    ]


def test_rows_that_are_refused(ray: Any) -> None:
    import roadwire.ray

    rows = ray.data.from_arrow(pa.table({"n": [1, 2], "o": [CAM, CAM[:9]]}))
    with pytest.raises(Exception, match="in the row with n='2'"):
        roadwire.ray.decode(rows, "o", "cam-1.4.1", "uper").materialize()
    found = table(ray, roadwire.ray.decode(rows, "o", "cam-1.4.1", "uper", errors="column")).to_pylist()
    assert [row["_error"] and row["_error"]["code"] for row in found] == [None, "input.truncated"]
    for wrong in ({"schema": "cam-0"}, {"rules": "morse"}, {"columns": ["header.other"]}, {"errors": "other"}):
        arguments: dict[str, Any] = {"column": "o", "schema": "cam-1.4.1", "rules": "uper", **wrong}
        with pytest.raises((ValueError, roadwire.Error)):
            roadwire.ray.decode(rows, **arguments)


def test_a_worker_that_dies_loses_and_doubles_nothing(ray: Any, recordings: Path, tmp_path: Path) -> None:
    import roadwire.ray

    died = tmp_path / "died"

    def die_once(batch: Any) -> Any:
        if not died.exists():
            died.touch()
            os._exit(1)
        return batch

    frames = roadwire.ray.read_captures(recordings).map_batches(messages, batch_format="pyarrow")
    values = roadwire.ray.decode(frames, "octets", "cam-1.4.1", "uper", columns=["header.stationID"])
    found = table(ray, values.map_batches(die_once, batch_format="pyarrow"))
    assert died.exists()
    assert found.to_pylist() == table(ray, values).to_pylist() and found.num_rows == 60


def test_examples_of_the_page_run(ray: Any, recordings: Path, tmp_path: Path) -> None:
    text = engines_section().split("### Ray")[1].replace("recordings/*", f"{recordings}/*")
    text = text.replace('"cams"', f'"{tmp_path}/cams"')
    test = doctest.DocTestParser().get_doctest(text, {"ray": ray}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0
