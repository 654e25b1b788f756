"""The recordings of road traffic and the certificates beside the project, where they are there."""

import gzip
import json

import schemas

FOLDER = schemas.ROOT.parent / "shared" / "captures"


def files():
    return sorted(FOLDER.glob("*.pcap*"))


def secured(capture):
    """The signed messages of a capture: the frame's number, and the message's octets, behind the basic header of GeoNetworking."""
    with gzip.open(FOLDER / "extracted" / f"{capture.stem}.jsonl.gz", "rt") as file:
        for line in map(json.loads, file):
            if line["secured"]:
                yield line["frame"], bytes.fromhex(line["gn"])[4:]


def certificates():
    """Certificates of TS 103 097 in COER, and what has some in it."""
    files = sorted((FOLDER / "certificates").glob("*/*.oer"))
    # The version, 3, is the first octet of a message; in a certificate a preamble is in front of it. The file for which recursion is limited is neither.
    every = [file.read_bytes() for file in files if "recursion" not in file.name]
    return [one for one in every if one[0] != 3], [one for one in every if one[0] == 3]
