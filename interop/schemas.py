"""The schemas that roadwire has by name, and where their files are."""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Folders with a list of schemas, `schemas.toml`.
FOLDERS = [ROOT / "crates" / name / "schemas" for name in ("messages", "papers")]
# Not compared yet: how the other implementations differ here is not explained. (asn1tools does not find open types in some of them, and pycrate refuses some inner subtyping.)
NOT_YET = set(
    "cam-2.3.1 denm-2.3.1 cpm-2.1.1 vam-2.3.1 ivim-2.1.1 spatem-2.1.1 mapem-2.1.1 srem-2.1.1 ssem-2.1.1 rtcmem-2.1.1 ieee1609dot2-2022 ts103097-2.1.1 ts102941-2.2.1 cpm-tr-103562".split()
)

# Versions between, with the constructs of these.
NOT_YET.update("cam-2.1.1 denm-2.2.1 vam-2.2.1".split())


def named():
    """Each schema's entry in its list, and its module files; without those that are not compared yet."""
    for folder in FOLDERS:
        for schema in tomllib.loads((folder / "schemas.toml").read_text())["schema"]:
            if schema["name"] not in NOT_YET:
                yield schema, [folder / file for file in schema["files"]]


def file_of(name):
    """The one module file of a schema."""
    [file] = next(files for schema, files in named() if schema["name"] == name)
    return file
