"""Times the package beside asn1tools and pycrate, in one process, on messages of this repository's schemas.

    python bench.py [--seconds 0.5] [--least 15] [--rows 1048576]

Times are the best of several runs, in microseconds for one message. With `--least`, the exit code is 1 unless decoding and
encoding are so many times as fast as asn1tools.

`--rows` times batches alone, on one core: so many recorded CAMs to columns and back, as a shipped schema and as modules of
one's own, and the same values in Protocol Buffers by ptars where it is installed (`pip install ptars grpcio-tools`). The
time is the processor's, for other programs may run beside.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import roadwire

sys.path.insert(0, str(Path(__file__).resolve().parent / "tests"))

# A CAM of a vehicle with its mandatory fields alone.
MANDATORY: dict[str, Any] = {
    "header": {"protocolVersion": 2, "messageID": 2, "stationID": 1001},
    "cam": {
        "generationDeltaTime": 17062,
        "camParameters": {
            "basicContainer": {
                "stationType": 5,
                "referencePosition": {
                    "latitude": 491711500,
                    "longitude": 165978980,
                    "positionConfidenceEllipse": {
                        "semiMajorConfidence": 200,
                        "semiMinorConfidence": 200,
                        "semiMajorOrientation": 0,
                    },
                    "altitude": {"altitudeValue": 21800, "altitudeConfidence": "alt-010-00"},
                },
            },
            "highFrequencyContainer": {
                "basicVehicleContainerHighFrequency": {
                    "heading": {"headingValue": 900, "headingConfidence": 10},
                    "speed": {"speedValue": 1390, "speedConfidence": 5},
                    "driveDirection": "forward",
                    "vehicleLength": {
                        "vehicleLengthValue": 42,
                        "vehicleLengthConfidenceIndication": "noTrailerPresent",
                    },
                    "vehicleWidth": 18,
                    "longitudinalAcceleration": {
                        "longitudinalAccelerationValue": -3,
                        "longitudinalAccelerationConfidence": 10,
                    },
                    "curvature": {"curvatureValue": 12, "curvatureConfidence": "onePerMeter-0-002"},
                    "curvatureCalculationMode": "yawRateUsed",
                    "yawRate": {"yawRateValue": 105, "yawRateConfidence": "degSec-000-10"},
                }
            },
        },
    },
}
ROAD_SIDE = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")
COLUMNS = [
    "header.stationID",
    "cam.generationDeltaTime",
    "cam.camParameters.basicContainer.referencePosition.latitude",
    "cam.camParameters.basicContainer.referencePosition.longitude",
    "cam.camParameters.highFrequencyContainer.basicVehicleContainerHighFrequency.speed.speedValue",
]


def best(call: Callable[[], object], seconds: float) -> float:
    """Microseconds of one call: the best of five runs of a fifth of the time each."""
    count = 1
    while True:
        begin = time.perf_counter()
        for _ in range(count):
            call()
        spent = time.perf_counter() - begin
        if spent > seconds / 10:
            break
        count *= 4
    count = max(1, int(count * seconds / 5 / spent))

    def run() -> float:
        begin = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - begin) / count

    return min(run() for _ in range(5)) * 1e6


class Peer:
    """Another implementation: how it decodes, and encodes what it has decoded."""

    def __init__(self, name: str, decode: Callable[[bytes], Any], encode: Callable[[Any], bytes]) -> None:
        self.name = name
        self.decode = decode
        self.encode = encode


def asn1tools(modules: list[tuple[str, str]]) -> Peer:
    import asn1tools

    made = asn1tools.compile_string("\n".join(text for _, text in modules), "uper")
    return Peer("asn1tools", lambda octets: made.decode("CAM", octets), lambda value: bytes(made.encode("CAM", value)))


def pycrate(modules: list[tuple[str, str]]) -> Peer:
    from pycrate_asn1c.asnproc import PycrateGenerator, compile_text, generate_modules

    compile_text([text for _, text in modules], verbose=False)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cam.py"
        generate_modules(PycrateGenerator, str(file))
        spec = importlib.util.spec_from_file_location("cam", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    cam = module.CAM_PDU_Descriptions.CAM

    def decode(octets: bytes) -> Any:
        cam.from_uper(octets)
        return cam.get_val()

    def encode(value: Any) -> bytes:
        cam.set_val(value)
        return bytes(cam.to_uper())

    return Peer("pycrate", decode, encode)


def single(cam: roadwire.Schema, seconds: float) -> float:
    """One message after the other; the least ratio to asn1tools, of the CAM of a vehicle."""
    messages = {"CAM, mandatory": cam.encode("uper", MANDATORY), "CAM, road-side": ROAD_SIDE}
    peers = [
        Peer("roadwire", lambda octets: cam.decode("uper", octets), lambda value: cam.encode("uper", value)),
        asn1tools(cam.modules),
        pycrate(cam.modules),
    ]
    least = float("inf")
    print(f"{'us for one message':24}" + "".join(f"{peer.name:>12}" for peer in peers) + "       times as fast")
    for name, octets in messages.items():
        for way in ("decode", "encode"):
            spent = []
            for peer in peers:
                value = peer.decode(octets)
                assert peer.encode(value) == octets
                call = partial(peer.decode, octets) if way == "decode" else partial(peer.encode, value)
                spent.append(best(call, seconds))
            ratios = [other / spent[0] for other in spent[1:]]
            if octets != ROAD_SIDE:
                least = min(least, ratios[0])
            times = "".join(f"{time:12.2f}" for time in spent)
            print(f"{name + ', ' + way:24}{times}       " + ", ".join(f"{ratio:.0f}" for ratio in ratios))
    return least


def one_by_one(cam: roadwire.Schema, messages: list[bytes]) -> None:
    for message in messages:
        cam.decode("uper", message)


def batches(cam: roadwire.Schema, seconds: float) -> None:
    """Batches of one kind, and of recorded traffic, where it is there."""
    import pyarrow as pa

    from support import recorded

    octets = cam.encode("uper", MANDATORY)
    traffic = [message.octets for message in recorded() if message.schema == cam.name]
    rows = {"CAM, mandatory": pa.array([octets] * 100_000)}
    if traffic:
        rows["recorded CAMs"] = pa.array((traffic * (100_000 // len(traffic) + 1))[:100_000])
    print(f"\n{'rows each second':24}{'all columns':>14}{'five columns':>14}{'dicts':>14}")
    for name, array in rows.items():
        every, five = (
            len(array) / best(partial(cam.decode_batch, "uper", array, columns=columns), seconds) * 1e6
            for columns in (None, COLUMNS)
        )
        dicts = len(array) / best(partial(one_by_one, cam, array.to_pylist()), seconds) * 1e6
        print(f"{name:24}{every:14,.0f}{five:14,.0f}{dicts:14,.0f}")


BATCH = 1 << 16
"""Rows of a call."""


def throughput(rows: int) -> None:
    """Rows a second of one core, by calls of 65,536 rows."""
    import pyarrow as pa

    from support import recorded

    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    cam = roadwire.schema("cam-1.4.1")
    traffic = [message.octets for message in recorded() if message.schema == cam.name] or [ROAD_SIDE]
    messages = (traffic * (BATCH // len(traffic) + 1))[:BATCH]
    array, calls = pa.array(messages), max(1, rows // BATCH)
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"{calls * BATCH:,} recorded CAMs of {len(set(traffic)):,} kinds, {array.nbytes // BATCH} octets each; load {loads}")
    print(f"{'':32}{'rows a second':>14}{'us a row':>10}   runs")
    own = roadwire.compile(text=dict(cam.modules), type="CAM-PDU-Descriptions.CAM")
    for name, schema in (("shipped", cam), ("own module", own)):
        columns = pa.record_batch(schema.decode_batch("uper", array))
        assert pa.array(schema.encode_batch("uper", columns)).equals(array)
        _rate(f"decode_batch, {name}", partial(schema.decode_batch, "uper", array), calls)
        _rate(f"encode_batch, {name}", partial(schema.encode_batch, "uper", columns), calls)
    fields = partial(cam.decode_batch, "uper", array, columns=COLUMNS[:4])
    _rate("decode_batch, shipped, 4 fields", fields, calls)
    in_protobuf = pa.array([cam.convert(octets, "uper", "protobuf") for octets in messages])
    _rate("decode_batch of Protocol Buffers", partial(cam.decode_batch, "protobuf", in_protobuf), calls)
    handler = ptars_handler(cam)
    if handler is not None:
        assert handler.array_to_record_batch(in_protobuf).num_rows == BATCH
        _rate("ptars, Protocol Buffers", partial(handler.array_to_record_batch, in_protobuf), calls)


def _rate(name: str, call: Callable[[], object], calls: int) -> None:
    """The best of five runs; the others show how much they differ."""
    call()

    def run() -> float:
        begin = time.process_time()
        for _ in range(calls):
            call()
        return (time.process_time() - begin) / (calls * BATCH)

    spent = sorted(run() for _ in range(5))
    runs = " ".join(f"{time * 1e6:.3f}" for time in spent)
    print(f"{name:32}{1 / spent[0]:14,.0f}{spent[0] * 1e6:10.3f}   {runs}", flush=True)


def ptars_handler(cam: roadwire.Schema) -> Any:
    """What decodes a CAM in Protocol Buffers, as `roadwire schema` maps it; nothing if it is not installed."""
    if importlib.util.find_spec("ptars") is None or importlib.util.find_spec("grpc_tools") is None:
        print("ptars is not installed")
        return None
    from ptars import HandlerPool

    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "roadwire", "schema", "-s", str(cam.name), "--to", "proto"]
        (Path(folder) / "cam.proto").write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
        protoc = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", f"--python_out={folder}", "cam.proto"]
        subprocess.run(protoc, check=True)
        sys.path.insert(0, folder)
        module = importlib.import_module("cam_pb2")
        sys.path.remove(folder)
    return HandlerPool([module.DESCRIPTOR]).get_for_message(module.CAM.DESCRIPTOR)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=0.5, help="for each figure")
    arguments.add_argument("--least", type=float, help="so many times as fast as asn1tools, or the exit code is 1")
    arguments.add_argument("--rows", type=int, help="time batches of so many recorded CAMs on one core, and nothing else")
    given = arguments.parse_args()
    if given.rows is not None:
        throughput(given.rows)
        return
    cam = roadwire.schema("cam-1.4.1")
    least = single(cam, given.seconds)
    batches(cam, given.seconds)
    if given.least is not None and least < given.least:
        sys.exit(f"{least:.1f} times as fast as asn1tools, and not {given.least:g} times")


if __name__ == "__main__":
    main()
