"""Holds the headers of recorded frames against tshark's (Debian: tshark), frame by frame and field by field: link layer, GeoNetworking, BTP.

The frames are those of the recordings beside the project, where they are there, and random ones of all types of packets, which roadwire writes.
"""

import argparse
import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Fields that one of both has alone, by the problem that roadwire has with the frame, and why.
KNOWN = {
    "ieee80211.type": "an acknowledgement or another frame without data: roadwire does not read it",
    "frame.checksum": "the frame check sequence is wrong, and octets are: tshark shows nothing inside an envelope that it cannot read to its end, and roadwire no payload of a header that is wrong",
}
# Fields that tshark has under another name where the area is a circle, or does not show there.
CIRCLE = {"geonw.gxc.distancea": "geonw.gxc.radius", "geonw.gxc.distanceb": None, "geonw.gxc.angle": None}
FIELDS = """
frame.number frame.time_epoch radiotap.mactime radiotap.datarate radiotap.channel.freq radiotap.dbm_antsignal eth.src eth.dst
wlan.sa wlan.da wlan.duration wlan.seq
geonw.bh.version geonw.bh.nh geonw.bh.reserved geonw.bh.lt.mult geonw.bh.lt.base geonw.bh.rhl
geonw.ch.nh geonw.ch.reserved1 geonw.ch.htype geonw.ch.tc.buffer geonw.ch.tc.offload geonw.ch.tc.id geonw.ch.flags.mob geonw.ch.plength
geonw.ch.mhl geonw.ch.reserved2 geonw.seq_num geonw.reserved
geonw.src_pos.addr.manual geonw.src_pos.addr.type geonw.src_pos.addr.country geonw.src_pos.addr.mid geonw.src_pos.tst geonw.src_pos.lat
geonw.src_pos.long geonw.src_pos.pai geonw.src_pos.speed geonw.src_pos.hdg
geonw.dst_pos.addr.manual geonw.dst_pos.addr.type geonw.dst_pos.addr.country geonw.dst_pos.addr.mid geonw.dst_pos.tst geonw.dst_pos.lat
geonw.dst_pos.long
geonw.gxc.latitude geonw.gxc.longitude geonw.gxc.distancea geonw.gxc.distanceb geonw.gxc.angle
geonw.ls_req.addr.manual geonw.ls_req.addr.type geonw.ls_req.addr.country geonw.ls_req.addr.mid
btpa.dstport btpa.srcport btpb.dstport btpb.dstportinf
""".split()


def tshark(path):
    """A dictionary for each frame, of the fields that it has."""
    fields = [*FIELDS, "geonw.gxc.radius"]
    options = [word for field in fields for word in ("-e", field)]
    command = ["tshark", "-r", path, "-T", "fields", "-E", "occurrence=f", "-E", "separator=/t", *options]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [{name: value for name, value in zip(fields, line.split("\t")) if value} for line in lines]


def roadwire(program, path):
    lines = subprocess.run([program, path], check=True, capture_output=True, text=True).stdout.splitlines()
    return [dict(cell.split("=", 1) for cell in line.split("\t")) for line in lines]


def plain(value):
    """A number whatever its digits, or the text."""
    if value is None:
        return None
    for read in (int, lambda text: int(text, 16) if text.startswith("0x") else float(text)):
        try:
            return read(value)
        except ValueError:
            pass
    return value


def compare(program, path, name, show):
    theirs, ours = tshark(path), roadwire(program, path)
    if len(theirs) != len(ours):
        print(f"  {name}: tshark has {len(theirs)} frames, roadwire {len(ours)}")
        return 1
    same, known, wrong = 0, collections.Counter(), []
    for one, other in zip(theirs, ours):
        is_circle = "geonw.gxc.radius" in one
        for field in FIELDS:
            mine, its = plain(other.get(field)), plain(one.get(field))
            if is_circle and field in CIRCLE:
                its = plain(one.get(CIRCLE[field])) if CIRCLE[field] else mine
            if mine == its:
                same += mine is not None
            elif other.get("problem") in KNOWN and None in (mine, its):
                known[other["problem"]] += 1
            else:
                wrong.append((other["frame.number"], field, one.get(field), other.get(field)))
    print(f"  {name}: {len(ours)} frames, {same} fields the same" + "".join(f", {count} known ({code})" for code, count in known.items()))
    for number, field, its, mine in wrong[:show]:
        print(f"    frame {number}: {field} is {its} for tshark, {mine} for roadwire")
    if len(wrong) > show:
        print(f"    and {len(wrong) - show} more")
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headers", required=True, help="the example `headers` of roadwire-capture")
    parser.add_argument("--captures", type=pathlib.Path, help="a folder of recordings [default: those beside the project]")
    parser.add_argument("--frames", type=int, default=20000, help="how many random frames")
    parser.add_argument("--show", type=int, default=5)
    arguments = parser.parse_args()
    if shutil.which("tshark") is None:
        print("NOT COMPARED: headers of recorded frames; tshark is not installed (Debian: tshark)")
        return 0
    wrong = 0
    folder = arguments.captures or pathlib.Path(__file__).resolve().parents[2] / "shared" / "captures"
    files = sorted(path for path in folder.glob("*.pcap*")) if folder.is_dir() else []
    for path in files:
        wrong += compare(arguments.headers, str(path), path.name, arguments.show)
    if not files:
        print("  NOT COMPARED: recordings, which are not there")
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "random.pcap"
        with path.open("wb") as out:
            subprocess.run([arguments.headers, "--random", str(arguments.frames)], check=True, stdout=out)
        wrong += compare(arguments.headers, str(path), "random frames", arguments.show)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
