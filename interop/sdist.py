"""sdist.py NAME FOLDER: the source distribution of a package of requirements.txt from the registry, unpacked into FOLDER/NAME-VERSION; nothing of it runs here. Exits with 1 if it cannot be fetched."""

import io
import json
import os
import pathlib
import re
import sys
import tarfile
import urllib.request


def unpacked(name, folder):
    """Where it is, or will be."""
    requirements = pathlib.Path(__file__).with_name("requirements.txt").read_text()
    version = re.search(rf"^{name}==(.*)$", requirements, re.MULTILINE).group(1)
    return pathlib.Path(folder) / f"{name}-{version}"


def main(name, folder):
    path = unpacked(name, folder)
    if path.is_dir():
        return
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    request = urllib.request.Request(f"{index}/{name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    url = next(file["url"] for file in files if file["filename"] == f"{path.name}.tar.gz")
    with urllib.request.urlopen(urllib.request.urljoin(f"{index}/{name}/", url), timeout=300) as answer:
        with tarfile.open(fileobj=io.BytesIO(answer.read())) as archive:
            archive.extractall(folder, filter="data")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError, StopIteration) as error:
        sys.exit(f"the source distribution cannot be fetched: {error!r}")
