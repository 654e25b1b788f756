"""Memory of `capture` with many jobs: of 44 MB of recorded frames, half of the certificates in them altered so that each is another one. -j 32 takes at most 64 MB more than -j 1, and has the same records."""

import argparse
import hashlib
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import captures

RECORDING = "karloss_testmon4.pcap"
OCTETS = 44_000_000
# How an explicit certificate with an issuer's digest begins; the digest follows.
CERTIFICATE = bytes.fromhex("80030080")
MOST = 64 << 20


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    roadwire = parser.parse_args().roadwire
    recording = captures.FOLDER / RECORDING
    if not recording.exists():
        print(f"NOT MEASURED: {RECORDING} is not there")
        return 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "long.pcap"
        write(file, recording.read_bytes())
        for options in [[], ["--verify"]]:
            memory, records = zip(*(run([roadwire, "capture", *options, "-j", str(jobs), str(file)]) for jobs in (1, 32)))
            print(f"capture {' '.join(options)}: {memory[0] >> 20} MiB with one job, {memory[1] >> 20} with 32")
            if memory[1] - memory[0] > MOST:
                wrong.append(f"32 jobs take {(memory[1] - memory[0]) >> 20} MiB more than one: at most {MOST >> 20}")
            if records[0] != records[1]:
                wrong.append("32 jobs have other records than one")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


def write(file, recorded):
    """Frames one after the other, until there are enough. Every second one has a certificate of its own."""
    chance, frames, at = random.Random(1), [], 24
    while at < len(recorded):
        length = struct.unpack_from("<I", recorded, at + 8)[0]
        frames.append(recorded[at : at + 16 + length])
        at += 16 + length
    with file.open("wb") as out:
        out.write(recorded[:24])
        count = 0
        while out.tell() < OCTETS:
            frame = frames[count % len(frames)]
            place = frame.find(CERTIFICATE)
            if count % 2 and place >= 0:
                digest = place + len(CERTIFICATE)
                frame = frame[:digest] + chance.randbytes(8) + frame[digest + 8 :]
            out.write(frame)
            count += 1


def run(command):
    """The most memory of a program, in octets, and the digest of what it wrote."""
    digest = hashlib.sha256()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while part := child.stdout.read(1 << 20):
        digest.update(part)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    # 1: there are frames whose records are damaged.
    if child.returncode not in (0, 1):
        sys.exit(f"{command} failed")
    return used.ru_maxrss << 10, digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
