"""Messages that others recorded, through modules that others wrote: decoded to JER down to the innermost field, and encoded into the same octets. Where pycrate's library has the type, it has the same value of these
octets. recorded.toml lists what is otherwise, with the reason, and each part that stays octets although it is an open type. README.md says where the messages come from."""

import ast
import gzip
import importlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tomllib

import debian
import foreign_modules
import sdist

HERE = pathlib.Path(__file__).parent
# Types that pycrate's library has compiled, by group.
COMPILED = {
    "asn1tools LDAPMessage ber": ("LDAP", "Lightweight-Directory-Access-Protocol-V3", "LDAPMessage"),
    "pycrate RRC 3G PCCH": ("RRC3G", "Class-definitions", "PCCH-Message"),
    "pycrate RRC 3G DL-DCCH": ("RRC3G", "Class-definitions", "DL-DCCH-Message"),
    "pycrate RRC 3G UL-DCCH": ("RRC3G", "Class-definitions", "UL-DCCH-Message"),
    "pycrate RRC 3G not canonical": ("RRC3G", "Class-definitions", "DL-DCCH-Message"),
    "pycrate S1AP": ("S1AP", "S1AP-PDU-Descriptions", "S1AP-PDU"),
    "pycrate X2AP": ("X2AP", "X2AP-PDU-Descriptions", "X2AP-PDU"),
    "pycrate RRC NB-IoT": ("RRCLTE", "NBIOT-RRC-Definitions", "BCCH-DL-SCH-Message-NB"),
    "pycrate RRC NR": ("RRCNR", "NR-InterNodeDefinitions", "CG-ConfigInfo"),
    "pycrate MAP": ("TCAP_MAP", "TCAP-MAP-Messages", "TCAP-MAP-Message"),
    "pycrate CAP": ("TCAP_CAP", "CAP-gsmSSF-gsmSCF-pkgs-contracts-acs", "GenericSSF-gsmSCF-PDUs"),
    "pycrate CAP from the SCF": ("TCAP_CAP", "CAP-gsmSSF-gsmSCF-pkgs-contracts-acs", "GenericSCF-gsmSSF-PDUs"),
    "pycrate CAP, later ones": ("TCAP_CAP", "CAP-gsmSSF-gsmSCF-pkgs-contracts-acs", "GenericSSF-gsmSCF-PDUs"),
    "pycrate X.509": ("RFC5912", "PKIX1Explicit-2009", "Certificate"),
    "pycrate S1AP, recorded": ("S1AP", "S1AP-PDU-Descriptions", "S1AP-PDU"),
    "pycrate MAP version 2, recorded": ("TCAP_MAPv2", "TCAP-MAP-Messages", "TCAP-MAP-Message"),
    "pycrate MAP, recorded": ("TCAP_MAP", "TCAP-MAP-Messages", "TCAP-MAP-Message"),
    "QCSuper RRC 3G UL-CCCH": ("RRC3G", "Class-definitions", "UL-CCCH-Message"),
    **{f"wireshark {name}": ("Kerberos", "KerberosV5Spec2", name) for name in ("AS-REQ", "AS-REP", "TGS-REQ", "TGS-REP", "KRB-ERROR")},
}

# Cell updates that a phone sent, from the sample captures of QCSuper: an extension of two bits in a BIT STRING (CONTAINING ...), without padding to an octet.
UL_CCCH = ["f7c95f1c88424021e11000014000184604af", "9c43e3ad50c24021e1100002400020409c8090", "a2fd4de018c24021e110000240003040570120"]


def main():
    options = foreign_modules.arguments(__doc__)
    exceptions = tomllib.loads((HERE / "recorded.toml").read_text())["exception"]
    met, wrong, seen = set(), [], set()
    for group in groups(options):
        seen.add(group.name)
        found = list(group.differences(options.roadwire))
        for what, detail in found:
            row = next((at for at, row in enumerate(exceptions) if re.fullmatch(row["group"], group.name) and row["what"] == what and re.search(row["says"], detail)), None)
            met.add(row)
            if row is None:
                wrong.append(f"{group.name}: {what}: {detail[:300]}")
        same = len(group.messages) - sum(what not in ("octets stay", "pycrate") for what, _ in found)
        print(f"{group.name}: {len(group.messages)} messages in {group.rules}: {same} come back as the same octets; {sum(what == 'octets stay' for what, _ in found)} parts stay octets")
    for at, row in enumerate(exceptions):
        if not any(re.fullmatch(row["group"], name) for name in seen):
            continue
        print(f"    {row['group']}: {row['what']}: {row['why']}")
        if at not in met:
            wrong.append(f"{row['group']}: {row['what']}: {row['says']}: there is no such difference any more")
    print(*(f"UNEXPLAINED {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
    if not seen:
        print("NOT COMPARED: recorded messages: neither they nor their modules are here")
    return 1 if wrong else 0


class Group:
    """Messages of one type."""

    def __init__(self, name, files, type_name, rules, messages, keeps_octets=False):
        self.name, self.rules = name, rules
        # Under the same rules, the octets of contents stay.
        self.keeps_octets = keeps_octets
        # Without its module.
        self.type_name = type_name.rpartition(".")[2]
        self.messages = list(dict.fromkeys(message.lower() for message in messages))
        self.what = [f"--type={type_name}", *(f"--module={file}" for file in files)]

    def differences(self, roadwire):
        values = self.convert(roadwire, self.rules, "jer", self.messages)
        again = self.convert(roadwire, "jer", self.rules, values)
        others = [(at, octets) for at, octets in enumerate(again) if octets.lower() != self.messages[at] and not values[at].startswith("error")]
        # Where an encoder has a choice, the octets have the same value at least.
        value_again = dict(zip([at for at, _ in others], self.convert(roadwire, self.rules, "jer", [octets for _, octets in others])))
        compiled = self.name in COMPILED and Compiled(*COMPILED[self.name])
        if self.keeps_octets:
            kept = self.convert(roadwire, self.rules, self.rules, self.messages)
            yield from (("octets change", f"{message[:60]}: {octets}") for message, octets in zip(self.messages, kept) if octets.lower() != message)
        for at, message in enumerate(self.messages):
            if compiled and not values[at].startswith("error"):
                # Of our octets, which leave out defaults.
                yield from (("pycrate", f"{message[:60]}: {one}") for one in compiled.differences(self.rules, bytes.fromhex(again[at]), json.loads(value_again.get(at, values[at]))))
            if values[at].startswith("error"):
                yield "refused", f"{message[:60]}: {values[at]}"
            elif at in value_again:
                yield ("other octets" if value_again[at] == values[at] else "other value"), f"{message[:60]}: {again[at]}"
            if not values[at].startswith("error"):
                yield from (("octets stay", one) for one in [*self.kept(roadwire, message), *strings(json.loads(values[at]))])

    def convert(self, roadwire, rules, to, lines):
        # Values that were sent are sent again, whichever constraints they break.
        command = [roadwire, "convert", "--lines", "--check=encoding", f"--from={rules}", f"--to={to}", *self.what]
        done = subprocess.run(command, input="".join(f"{line if not line.startswith('error') else ''}\n" for line in lines), capture_output=True, text=True)
        answers = done.stdout.splitlines()
        if len(answers) != len(lines):
            raise ValueError(f"{self.name}: {len(answers)} lines of {len(lines)}: {done.stderr[-500:]}")
        return answers

    def kept(self, roadwire, message):
        """The parts that the command shows as octets of an open type: field, and what stands beside it."""
        command = [roadwire, "inspect", "--json", f"--rules={self.rules}", *self.what, "-"]
        done = subprocess.run(command, input=message, capture_output=True, text=True)
        items = [json.loads(line) for line in done.stdout.splitlines()]
        # The last line may list violations.
        items = [item for item in items if "what" in item]
        for item in items:
            if item["what"] == "unknown":
                parent = item["path"].rpartition(".")[0]
                beside = {one["path"]: one["value"] for one in items if one["what"] == "value" and one["path"].rpartition(".")[0] == parent and one is not item}
                beside = [f"{path.rpartition('.')[2]} {value}" for path, value in beside.items()]
                field = re.sub(r"\[[0-9]+\]", "", item["path"])
                yield f"{field} {', '.join(beside)}: {item['value'][:40]}"


class Compiled:
    """A type in pycrate's library, which has JER, too."""

    def __init__(self, name, module, type_name):
        library = importlib.import_module(f"pycrate_asn1dir.{name}")
        from pycrate_asn1rt.codecs import ASN1CodecPER

        ASN1CodecPER.GET_DEFVAL = False
        self.type = getattr(getattr(library, module.replace("-", "_")), type_name.replace("-", "_"))

    def differences(self, rules, octets, ours):
        """Where its value of octets is another one."""
        try:
            {"ber": self.type.from_ber, "der": self.type.from_der, "aper": self.type.from_aper, "uper": self.type.from_uper}[rules](octets)
            theirs = json.loads(self.type.to_jer())
        except Exception as error:  # whatever a library throws
            return [f"throws {error!r}"]
        return different(ours, theirs, "")


def different(ours, theirs, path):
    match ours, theirs:
        case {"containing": content}, dict() if len(theirs) == 1:
            # It has the name of the type.
            yield from different(content, *theirs.values(), path)
        case {"value": value, "length": length}, str():
            # An extensible size, which it takes for a fixed one (X.697 §24.3).
            if value.lower() != theirs.lower() or length != 4 * len(theirs):
                yield f"{path}: {ours}, not {theirs}"
        case dict(), dict() if ours.keys() == theirs.keys():
            for name in ours:
                yield from different(ours[name], theirs[name], f"{path}.{name}")
        case list(), list() if len(ours) == len(theirs):
            for at, one in enumerate(ours):
                yield from different(one, theirs[at], f"{path}[{at}]")
        case str(), str() if re.fullmatch("[0-9A-F]*", ours):
            if ours.lower() != theirs.lower():
                yield f"{path}: {ours}, not {theirs}"
        case _ if ours != theirs:
            yield f"{path}: {str(ours)[:100]}, not {str(theirs)[:100]}"


def strings(value):
    """Extensions of certificates that are strings still: they contain an open type, and if a table tells its type they are an object."""
    if isinstance(value, dict) and isinstance(value.get("extnValue"), str):
        yield f"extnValue, extnID {value['extnID']}"
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from strings(part)


def groups(options):
    asn1tools = sdist.unpacked("asn1tools", options.folder)
    captures = debian.unpacked("wireshark", options.folder)
    shark = {name: files for name, (files, _) in (foreign_modules.wireshark(options) or {}).items()}
    sets = {name: files for name, (files, _) in (foreign_modules.pycrate(options) or {}).items()}
    if asn1tools.is_dir():
        yield from of_asn1tools(asn1tools, shark.get("ldap", []))
    tests = sdist.unpacked("pycrate", options.folder) / "test" / "test_asn1rt.py"
    if tests.is_file():
        for name, part, schema, type_name, rules, messages in of_pycrate(tests, options.pycrate):
            files = sets.get(schema) or [file for file in shark.get(schema, []) if file.name != "S1AP-SonTransfer-IEs.asn"]
            if files:
                yield Group(f"pycrate {name}", files, type_name, rules, messages[part])
    rrc = sets.get("3GPP_UTRAN_RRC_25331") or shark.get("rrc")
    if rrc:
        yield Group("QCSuper RRC 3G UL-CCCH", rrc, "UL-CCCH-Message", "uper", UL_CCCH, keeps_octets=True)
    if "kerberos" in shark:
        kerberos = sets.get("IETF_Kerberos_RFC4120") or [completed(shark["kerberos"], pathlib.Path(options.folder, "kerberos.asn"))]
        [capture] = captures.rglob("krb-816.pcap.gz")
        for type_name, tags in {"AS-REQ": "6a", "AS-REP": "6b", "TGS-REQ": "6c", "TGS-REP": "6d", "KRB-ERROR": "7e"}.items():
            yield Group(f"wireshark {type_name}", kerberos, type_name, "der", [one for one in datagrams(capture) if one.startswith(tags)])


def of_asn1tools(folder, ldap):
    """The messages of asn1tools' tests. Modules that a test has parsed are found by their names."""
    of_modules = {"Lightweight-Directory-Access-Protocol-V3": ldap}
    for file in sorted((folder / "tests" / "files").rglob("*.asn")):
        of_modules.setdefault(" ".join(sorted(foreign_modules.modules(file))), [file])
    command = [sys.executable, str(HERE / "record_asn1tools.py")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        modules, rules, type_name, messages = json.loads(line)
        files = [folder / name for name in modules] if modules[0].endswith(".asn") else of_modules[" ".join(modules)]
        if files:
            yield Group(f"asn1tools {type_name} {rules}", files, type_name, rules, messages)


def of_pycrate(tests, checkout):
    """The messages of pycrate's tests: name, which of them, the schema (a set of pycrate's, or a folder of Wireshark's), type and rules."""
    constants = {}
    for one in ast.parse(tests.read_text()).body:
        # pkts_NAME = tuple(map(unhexlify, ('...', ...)))
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and one.targets[0].id.startswith("pkts_"):
            constants[one.targets[0].id] = ast.literal_eval(one.value.args[0].args[1])
    every = slice(None)
    yield "RRC 3G PCCH", slice(0, 3), "rrc", "PCCH-Message", "uper", constants["pkts_rrc3g"]
    yield "RRC 3G DL-DCCH", slice(3, 14), "rrc", "DL-DCCH-Message", "uper", constants["pkts_rrc3g"]
    yield "RRC 3G UL-DCCH", slice(14, None), "rrc", "UL-DCCH-Message", "uper", constants["pkts_rrc3g"]
    yield "RRC 3G not canonical", every, "rrc", "DL-DCCH-Message", "uper", constants["pkts_rrc3g_nc"]
    yield "S1AP", every, "s1ap", "S1AP-PDU", "aper", constants["pkts_s1ap"]
    yield "X2AP", every, "x2ap", "X2AP-PDU", "aper", constants["pkts_x2ap"]
    yield "RRC NB-IoT", every, "lte-rrc", "BCCH-DL-SCH-Message-NB", "uper", constants["pkts_nbiot"]
    yield "RRC NR", every, "nr-rrc", "CG-ConfigInfo", "uper", constants["pkts_rrc_nr"]
    yield "MAP", every, "Pycrate_TCAP_MAP", "TCAP-MAP-Message", "ber", constants["pkts_tcap_map"]
    # One is from the other side.
    yield "CAP", slice(0, 1), "Pycrate_TCAP_CAP", "GenericSSF-gsmSCF-PDUs", "ber", constants["pkts_tcap_cap"]
    yield "CAP from the SCF", slice(1, 2), "Pycrate_TCAP_CAP", "GenericSCF-gsmSSF-PDUs", "ber", constants["pkts_tcap_cap"]
    yield "CAP, later ones", slice(2, None), "Pycrate_TCAP_CAP", "GenericSSF-gsmSCF-PDUs", "ber", constants["pkts_tcap_cap"]
    yield "X.509", every, "IETF_PKI_RFC5912", "PKIX1Explicit-2009.Certificate", "der", constants["pkts_X509"]
    if checkout:
        recorded = pathlib.Path(checkout, "test", "res")
        s1ap, tcap = (re.findall(f'"{field}_raw": "([0-9a-f]+)', (recorded / file).read_text()) for field, file in [("s1ap", "s1ap_pcapr.json"), ("tcap", "tcapmap_pcapr.json")])
        yield "S1AP, recorded", every, "3GPP_EUTRAN_S1AP_36413", "S1AP-PDU", "aper", s1ap
        # The last arc of a MAP dialogue's application context is its version.
        second = [one for one in tcap if re.search("06070400000100..0[12]", one)]
        yield "MAP version 2, recorded", every, "Pycrate_TCAP_MAPv2", "TCAP-MAP-Message", "ber", second
        yield "MAP, recorded", every, "Pycrate_TCAP_MAP", "TCAP-MAP-Message", "ber", [one for one in tcap if one not in second]


def completed(files, written):
    """Wireshark's module of Kerberos with the types that are in another file of it, which is not valid; without the names of their numbers and bits."""
    [module] = [file for file in files if file.name == "KerberosV5Spec2.asn"]
    integers = "ADDR-TYPE AUTHDATA-TYPE CKSUMTYPE ENCTYPE ERROR-CODE LR-TYPE MESSAGE-TYPE NAME-TYPE PADATA-TYPE".split()
    types = dict.fromkeys(integers, "INTEGER") | dict.fromkeys(["APOptions", "KDCOptions", "TicketFlags"], "BIT STRING")
    head, body = module.read_text().split("BEGIN\n", 1)
    written.write_text(f"{head}BEGIN\n" + "".join(f"{name} ::= {of}\n" for name, of in types.items()) + body)
    return written


def datagrams(capture):
    """The contents of the UDP datagrams of a capture of Ethernet frames."""
    octets = gzip.decompress(capture.read_bytes())
    at = 24
    while at < len(octets):
        _, _, length, _ = struct.unpack("<4I", octets[at : at + 16])
        packet = octets[at + 16 + 14 : at + 16 + length]
        at += 16 + length
        header = (packet[0] & 15) * 4
        if packet[9] == 17:
            size = struct.unpack(">H", packet[header + 4 : header + 6])[0]
            yield packet[header + 8 : header + size].hex()


if __name__ == "__main__":
    sys.exit(main())
