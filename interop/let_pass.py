"""Modules that other compilers accept: each module of docs/module-errors.md that its last column says a compiler accepts is given to that compiler. asn1tools and pycrate are
there; asn1c and Erlang's erlc are asked where they are installed."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

import schemas

PAGE = schemas.ROOT / "docs" / "module-errors.md"
# Seconds for one module.
MOST = 60


def asn1tools_takes(text):
    import asn1tools

    asn1tools.compile_string(text)


def pycrate_takes(text):
    from pycrate_asn1c.asnproc import compile_text

    # It wants each assignment, and END, on a line of its own.
    begins = r'(?<=[\w})\]"]) (?=[A-Za-z][\w-]*(\{[^}]*\})?( [A-Z][\w-]*( STRING| IDENTIFIER)?( \([^)]*\))?( \{[^}]*\})?)? ::= )'
    with contextlib.redirect_stdout(io.StringIO()):
        compile_text(re.sub(begins, "\n", text).replace(" END", "\nEND\n"))


def command_takes(*command):
    def takes(text):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "M.asn")
            with open(file, "w") as out:
                out.write(text)
            subprocess.run([*command, file], cwd=folder, check=True, capture_output=True, timeout=MOST)

    return takes


# By the names of the page.
COMPILERS = {
    "asn1tools 0.169": asn1tools_takes,
    "pycrate 0.8.1": pycrate_takes,
    "asn1c 0.9.28": shutil.which("asn1c") and command_takes("asn1c", "-EF"),
    "Erlang/OTP 25": shutil.which("erlc") and command_takes("erlc", "-bber"),
}


def accepted(takes, text):
    """In a process of its own: compilers keep what they read, and some do not come back."""
    child = os.fork()
    if child == 0:
        try:
            takes(text)
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def main():
    confirmed, wrong = dict.fromkeys(COMPILERS, 0), []
    for line in PAGE.read_text().splitlines():
        if not line.startswith("| `asn1."):
            continue
        code, _, _, module, by = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        text = module if "DEFINITIONS" in module else f"M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {module} END"
        for name in filter(None, by.split(", ")):
            if not COMPILERS[name]:
                continue
            if accepted(COMPILERS[name], text):
                confirmed[name] += 1
            else:
                wrong.append(f"{name} refuses the module of {code}")
    for name, takes in COMPILERS.items():
        print(f"{name}: {confirmed[name]} modules accepted" if takes else f"NOT COMPARED: {name} is not installed")
    print(*(f"UNEXPLAINED {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
