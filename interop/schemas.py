"""The schemas that roadwire has by name, and where their files are."""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Folders with a list of schemas, `schemas.toml`.
FOLDERS = [ROOT / "crates" / name / "schemas" for name in ("messages", "papers")]
# Not compared yet: versions between, whose differences have no rows in known_differences.
NOT_YET = {"cam-2.1.1", "denm-2.2.1", "vam-2.2.1"}


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
