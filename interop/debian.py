"""debian.py NAME FOLDER: what we read of a source package of Debian's (SOURCES), unpacked into FOLDER/NAME_VERSION; nothing of it runs. It comes from the mirror that apt uses. Exits with 1 if it cannot be fetched."""

import fnmatch
import hashlib
import io
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.request

# The file below `pool`, its SHA-256, and what is kept of it.
SOURCES = {
    "asn1c": (
        "main/a/asn1c/asn1c_0.9.28+dfsg.orig.tar.gz",
        "b77423d9577a99139448bcf5b6aec61a92ef6b45236e50ba431143cb35da4d39",
        ["*/tests/*.asn1"],
    ),
    "wireshark": (
        "main/w/wireshark/wireshark_4.0.17.orig.tar.bz2",
        "62fd1491b6211d1651a16a45ead15808970b3a6a9ebde2537f96722af47aaaa5",
        ["*/epan/dissectors/asn1/*.asn", "*/test/captures/krb-816.pcap.gz"],
    ),
}


def unpacked(name, folder):
    """Where it is, or will be."""
    return pathlib.Path(folder) / pathlib.PurePath(SOURCES[name][0]).name.split(".orig.")[0]


def main(name, folder):
    place = unpacked(name, folder)
    if place.is_dir():
        return
    path, digest, kept = SOURCES[name]
    archive = fetched(path)
    if hashlib.sha256(archive).hexdigest() != digest:
        raise ValueError(f"{path} has another SHA-256")
    # Under its name only when it is whole.
    part = place.with_name(f"{place.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            if member.isfile() and any(fnmatch.fnmatch(member.name, one) for one in kept):
                files.extract(member, part, filter="data")
    part.rename(place)


def fetched(path):
    targets = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"], capture_output=True, text=True, check=True)
    error = OSError("apt knows no mirror")
    for mirror in dict.fromkeys(targets.stdout.split()):
        try:
            with urllib.request.urlopen(f"{mirror.rstrip('/')}/pool/{path}", timeout=300) as answer:
                return answer.read()
        except OSError as one:
            error = one
    raise error


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"the source package cannot be fetched: {error!r}")
