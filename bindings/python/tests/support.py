"""What the tests share: vectors, recorded messages, and values in JER's form."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import struct
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import roadwire

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"
VECTORS = sorted((ROOT / "crates/messages/tests/vectors").glob("*.jsonl"))
TEXT_RULES = {"xer", "cxer", "exer", "jer"}

CAM = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")

# A root, and a ticket for CAM that it issued, with its key; valid for an hour from 2019-06-11T08:00:00Z.
ROOT_CERTIFICATE = bytes.fromhex(
    "8003008100088300000000001d0bfc85840001010100818080826ff03b949241ce1dadd43519e6960e0a85b41a69a05c3281"
    "03aa2bce1594ca168080f81090d3109d65f0d2a9a1c435ea5a06d4d4a6f974100a8723af44865d1fe5523e048c308187f97b"
    "df357affbe41d015f045d77b8a5a2253c511b11d5d27664d"
)
TICKET = bytes.fromhex(
    "800300801ab1004d5f13690f108300000000001d0bfc858400010101000124808082550f471003f3df97c3df506ac797f672"
    "1fb1a1fb7b8f6f83d224498a65c88e24808036f0c6346a6e1c19d0a5542d2faea37433bc0b8897d83f9d9385b991b534e9a9"
    "30b6727e8e4e176a2338752cdf9e3c972ef5a7d5fc74cff881e2f93b12e479cb"
)
KEY = bytes([2] * 32)
# Another root, on P-384, which has issued nothing here.
OTHER_ROOT_CERTIFICATE = bytes.fromhex(
    "8003008101088300000000001d0bfc85840001010100818083318243e3af2a0db9086750976877650f426d2157a45e10de64"
    "6ff857198b226df0d4b2243408e03ba711d9c34c51cb34441383618042e066e282cb4aca4da04f91ada135191bf43f0e0d2a"
    "fe066261060e8d6803b410f55ce844b6064b026d35d7011a116a4b29b69fc65b3d1627515fca77a45ea95542802a5f0e74d5"
    "e6601a7f01896f3aa549798b0da778c5cd7bf2845dd2d86d"
)
# Another ticket of the same holder that names the root's lists of revoked certificates, and such a list that has it.
REVOCABLE_TICKET = bytes.fromhex(
    "800300801ab1004d5f13690f108313690f00001d0bfc858400010101000124808082550f471003f3df97c3df506ac797f672"
    "1fb1a1fb7b8f6f83d224498a65c88e248080516be65c9db7b35aa31eb829b15ba56c4188c597025089f960c7a647655beb8e"
    "2e460c0016c648f985dfc61acf031f8a92d41938465dcdec2ac5b0fb98b6a241"
)
CRL = bytes.fromhex(
    "0381004003802b0100001ab1004d5f13690f1d0bfcc11d0c0a9500800000000000010100c4312e09a8e98134e3b000000000"
    "00020100810101800300801ab1004d5f13690f108300000000001d0bfc858400010101800201008007000101010100008080"
    "82591ab771ebbcfd6d9cb9094d106528add1a69d44c2c1f627f089ec58b9c61adf8080cf1fe2e9302e3b741e721a2042c04e"
    "ed41a85c16cdb8086d3e5a46955f40f57f1a0c7e827cd4f4f145191423b4945789f2a9daf3c78bf8eafcd0f2fbca9155b280"
    "80a8e6293e5394c3303bc6afc565cc5a90e774f24d3c94a6093f5aabed2bbca41248876563142d0d88d434e2c33ae19dd054"
    "c93c52f58cc339cf75deb0e2cdbb3f"
)
# Tickets for CAM that are valid in a circle, and in Germany.
CIRCLE_TICKET = bytes.fromhex(
    "800300801ab1004d5f13690f508300000000001d0bfc85840001801c9c3800068e778003e80101000124808082550f471003"
    "f3df97c3df506ac797f6721fb1a1fb7b8f6f83d224498a65c88e248080405cdbab15e2fa1ee7bd6950c9a1a32fd112cf5749"
    "f5a6afc2db0a4acde4a6b93c5a93b73f711d3f29586e05d339a3284fb54f7ae08c69e824622a888b7dd61c"
)
COUNTRY_TICKET = bytes.fromhex(
    "800300801ab1004d5f13690f508300000000001d0bfc858400018301018001140101000124808082550f471003f3df97c3df"
    "506ac797f6721fb1a1fb7b8f6f83d224498a65c88e24808020afd106f443b15a80a9422a4575798ade9e2405ccd4f18e35d6"
    "be78c95e8f105634ce7be6429df41d7825e4f26f99b9bdca8a07a35930d7f0cacd3056702482"
)
# A CAM in GeoNetworking, signed without a time, which the profile of TS 103 097 asks for.
UNTIMED = bytes.fromhex(
    "0381004003804220500200001e01001400a1b2c3d4e5f684db8a101d4eecbc09e4a254800c03840000000007d10000020284"
    "db8a1042a600fa5e7aa18ea5ceac81901900003b791280000124810101800300801ab1004d5f13690f108300000000001d0b"
    "fc858400010101000124808082550f471003f3df97c3df506ac797f6721fb1a1fb7b8f6f83d224498a65c88e24808036f0c6"
    "346a6e1c19d0a5542d2faea37433bc0b8897d83f9d9385b991b534e9a930b6727e8e4e176a2338752cdf9e3c972ef5a7d5fc"
    "74cff881e2f93b12e479cb808087d4478c355eb7776c8f98a87306c740d1868e1443d0e47ed34d423f5fae8a0240ba67a9cd"
    "e50bc4dbb8d53436c1df5eca1d1ace3b33ada7b7749b48bdddab49"
)
RECORDED = datetime(2019, 6, 11, 8, 14, 2, tzinfo=timezone.utc)


def missing(engine: str) -> None:
    """Leaves a test out where an engine is not installed; in CI it fails."""
    if importlib.util.find_spec(engine) is not None:
        return
    why = f"{engine} is not installed: pip install -r bindings/python/requirements-engines.txt, and Java for Spark"
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def write_capture(file: Path, frames: Iterable[tuple[int, bytes]], microseconds: int = 0) -> Path:
    """A pcap file of frames on Ethernet, each with its time in seconds since 1970, and so many microseconds."""
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    records = (struct.pack("<IIII", at, microseconds, len(frame), len(frame)) + frame for at, frame in frames)
    file.write_bytes(head + b"".join(records))
    return file


class Vector(NamedTuple):
    """A value, and its octets under each set of rules: those that are written first, then others that are read."""

    type: str
    value: str
    octets: dict[str, list[bytes]]


@cache
def read_vectors(file: Path) -> tuple[tuple[str, ...], tuple[Vector, ...]]:
    """The module files, and the vectors."""
    head, *lines = [json.loads(line) for line in file.read_text().splitlines()]
    return tuple(head["modules"]), tuple(map(_vector, lines))


def _vector(line: dict[str, Any]) -> Vector:
    octets = {}
    for rules in roadwire.rules():
        if rules in line:
            found = line[rules]
            found = line[found] if isinstance(found, str) else found
            octets[rules] = [one[0].encode() if rules in TEXT_RULES else bytes.fromhex(one[0]) for one in found]
    return Vector(line["type"], line["value"], octets)


def shipped_vectors(name: str) -> tuple[Vector, ...]:
    """The vectors of a shipped schema."""
    file = ROOT / "crates/messages/tests/vectors" / f"{name}.jsonl"
    return read_vectors(file)[1] if file.exists() else ()


def schema_of(file: Path) -> roadwire.Schema:
    """The schema of a file of vectors: the shipped one, with generated code, where there is one."""
    if file.stem in roadwire.schemas():
        return roadwire.schema(file.stem)
    return roadwire.compile([ROOT / module for module in read_vectors(file)[0]])


def is_jer(value: object, text: object) -> bool:
    """Whether a Python value is what JER's text says, as `json` reads it."""
    match value, text:
        case bytes(), str():
            return value.hex().upper() == text
        case (bytes() as octets, int()), str():
            return octets.hex().upper() == text
        case (bytes() as octets, int(length)), {"value": str(digits), "length": int(bits)}:
            return octets.hex().upper() == digits and length == bits
        case dict(), dict():
            return list(value) == list(text) and all(is_jer(value[name], text[name]) for name in value)
        case list(), list():
            return len(value) == len(text) and all(map(is_jer, value, text))
        case float(), str():
            return {"-0": "-0.0", "INF": "inf", "-INF": "-inf", "NaN": "nan"}[text] == repr(value)
        case float(), int() | float():
            return value == text
        case _:
            return type(value) is type(text) and value == text


def same(a: object, b: object) -> bool:
    """Whether two values are the same, with their types, whatever the order of components; NaN is the same as NaN."""
    match a, b:
        case dict(), dict():
            return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
        case list(), list():
            return len(a) == len(b) and all(map(same, a, b))
        case _:
            return type(a) is type(b) and repr(a) == repr(b)


class Recorded(NamedTuple):
    schema: str
    octets: bytes


@cache
def recorded() -> tuple[Recorded, ...]:
    """Recorded messages, where the material is there."""
    return tuple(_recorded())


def _recorded() -> Iterator[Recorded]:
    names = {"CAM": "cam-1.4.1", "DENM": "denm-1.3.1"}
    for file in sorted((SHARED / "captures/extracted").glob("*.jsonl.gz")):
        with gzip.open(file, "rt") as lines:
            for line in lines:
                message = json.loads(line)
                if message.get("type") in names and "value" in message:
                    yield Recorded(names[message["type"]], bytes.fromhex(message["uper"]))
