"""The schemas that roadwire has by name, and where their files are."""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Folders with a list of schemas, `schemas.toml`.
FOLDERS = [ROOT / "crates" / name / "schemas" for name in ("messages", "papers")]


def named():
    """Each schema's entry in its list, and its module files."""
    for folder in FOLDERS:
        for schema in tomllib.loads((folder / "schemas.toml").read_text())["schema"]:
            yield schema, [folder / file for file in schema["files"]]


def files_of(name):
    """The module files of a schema."""
    [files] = [files for schema, files in named() if schema["name"] == name]
    return files


def file_of(name):
    """The one module file of a schema."""
    [file] = files_of(name)
    return file
