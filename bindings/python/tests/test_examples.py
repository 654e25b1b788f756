"""The examples run, and what they say is what the recording has. So do the examples of docs/coming-from.md."""

from __future__ import annotations

import base64
import csv
import doctest
import importlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import roadwire
from support import CAM, ROOT
from test_captures import packet, recording

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

import make_recording
from names import names_of

SECONDS = 20


def need(*names: str) -> None:
    """Skips a test if a package is not installed; in CI that is a failure."""
    for name in names:
        if os.environ.get("CI") == "true":
            importlib.import_module(name)
        else:
            pytest.importorskip(name, reason=f"{name} is not installed: requirements-examples.txt has it")


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = str(tmp_path_factory.mktemp("drive") / "drive.pcap")
    make_recording.make(file, SECONDS)
    return file


def rows(file: str) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = pa.table(roadwire.read_capture(file)).to_pylist()
    return table


def messages(file: str, schema: str) -> list[tuple[dict[str, Any], Any]]:
    """The frames of a schema's messages, each with its value, decoded one by one."""
    found = [row for row in rows(file) if row["message"]["schema"] == schema]
    return [(row, roadwire.schema(schema).decode("uper", row["message"]["octets"])) for row in found]


def test_the_recording_is_read_whole(drive: str, tmp_path: Path) -> None:
    frames = rows(drive)
    heard = [octets for _, octets in make_recording.frames(SECONDS, 1)]
    assert len(frames) == len(heard) > 200
    assert all(row["problem"] is None and row["security"] is None for row in frames)
    assert {row["message"]["schema"] for row in frames} == {"cam-1.4.1", "denm-1.3.1"}
    # All but the Ethernet header is the packet.
    assert [row["geonetworking"]["length"] for row in frames] == [len(octets) - 14 for octets in heard]
    assert [row["time"] for row in frames] == sorted(row["time"] for row in frames)
    # The sender's place in the headers is that in the message.
    for row, value in messages(drive, "cam-1.4.1"):
        place = value["cam"]["camParameters"]["basicContainer"]["referencePosition"]
        source = row["geonetworking"]["source"]
        assert (source["latitude"], source["longitude"]) == (place["latitude"], place["longitude"])
        assert source["timestamp"] % 65536 == value["cam"]["generationDeltaTime"]
    # The same arguments make the same octets; another seed does not.
    again, other = str(tmp_path / "again.pcap"), str(tmp_path / "other.pcap")
    assert make_recording.make(again, SECONDS) == len(frames)
    make_recording.make(other, SECONDS, 2)
    assert Path(again).read_bytes() == Path(drive).read_bytes() != Path(other).read_bytes()


def test_cams_are_sent_when_they_are_due() -> None:
    """EN 302 637-2 §6.1.3: not before 100 ms, and after 1000 ms at the latest, to the step of 100 ms."""
    station = make_recording.Station(1, make_recording.CAR, 0.0, speed=0.0)
    assert station.is_due(0)
    station.sent = {"time": 0, "x": 0.0, "heading": station.heading, "speed": 0.0}
    assert not station.is_due(900) and station.is_due(1000)
    station.x = 3.9
    assert not station.is_due(100)
    station.x = 4.1
    assert station.is_due(100)


def speeds(file: str) -> dict[str, list[float]]:
    """Speeds in m/s by station type, with the names of TS 102 894-2."""
    types = {4: "motorcycle", 5: "passengerCar", 6: "bus", 8: "heavyTruck", 15: "roadSideUnit"}
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _, value in messages(file, "cam-1.4.1"):
        parameters = value["cam"]["camParameters"]
        high = parameters["highFrequencyContainer"].get("basicVehicleContainerHighFrequency")
        speed = [high["speed"]["speedValue"] / 100] if high else []
        found[types[parameters["basicContainer"]["stationType"]]] += speed
    return dict(found)


def test_polars_answers(drive: str, capsys: pytest.CaptureFixture[str]) -> None:
    need("polars")
    import polars_query

    cams = polars_query.cams(drive)
    expected = speeds(drive)
    answer = {row["type"]: row for row in polars_query.speeds(cams).to_dicts()}
    assert answer.keys() == expected.keys() and "passengerCar" in answer
    for kind, of_kind in expected.items():
        row = answer[kind]
        if not of_kind:
            assert row["median"] is None and row["messages"] > 0
            continue
        assert row["messages"] == len(of_kind)
        assert (row["least"], row["most"]) == pytest.approx((min(of_kind), max(of_kind)))
        assert row["median"] == pytest.approx(statistics.median(of_kind))
    # A vehicle sends at most ten times a second; the recorder's clock has a millisecond of jitter here.
    intervals = polars_query.intervals(cams).to_dicts()
    assert all(98 <= row["p5"] <= row["median"] <= row["p95"] for row in intervals)
    by_station = Counter(row["geonetworking"]["source"]["address"] for row, _ in messages(drive, "cam-1.4.1"))
    assert sum(row["intervals"] for row in intervals) == sum(by_station.values()) - len(by_station)
    polars_query.main(drive)
    assert "passengerCar" in capsys.readouterr().out


def test_duckdb_answers(drive: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    need("duckdb")
    import duckdb_query

    files = duckdb_query.to_parquet(drive, tmp_path)
    assert set(files) == {"cam-1.4.1", "denm-1.3.1"}
    expected = speeds(drive)
    answer = duckdb_query.ask(duckdb_query.SPEEDS, files["cam-1.4.1"], "cam-1.4.1", duckdb_query.TYPE).fetchall()
    assert {kind for kind, *_ in answer} == expected.keys()
    for kind, stations, count, mean, most in answer:
        assert 1 <= stations <= count
        if expected[kind]:
            assert count == len(expected[kind]) and most == max(expected[kind])
            assert mean == pytest.approx(statistics.mean(expected[kind]), abs=0.051)
        else:
            assert mean is None
    denms = messages(drive, "denm-1.3.1")
    causes = Counter(value["denm"]["situation"]["eventType"]["causeCode"] for _, value in denms)
    answer = duckdb_query.ask(duckdb_query.CAUSES, files["denm-1.3.1"], "denm-1.3.1", duckdb_query.CAUSE).fetchall()
    called = {3: "roadworks", 94: "stationaryVehicle", 99: "dangerousSituation"}
    assert {cause: count for cause, _, count, _ in answer} == {called[code]: count for code, count in causes.items()}
    assert all(events == 1 for _, events, _, _ in answer)
    intervals = {row[0]: row for row in duckdb_query.intervals(drive).fetchall()}
    assert intervals["denm-1.3.1"][1] == len(denms) and intervals["denm-1.3.1"][3] == pytest.approx(1000, abs=2)
    duckdb_query.main(drive)
    assert "stationaryVehicle" in capsys.readouterr().out


def test_named_numbers_are_the_schemas() -> None:
    types = names_of("cam-1.4.1", "cam.camParameters.basicContainer.stationType")
    assert (types[0], types[5], types[15]) == ("unknown", "passengerCar", "roadSideUnit")


def ran(file: str | None, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The outputs of the notebook, run in its folder."""
    need("nbclient", "ipykernel", "matplotlib", "polars")
    import nbclient

    nbformat: Any = importlib.import_module("nbformat")
    paths = [str(Path(roadwire.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    if file is None:
        monkeypatch.delenv("ROADWIRE_RECORDING", raising=False)
    else:
        monkeypatch.setenv("ROADWIRE_RECORDING", file)
    notebook = nbformat.reads((EXAMPLES / "recording.ipynb").read_text(encoding="utf-8"), as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}})
    client.execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def texts(outputs: list[Any]) -> str:
    return "".join(output.get("text", "") for output in outputs if output.output_type == "stream")


def test_the_notebook_runs_and_plots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = ran(None, monkeypatch)
    pictures = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
    assert all(len(base64.b64decode(picture)) > 20_000 for picture in pictures)
    # The channel load, from the frames themselves, and as the command's report has it.
    load = [0] * 60
    for microseconds, octets in make_recording.frames(60, 1):
        symbols = -(-(22 + 8 * (len(octets) - 14 + 26 + 8 + 4)) // 48)
        load[microseconds // 1_000_000] += 40 + 8 * symbols
    made = str(tmp_path / "drive.pcap")
    make_recording.make(made)
    command = [sys.executable, "-m", "roadwire", "capture", made, "--report", str(tmp_path / "report")]
    subprocess.run(command, check=True)
    with open(tmp_path / "report/seconds.csv", encoding="utf-8") as file:
        assert [float(row["load"]) for row in csv.DictReader(file)] == [micros / 1e6 for micros in load]
    most = f"most {max(load) / 1e4:.2f} % in second {load.index(max(load))}"
    assert f"mean {sum(load) / 60 / 1e4:.2f} %, {most}" in texts(outputs)


def test_the_notebook_takes_other_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One CAM each second, no DENM, and a frame that is none."""
    outputs = ran(str(recording(tmp_path, [packet(CAM)] * 3 + [b"\0" * 20])), monkeypatch)
    # 4 + 8 + 28 + 4 + 26 octets of packet, and 38 around them.
    airtime = 40 + 8 * -(-(22 + 8 * (70 + 38)) // 48)
    assert f"mean {airtime / 1e4:.2f} %, most {airtime / 1e4:.2f} %" in texts(outputs)


def test_the_notebook_is_committed_without_outputs() -> None:
    notebook = json.loads((EXAMPLES / "recording.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code and all(not cell["outputs"] and cell["execution_count"] is None for cell in code)


COMING_FROM = ROOT / "docs/coming-from.md"


def test_coming_from_runs() -> None:
    result = doctest.testfile(str(COMING_FROM), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0 and result.attempted > 10


VALUES = """
Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Motion ::= SEQUENCE {
        speed INTEGER (0..16383), lights BIT STRING (SIZE (4)), source CHOICE { gps NULL, other INTEGER (0..7) },
        steps INTEGER DEFAULT 3, id OBJECT IDENTIFIER, length REAL, time UTCTime }
END"""


def test_values_of_asn1tools_are_as_the_page_says() -> None:
    need("asn1tools")
    import asn1tools

    demo, theirs = roadwire.compile(text=VALUES), asn1tools.compile_string(VALUES, "uper")
    ours: dict[str, Any] = {"speed": 1200, "lights": (b"\xa0", 4), "source": {"other": 5}}
    ours |= {"id": "1.2.840", "length": 1.5, "time": "240101000000Z"}
    octets = demo.encode("uper", ours)
    assert demo.decode("uper", octets) == ours
    value = theirs.decode("Motion", octets + b"\0")
    time = value.pop("time")
    assert (type(time).__name__, time.year) == ("datetime", 2024)
    expected = {"speed": 1200, "lights": (b"\xa0", 4), "source": ("other", 5)}
    assert value == expected | {"steps": 3, "id": "1.2.840", "length": 1.5}
    wrong = {**value, "time": time, "speed": 99999}
    assert theirs.decode("Motion", theirs.encode("Motion", wrong))["speed"] != 99999
    with pytest.raises(asn1tools.ConstraintsError):
        theirs.encode("Motion", wrong, check_constraints=True)


def test_values_of_pycrate_are_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("pycrate_asn1c")
    from pycrate_asn1c.asnproc import PycrateGenerator, compile_text, generate_modules

    compile_text([VALUES], verbose=False)
    generate_modules(PycrateGenerator, str(tmp_path / "pycrate_demo.py"))
    monkeypatch.syspath_prepend(str(tmp_path))
    motion = importlib.import_module("pycrate_demo").Demo.Motion
    ours: dict[str, Any] = {"speed": 1200, "lights": (b"\xa0", 4), "source": {"other": 5}}
    ours |= {"id": "1.2.840", "length": 1.5, "time": "240101000000Z"}
    motion.from_uper(roadwire.compile(text=VALUES).encode("uper", ours) + b"\0")
    value = motion.get_val()
    assert (value["lights"], value["source"], value["steps"]) == ((10, 4), ("other", 5), 3)
    assert (value["id"], value["length"]) == ((1, 2, 840), (3, 2, -1))
    assert isinstance(value["time"], tuple) and value["time"][:2] == ("24", "01")
    with pytest.raises(Exception, match="out of constraint"):
        motion.set_val({**value, "speed": 99999})
    for rules in ("aper", "oer", "coer", "ber", "der", "jer", "gser"):
        assert hasattr(motion, f"from_{rules}") and hasattr(motion, f"to_{rules}")


def test_fields_of_tshark_are_as_the_page_says(drive: str) -> None:
    """Each pair of names has the same values, frame by frame."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed")
    lines = COMING_FROM.read_text(encoding="utf-8").split("<!-- the test of this table reads it -->")[1].splitlines()
    pairs = re.findall(r"^\| `([\w.]+)` \| `([\w.]+)`", "\n".join(lines), re.MULTILINE)
    assert len(pairs) >= 20
    options = [word for name, _ in pairs for word in ("-e", name)]
    command = ["tshark", "-r", drive, "-T", "fields", "-E", "occurrence=f", "-E", "separator=/t", *options]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    command = [sys.executable, "-m", "roadwire", "capture", drive]
    ours = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(theirs) == len(ours)
    seen = set()
    for line, record in zip(theirs, map(json.loads, ours), strict=True):
        for (name, path), text in zip(pairs, line.split("\t"), strict=True):
            value: Any = record
            for part in path.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if text or value is not None:
                assert int(text, 0) == value, (name, path, text, value)
                seen.add(name)
    assert seen == {name for name, _ in pairs}
    for filter, expression in (
        ("its.messageID == 1", "message.type == DENM"),
        ("geonw.src_pos.speed > 1000", "geonetworking.source.speed > 1000"),
        ("_ws.malformed", "problem"),
    ):
        command = ["tshark", "-r", drive, "-Y", filter, "-T", "fields", "-e", "frame.number"]
        numbers = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        command = [sys.executable, "-m", "roadwire", "capture", drive, "--where", expression]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        assert [json.loads(line)["frame"] for line in found] == [int(number) for number in numbers]
