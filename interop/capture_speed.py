"""Times reading recorded frames with CAM and DENM, beside tshark and pycrate: roadwire's JSON lines and Arrow, tshark's JSON, and pycrate decoding the messages alone.

The frames are those of the recordings beside the project, where they are there, one after the other until there are enough, on Ethernet. Each program reads a file of few frames and one of many: what differs is the time of
the frames, without starting and reading schemas. Times are processor time (user and system, of all threads), the least of some rounds in which the programs take turns. JSON goes to
/dev/null. pycrate gets the messages as octets,
without link layer, GeoNetworking and security, and its values are read (`get_val`), so it does less than the others.

With --mixed the frames are all that were recorded, with MAPEM, SPATEM, CPM and others among them, and only roadwire's JSON lines are timed.
"""

import argparse
import collections
import gzip
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import captures
import oracles
import rewrites
import schemas

ETHERNET = bytes.fromhex("ffffffffffff0001020304058947")
KINDS = {"CAM": "EN302637-2 v1.4.1", "DENM": "EN302637-3 v1.3.1"}
# Of the recordings, in the smaller file.
FEW = 100


def recorded(mixed):
    """Packets and the messages in them, with their kind: CAM and DENM, or all."""
    for capture in captures.files():
        with gzip.open(captures.FOLDER / "extracted" / f"{capture.stem}.jsonl.gz", "rt") as file:
            for line in map(json.loads, file):
                if mixed or KINDS.get(line["type"], "none") == line.get("schema"):
                    yield bytes.fromhex(line["gn"]), line["type"], bytes.fromhex(line["uper"])


def repeated(packets, count):
    return [packets[at % len(packets)] for at in range(count)]


def pcap(path, packets):
    with path.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for at, (packet, _, _) in enumerate(packets):
            frame = ETHERNET + packet
            out.write(struct.pack("<IIII", 1_560_240_842 + at // 1000, at % 1000 * 1000, len(frame), len(frame)))
            out.write(frame)


def processor_time(command):
    """Of a program that is run to its end, in seconds."""
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen([str(word) for word in command], stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command[0]} failed")
    return used.ru_utime + used.ru_stime


class Pycrate:
    """With the shipped modules: those of its library are of the messages' first version."""

    TYPES = {"CAM": ("cam-1.4.1", "CAM-PDU-Descriptions.CAM"), "DENM": ("denm-1.3.1", "DENM-PDU-Descriptions.DENM")}

    def __init__(self, folder):
        oracle, self.types, self.refused = oracles.Pycrate(folder), {}, []
        for kind, (schema, name) in self.TYPES.items():
            texts, _ = rewrites.INNER_SUBTYPING.of([schemas.file_of(schema).read_text()])
            self.types[kind] = oracle.find(oracle.compile(texts, "uper"), name)

    def time(self, packets):
        """Of decoding messages, in seconds."""
        began = time.process_time()
        for _, kind, octets in packets:
            try:
                self.types[kind].from_uper(octets)
                self.types[kind].get_val()
            except Exception as error:  # Whatever it throws.
                self.refused.append(f"{kind} {octets.hex()}: {error}")
        return time.process_time() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roadwire", required=True, type=pathlib.Path)
    parser.add_argument("--frames", type=int, default=50000, help="how many for roadwire [50000]")
    parser.add_argument("--fewer", type=int, default=5, help="how many times fewer for tshark and pycrate, which take longer [5]")
    parser.add_argument("--rounds", type=int, default=3, help="[3]")
    parser.add_argument("--mixed", action="store_true", help="frames of all kinds of messages, and JSON lines alone")
    arguments = parser.parse_args()
    packets = list(recorded(arguments.mixed)) if captures.FOLDER.is_dir() else []
    if not packets:
        print("NOT COMPARED: the time of reading recorded frames, which are not there")
        return 0
    fewer = max(arguments.frames // arguments.fewer, 2 * FEW)
    with tempfile.TemporaryDirectory() as scratch:
        files = {}
        for count in {FEW, fewer, arguments.frames}:
            files[count] = pathlib.Path(scratch) / f"{count}.pcap"
            pcap(files[count], repeated(packets, count))
        out = pathlib.Path(scratch) / "out"

        def capture(*options):
            return lambda count: processor_time([arguments.roadwire, "capture", files[count], "--to", *options])

        programs = {"roadwire, JSON lines": (capture("jsonl"), arguments.frames)}
        pycrate = None if arguments.mixed else Pycrate(scratch)
        if pycrate:
            programs["roadwire, Arrow in a file"] = (capture("arrow", "--force", "-o", out), arguments.frames)
            programs["pycrate, messages alone"] = (lambda count: pycrate.time(repeated(packets, count)), fewer)
        if pycrate and shutil.which("tshark"):
            programs["tshark, JSON"] = (lambda count: processor_time(["tshark", "-r", files[count], "-T", "json"]), fewer)
        elif pycrate:
            print("NOT COMPARED: tshark, which is not installed (Debian: tshark)")
        seconds = {name: ([], []) for name in programs}
        for _ in range(arguments.rounds):
            for name, (run, count) in programs.items():
                for at, frames in enumerate((FEW, count)):
                    seconds[name][at].append(run(frames))
    counts = collections.Counter(kind for _, kind, _ in packets)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    octets = sum(len(ETHERNET) + len(packet) for packet, _, _ in packets) / len(packets)
    print(f"{len(packets)} recorded frames ({kinds}; {octets:.0f} octets), repeated; least of {arguments.rounds} rounds, processor time:")
    per_frame = {name: (min(many) - min(few)) / (programs[name][1] - FEW) for name, (few, many) in seconds.items()}
    least = per_frame["roadwire, JSON lines"]
    print("| | frames | start-up, ms | µs for a frame | frames a second | times as long as JSON lines |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, each in per_frame.items():
        start = max(min(seconds[name][0]) - FEW * each, 0) * 1e3
        print(f"| {name} | {programs[name][1]} | {start:.0f} | {each * 1e6:.2f} | {1 / each:,.0f} | {each / least:.2f} |")
    refused = pycrate.refused if pycrate else []
    for message in refused[:5]:
        print(f"  pycrate has no value of {message}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
