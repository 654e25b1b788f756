"""Compares roadwire's EXI with EXIficient's, octet for octet: from the schema that roadwire prints and a document made from it here. README.md says how to run it."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import schemas

HERE = pathlib.Path(__file__).resolve().parent
XS = "{http://www.w3.org/2001/XMLSchema}"
RULES = {"exi": "strict", "exi-default": "default", "exi-merged": "default", "exi-flat": "default", "exi-split": "strict"}


def main():
    options = arguments()
    faults = 0
    print(f"{'type':44} {'rules':12} {'values':>7} {'octets':>14} {'encode':>7} {'decode':>7} {'back':>7}")
    for name, files, count in jobs(options):
        for kind, values in random_values(options, name, files, count).items():
            for rules in RULES:
                faults += compare(options, kind, files, rules, values)
    for name, file, value in documents(options):
        for rules in RULES:
            faults += compare(options, "Main", [file], rules, [value], name)
    print("no differences" if faults == 0 else f"{faults} differences")
    return 1 if faults else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--random-values", required=True, help="the example program random_values")
    parser.add_argument("--classes", required=True, help="the class path of EXIficient and its driver")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--messages", type=int, default=300, help="how many values of each shipped message")
    parser.add_argument("--values", type=int, default=0, help="how many values of each type of the modules; none unless asked for")
    parser.add_argument("--only", default="", help="only jobs whose name contains this")
    parser.add_argument("--documents", type=pathlib.Path, help="a folder with documents as the study json-2022 reads them; nothing else is compared then")
    parser.add_argument("--show", type=int, default=2, help="how many differences are shown in full")
    return parser.parse_args()


def documents(options):
    """The documents of the folder: name, module, value in JER on one line."""
    for value in sorted(options.documents.glob("*/asn1/value.json")) if options.documents else []:
        yield value.parent.parent.name, value.parent / "schema.asn", json.dumps(json.loads(value.read_text()))


def jobs(options):
    if options.documents:
        return
    for schema, files in schemas.named():
        if options.only in schema["name"] and re.match("cam|denm", schema["name"]):
            yield schema["pdus"][0], files, options.messages
    for file in sorted((HERE / "modules").glob("*.asn")):
        if options.values and options.only in file.stem and file.stem != "fragments":
            yield None, [file], options.values


def random_values(options, name, files, count):
    """Values in JER: half of them with all optional parts."""
    values = {}
    for batch, chance in enumerate([50, 100]):
        command = [options.random_values, str(options.seed + batch), str(count // 2), "extensions=0", f"optional={chance}"]
        command += [f"type={name}"] if name else []
        lines = output(command + [str(file) for file in files]).splitlines()[1:]
        for line in lines:
            kind, text = line.split("\t", 1)
            values.setdefault(kind, []).append(text)
    return values


def compare(options, name, files, rules, values, shown_as=None):
    """One type under one set of rules. Returns the number of differences."""
    modules = [argument for file in files for argument in ("-m", str(file))]
    modules += ["--allow", "underscores"] if options.documents else []
    schema = output([options.roadwire, "schema", *modules, "-t", name, "--to", "xsd", "--rules", rules])

    def convert(source, target, lines):
        command = [options.roadwire, "convert", *modules, "-t", name, "--from", source, "--to", target, "--lines"]
        return output(command, "".join(line + "\n" for line in lines), check=False).splitlines()

    octets = convert("jer", rules, values)
    # roadwire refuses values outside extensible roots, which the schema does not have.
    pairs = [(value, found) for value, found in zip(values, octets, strict=True) if not found.startswith("error")]
    documents = Documents(schema)
    triples = []
    for value, found in pairs:
        document = documents.of(json.loads(value))
        if document is not None:
            triples.append((value, found, document))
    back = convert(rules, "jer", [found for _, found, _ in triples])
    with tempfile.NamedTemporaryFile("w", suffix=".xsd") as file:
        file.write(schema)
        file.flush()
        lines = [line for _, found, document in triples for line in ("E " + text_of(document), "D " + found)]
        command = ["java", "-Xss64m", "-cp", options.classes, "Exificient", file.name, RULES[rules]]
        answers = output(command, "".join(line + "\n" for line in lines)).splitlines()
    encoded, decoded = answers[0::2], answers[1::2]
    same, shown = [0, 0, 0], 0
    for (value, found, document), its, read, again in zip(triples, encoded, decoded, back, strict=True):
        results = [its == found, is_same(document, read), not again.startswith("error") and json.loads(again) == json.loads(value)]
        same = [count + result for count, result in zip(same, results)]
        if not all(results) and shown < options.show:
            shown += 1
            print(f"  {value}\n  {text_of(document)}\n  ours {found}\n  its  {its}\n  read {read}\n  back {again}")
    lengths = [len(found) // 2 for _, found, _ in triples] or [0]
    count = len(triples)
    cells = [f"{number:7}" if number != count else "   same" for number in same]
    print(f"{shown_as or name:44} {rules:12} {count:7} {min(lengths):6}..{max(lengths):<6} {' '.join(cells)}")
    return 3 * count - sum(same)


class Documents:
    """Documents of a schema, from values in JER."""

    def __init__(self, schema):
        parser = tree.XMLParser(target=tree.TreeBuilder(insert_comments=True))
        root = tree.fromstring(schema, parser)
        self.types = {one.get("name"): one for one in root.findall(XS + "complexType")}
        self.root = root.find(XS + "element")

    def of(self, value):
        """The document; nothing where XML has no character for one in it."""
        try:
            return self.element(self.root, value, None)
        except ValueError:
            return None

    def element(self, declaration, value, comment):
        element = tree.Element(declaration.get("name"))
        name = declaration.get("type")
        if name and name.startswith("xs:"):
            element.text = number_of(value, comment)
            return element
        content = self.types[name] if name else declaration.find(XS + "complexType")
        if content is None:
            simple = declaration.find(XS + "simpleType")
            restriction = simple.find(XS + "restriction")
            element.text = text(restriction.get("base") if restriction is not None else "list", value)
        elif content.find(XS + "simpleContent") is not None:
            element.set("unused", str(-value["length"] % 8))
            element.text = value["value"]
        elif (sequence := content.find(XS + "sequence")) is not None:
            self.sequence(element, list(sequence), value)
        elif (choice := content.find(XS + "choice")) is not None:
            self.choice(element, list(choice), value)
        return element

    def sequence(self, element, declarations, value):
        if isinstance(value, list):
            item, comment = declarations[-1], declarations[0].text if len(declarations) > 1 else None
            for one in value:
                if item.tag == XS + "choice":
                    self.sequence(element, [item], {prefix(item, one): one})
                else:
                    element.append(self.element(item, one, comment))
            return
        comment, digits = None, None
        for declaration in declarations:
            if declaration.tag is tree.Comment:
                comment = declaration.text
                continue
            if declaration.tag != XS + "element":
                # What is merged into this element: of a choice the value has one alternative.
                self.sequence(element, list(declaration), value)
                continue
            name, _, place = declaration.get("name").partition(".")
            if place:
                least = int(re.search(r": (-?\d+) and", comment)[1])
                digits = member(value, name) - least
                part = tree.SubElement(element, declaration.get("name"))
                part.text = str(digits >> 12 * int(place) & 4095)
            elif (found := member(value, name)) is not ABSENT:
                element.append(self.element(declaration, found, comment))
            comment = comment if place else None

    def choice(self, element, declarations, value):
        # An open type has only its value here, not its type.
        if not isinstance(value, dict) or len(value) != 1:
            raise ValueError
        self.sequence(element, declarations, value)


ABSENT = object()


def member(value, name):
    """A member, of the object or of those merged into it: `cenDsrcTollingZoneID` may be `iD` in `cenDsrcTollingZone`."""
    if name in value:
        return value[name]
    for outer, inner in value.items():
        rest = name[len(outer):]
        if isinstance(inner, dict) and name.startswith(outer) and rest[:1].isupper():
            found = member(inner, rest[0].lower() + rest[1:])
            if found is not ABSENT:
                return found
    return ABSENT


def names_in(declaration):
    """The elements that may be here, and not what is in them."""
    if declaration.tag == XS + "element":
        return [declaration.get("name")]
    return [name for one in declaration if one.tag is not tree.Comment for name in names_in(one)]


def prefix(choice, value):
    """What all names of the elements of a choice begin with, one of which is that of a value's alternative."""
    names = names_in(choice)
    [alternative] = value
    for name in names:
        for end in range(1, len(name)):
            rest = name[end:]
            begins = rest.startswith(alternative[0].upper() + alternative[1:]) and all(one.startswith(name[:end]) for one in names)
            if begins and (len(rest) == len(alternative) or rest[len(alternative)].isupper()):
                return name[:end]
    raise ValueError


def number_of(value, comment):
    """An integer; for an enumeration item, its number from the schema's comment."""
    if isinstance(value, str) and not re.fullmatch(r"-?\d+", value):
        return re.search(rf"(?: |, ){re.escape(value)} (-?\d+)[, ]", comment)[1]
    return str(value)


def text(base, value):
    match base:
        case "xs:boolean":
            return "true" if value else "false"
        case "list":
            return value.replace(".", " ")
        case "xs:double":
            return {"INF": "INF", "-INF": "-INF", "NaN": "NaN"}.get(value, repr(float(value)))
        case "xs:hexBinary" if isinstance(value, dict):
            return value["value"]
    found = str(value)
    if re.search("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", found):
        raise ValueError
    return found


def text_of(element):
    """A document as text on one line."""
    escaped = tree.tostring(element, encoding="unicode", short_empty_elements=True)
    return escaped.replace("\r", "&#13;").replace("\n", "&#10;")


def is_same(document, text):
    try:
        found = tree.fromstring(text)
    except tree.ParseError:
        return False
    return shape(document) == shape(found)


def shape(element):
    attributes = {key: value for key, value in element.attrib.items()}
    return element.tag, attributes, normal(element.text or ""), [shape(child) for child in element]


def normal(text):
    """EXI has values, not how they are written: floats have several forms, and lists any white space."""
    if re.fullmatch(r"\d+( \d+)+ ?", text):
        return text.split()
    if re.fullmatch(r"-?\d+(\.\d+)?(E-?\d+|e[-+]?\d+)?", text) and re.search("[.eE]", text):
        return float(text)
    return text


def output(command, given="", check=True):
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if ran.returncode != 0 and check:
        sys.exit(f"{command}: {ran.stderr[-2000:]}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
