"""Recorded traffic as an Arrow stream."""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute
import pytest

import roadwire
from support import (
    CAM,
    CRL,
    KEY,
    OTHER_ROOT_CERTIFICATE,
    RECORDED,
    REVOCABLE_TICKET,
    ROOT_CERTIFICATE,
    SHARED,
    TICKET,
    UNTIMED,
    write_capture,
)


def packet(payload: bytes, port: int = 2001) -> bytes:
    """A frame on Ethernet with a message (a CAM, on its port) in BTP-B, sent to the stations around (GeoNetworking, single hop)."""
    basic = bytes([0x11, 0, 0x1A, 1])
    common = bytes([0x20, 0x50, 0x02, 0x80]) + struct.pack(">HBB", 4 + len(payload), 1, 0)
    position = bytes.fromhex("1400a1b2c3d4e5f6") + struct.pack(">IiiHH", 1000, 491711500, 165978980, 0x8000, 900)
    btp = struct.pack(">HH", port, 0)
    ethernet = b"\xff" * 6 + bytes.fromhex("a1b2c3d4e5f6") + b"\x89\x47"
    return ethernet + basic + common + position + bytes(4) + btp + payload


def secured(payload: bytes, ticket: bytes = TICKET) -> bytes:
    """The same frame, signed by the holder of the ticket at 2019-06-11T08:14:02Z."""
    frame = packet(payload)
    envelope = roadwire.sign(frame[18:], certificate=ticket, key=KEY, psid=36, generated=RECORDED)
    # The basic header says that an envelope follows.
    return frame[:14] + bytes([0x12]) + frame[15:18] + envelope


def recording(folder: Path, packets: list[bytes], begin: int = 0) -> Path:
    """A pcap file, a frame each second from `begin`, in seconds since 1970."""
    return write_capture(folder / "test.pcap", enumerate(packets, begin))


def chains(folder: Path) -> tuple[Path, dict[str, list[str]]]:
    """A recording of signed CAMs, and files of trusted certificates: the root of their signer, another root, and none."""
    file = recording(folder, [secured(CAM)] * 2, round(RECORDED.timestamp()))
    root, stranger = folder / "root.oer", folder / "stranger.oer"
    root.write_bytes(ROOT_CERTIFICATE)
    stranger.write_bytes(OTHER_ROOT_CERTIFICATE)
    return file, {"root": [str(root)], "stranger": [str(stranger)], "nobody": []}


class Options(NamedTuple):
    """Options of verification, and the verdicts on the frames of `optional`."""

    python: dict[str, Any]
    verdicts: list[str]


def optional(folder: Path) -> tuple[Path, list[Options]]:
    """A recording of signed CAMs: of a certificate that a list has, and without a time; and options of verification."""
    untimed = packet(CAM)[:14] + bytes.fromhex("12001a01") + UNTIMED
    file = recording(folder, [secured(CAM, REVOCABLE_TICKET), secured(CAM), untimed], round(RECORDED.timestamp()))
    root, crl = folder / "root.oer", folder / "list.oer"
    root.write_bytes(ROOT_CERTIFICATE)
    crl.write_text(CRL.hex())
    signer = roadwire.verify(roadwire.sign(CAM, certificate=REVOCABLE_TICKET, key=KEY, psid=36, generated=RECORDED)).signer
    assert signer is not None
    trust = {"trust": [str(root)]}
    return file, [
        Options({**trust}, ["valid", "valid", "invalid"]),
        Options({"profile": "etsi"}, ["signed", "signed", "invalid"]),
        Options({"profile": "none"}, ["signed", "signed", "signed"]),
        Options({**trust, "profile": "none", "crl": [str(crl)]}, ["invalid", "valid", "valid"]),
        Options({"revoke": ["0011223344556677", signer.hex()]}, ["invalid", "signed", "invalid"]),
    ]


def verdicts_of(table: pa.Table) -> list[str]:
    found: list[str] = pa.compute.struct_field(table["security"], "verdict").to_pylist()
    return found


def test_options_of_verification_are_those_of_the_command(tmp_path: Path) -> None:
    file, cases = optional(tmp_path)
    for options, verdicts in cases:
        assert verdicts_of(pa.table(roadwire.read_capture(file, **options))) == verdicts, options
        lists = {name: [value] if isinstance(value, str) else value for name, value in options.items()}
        words = [word for name, values in lists.items() for value in values for word in (f"--{name}", value)]
        command = [sys.executable, "-m", "roadwire", "capture", str(file), *words]
        ran = subprocess.run(command, capture_output=True, check=True)
        assert [json.loads(line)["security"]["verdict"] for line in ran.stdout.splitlines()] == verdicts, words
    with pytest.raises(roadwire.Error, match="list.oer") as refused:
        roadwire.read_capture(file, crl=[tmp_path / "list.oer"])
    assert refused.value.code == "crl"
    with pytest.raises(roadwire.FileNotFound, match="nowhere.oer"):
        roadwire.read_capture(file, crl=[tmp_path / "nowhere.oer"])
    with pytest.raises(ValueError, match="HashedId8"):
        roadwire.read_capture(file, revoke=["0011"])
    with pytest.raises(ValueError, match="'etsi' or 'none'"):
        roadwire.read_capture(file, profile="ieee")  # type: ignore[arg-type]


def shared_chain() -> tuple[Path, list[str]] | None:
    """A recording of the shared material, and a certificate that has issued none of its signers'."""
    file = SHARED / "captures/boslx_CAM_Recording.pcapng"
    trust = SHARED / "captures/certificates/bc-java/CERT_IUT_A_AA.oer"
    return (file, [str(trust)]) if file.exists() and trust.exists() else None


def test_frames_are_rows(tmp_path: Path) -> None:
    file = recording(tmp_path, [packet(CAM), packet(CAM[:9]), b"\x00" * 20])
    reader = roadwire.read_capture(file)
    table = pa.table(reader)
    table.validate(full=True)
    assert table.schema == pa.schema(reader.schema)
    first, second, third = table.to_pylist()
    assert (first["frame"], first["link"], first["file"]) == (1, "ethernet", str(file))
    assert first["geonetworking"]["source"]["latitude"] == 491711500
    assert first["btp"] == {"type": "b", "port": 2001, "source": None, "info": 0}
    assert first["message"]["schema"] == "cam-1.4.1" and first["message"]["octets"] == CAM
    assert second["message"] == {"schema": None, "type": None, "rules": None, "octets": CAM[:9]}
    assert second["problem"]["code"] == "input.truncated"
    assert third["message"] is None
    # From the octets of messages to their values.
    cams = table.filter(pa.compute.equal(pa.compute.struct_field(table["message"], "schema"), "cam-1.4.1"))
    octets = pa.compute.struct_field(cams["message"], "octets")
    batch = pa.record_batch(roadwire.schema("cam-1.4.1").decode_batch("uper", octets))
    assert batch.column("header").to_pylist()[0]["stationID"] == 2228980240


def test_batches_come_one_by_one(tmp_path: Path) -> None:
    file = recording(tmp_path, [packet(CAM)] * 80_000)
    sizes = [len(batch) for batch in roadwire.read_capture(str(file))]
    assert sum(sizes) == 80_000 and len(sizes) > 2
    # Who stops in the middle leaves nothing behind that waits.
    for batch in roadwire.read_capture(file):
        assert len(batch)
        break


def test_a_recording_is_read_once(tmp_path: Path) -> None:
    reader = roadwire.read_capture(recording(tmp_path, [packet(CAM)]))
    pa.table(reader)
    with pytest.raises(ValueError, match="open it again"):
        pa.table(reader)
    with pytest.raises(ValueError, match="open it again"):
        next(reader)


def test_what_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as not_found:
        roadwire.read_capture(tmp_path / "nothing.pcap")
    assert isinstance(not_found.value, roadwire.FileNotFound) and isinstance(not_found.value, roadwire.Error)
    assert (not_found.value.code, not_found.value.filename) == ("file.io", str(tmp_path / "nothing.pcap"))
    with pytest.raises(roadwire.Error) as refused:
        roadwire.read_capture(tmp_path)
    assert refused.value.code == "file.io" and not isinstance(refused.value, FileNotFoundError)
    other = tmp_path / "other.pcap"
    other.write_bytes(b"no recording at all, but some text")
    with pytest.raises(roadwire.Error) as refused:
        roadwire.read_capture(other)
    assert refused.value.code.startswith("capture.")
    # One that ends in the middle: what is there comes first.
    cut = recording(tmp_path, [packet(CAM)] * 3)
    cut.write_bytes(cut.read_bytes()[:-10])
    reader = roadwire.read_capture(cut)
    assert len(next(reader)) == 2
    with pytest.raises(roadwire.Error):
        next(reader)
    empty = roadwire.read_capture(recording(tmp_path, []))
    assert list(empty) == []


@pytest.mark.parametrize("verify", [False, True])
def test_rows_are_the_records_of_the_command(verify: bool) -> None:
    files = sorted((SHARED / "captures").glob("*.pcap*"))
    if not files:
        pytest.skip("there are no recordings here")
    for file in files:
        command = [sys.executable, "-m", "roadwire", "capture", str(file), *(["--verify"] if verify else [])]
        lines = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
        records = [json.loads(line) for line in lines]
        table = pa.table(roadwire.read_capture(file, verify=verify))
        rows = table.select(["frame", "link", "btp", "problem", "message"]).to_pylist()
        verdicts = pa.compute.struct_field(table["security"], "verdict").to_pylist()
        assert len(rows) == len(records)
        for row, verdict, record in zip(rows, verdicts, records, strict=True):
            for name in ("frame", "link", "btp", "problem"):
                assert without_nulls(row[name]) == record.get(name)
            if row["message"] is not None:
                assert row["message"]["octets"].hex() == record["message"]["octets"]
                assert row["message"]["schema"] == record["message"].get("schema")
            assert verdict == record.get("security", {}).get("verdict")


def test_trust_asks_for_a_chain_as_the_command_does(tmp_path: Path) -> None:
    file = recording(tmp_path, [secured(CAM)] * 2, round(RECORDED.timestamp()))
    root, ticket, stranger, none = (tmp_path / name for name in ("root.oer", "ticket.hex", "stranger.oer", "none.oer"))
    root.write_bytes(ROOT_CERTIFICATE)
    ticket.write_text(TICKET.hex())
    stranger.write_bytes(OTHER_ROOT_CERTIFICATE)
    none.write_bytes(bytes(range(64)))

    def verdicts(trust: list[str | Path] | None, verify: bool = False) -> list[str]:
        security = pa.table(roadwire.read_capture(file, verify, trust=trust))["security"]
        found: list[str] = pa.compute.struct_field(security, "verdict").to_pylist()
        options = [word for name in trust or () for word in ("--trust", str(name))] + ["--verify"] * verify
        command = [sys.executable, "-m", "roadwire", "capture", str(file), *options]
        records = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
        assert [json.loads(record)["security"]["verdict"] for record in records] == found
        return found

    assert verdicts(None) == ["not-verified"] * 2
    assert verdicts(None, verify=True) == ["signed"] * 2
    security = pa.table(roadwire.read_capture(file, trust=[]))["security"]
    assert pa.compute.struct_field(security, "verdict").to_pylist() == ["untrusted"] * 2
    # Trust verifies, too, and takes several files, as octets or text.
    assert verdicts([root]) == verdicts([str(root), ticket], verify=True) == ["valid"] * 2
    assert verdicts([stranger]) == ["untrusted"] * 2
    with pytest.raises(roadwire.Error) as refused:
        roadwire.read_capture(file, trust=[none])
    assert refused.value.code == "certificate" and "none.oer" in str(refused.value)
    with pytest.raises(roadwire.FileNotFound) as not_found:
        roadwire.read_capture(file, trust=[tmp_path / "nowhere.oer"])
    assert not_found.value.filename == str(tmp_path / "nowhere.oer")
    with pytest.raises(TypeError):
        roadwire.read_capture(file, trust=str(root))


def test_an_empty_list_of_trust_trusts_nobody(tmp_path: Path) -> None:
    file, trust = chains(tmp_path)
    wanted = {"root": ["valid"] * 2, "stranger": ["untrusted"] * 2, "nobody": ["untrusted"] * 2}
    for verify in (False, True):
        found = {name: verdicts_of(pa.table(roadwire.read_capture(file, verify, trust=trust[name]))) for name in trust}
        assert found == wanted
    assert set(verdicts_of(pa.table(roadwire.read_capture(file)))) == {"not-verified"}
    with pytest.raises(roadwire.Error) as refused:
        roadwire.read_capture(file, trust=[], part=roadwire.capture_parts(file)[0])
    assert refused.value.code == "capture.part"


def without_nulls(part: object) -> object:
    return {name: value for name, value in part.items() if value is not None} if isinstance(part, dict) else part


def test_more_jobs_and_parts_have_the_same_rows(tmp_path: Path) -> None:
    file = recording(tmp_path, [packet(CAM), packet(CAM[:9]), b"\x00" * 20] * 5_000)
    whole = pa.table(roadwire.read_capture(file))
    assert whole.num_rows == 15_000
    assert pa.table(roadwire.read_capture(file, jobs=4)) == whole
    parts = roadwire.capture_parts(file, 1 << 18)
    assert len(parts) > 2 and sum(part.octets for part in parts) == file.stat().st_size
    assert pa.concat_tables(pa.table(roadwire.read_capture(file, part=part)) for part in parts) == whole
    for part in parts:
        assert pickle.loads(pickle.dumps(part)) == part
    with pytest.raises(roadwire.Error) as caught:
        roadwire.read_capture(file, verify=True, part=parts[0])
    assert caught.value.code == "capture.part"
