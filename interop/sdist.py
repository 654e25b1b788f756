"""sdist.py NAME VERSION FOLDER: the source distribution of a package from the registry, unpacked into FOLDER/NAME-VERSION; nothing of it runs."""

import io
import json
import os
import sys
import tarfile
import urllib.request


def main(name, version, folder):
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    request = urllib.request.Request(f"{index}/{name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    url = next(file["url"] for file in files if file["filename"] == f"{name}-{version}.tar.gz")
    with urllib.request.urlopen(urllib.request.urljoin(f"{index}/{name}/", url), timeout=300) as answer:
        with tarfile.open(fileobj=io.BytesIO(answer.read())) as archive:
            archive.extractall(folder, filter="data")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(f"the registry does not answer: {error}")
