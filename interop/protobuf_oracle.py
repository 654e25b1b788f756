"""Compares roadwire's Protocol Buffers with Google's implementation, through the schemas that `roadwire schema --to proto` writes.

For each type: Google's compiler reads the schema, its library encodes random values into the same octets as roadwire, and decodes roadwire's octets into the same message; and roadwire
decodes messages whose fields come in another order, in parts and unpacked, as Google's library does. `interop/run` calls it.
"""

import collections
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import oracles
import values


def main():
    options = values.arguments(__doc__)
    totals = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for job in values.jobs(options):
            totals += compare(options, pathlib.Path(folder), *job)
    print(", ".join(f"{count} {what}" for what, count in totals.items()))
    return 1 if totals["differences"] else 0


def compare(options, folder, name, files, count, pdu):
    modules = [argument for file in files for argument in ("-m", str(file))]
    shapes, types = values.random_values(options, files, count, pdu, integer_bits=60)
    plain, found = oracles.Walker(shapes, "protobuf"), collections.Counter()
    for type_name, texts in types.items():
        at = shapes["definitions"][type_name]
        made = subprocess.run([options.roadwire, "schema", *modules, "-t", type_name, "--to", "proto"], capture_output=True, text=True)
        if made.returncode:
            print(f"{name}: {type_name}: {made.stderr.strip()}")
            found["types without a schema"] += 1
            continue
        message = compiled(folder, f"{name}.{type_name}", made.stdout)
        octets = convert(options, modules, type_name, "jer", "protobuf", texts)
        back = convert(options, modules, type_name, "protobuf", "jer", octets)
        google = Google(shapes["types"])
        again = []
        for text, ours, returned in zip(texts, octets, back):
            try:
                theirs = google.built(message, at, json.loads(text))
            except Beyond as reason:
                found[f"values left out: {reason}"] += 1
                again.append(None)
                continue
            encoded = theirs.SerializeToString(deterministic=True).hex()
            decoded = message.FromString(bytes.fromhex(ours) if not ours.startswith("error") else b"")
            again.append(scrambled(theirs, random.Random(text)).hex())
            same = encoded == ours and decoded.SerializeToString(deterministic=True).hex() == ours
            found["values"] += 1
            if not same or not is_back(plain, at, text, ours, returned):
                found["differences"] += 1
                if found["differences"] <= 3:
                    print(f"DIFFERENCE {name}: {type_name}: {text}\n  roadwire {ours}\n  Google   {encoded}\n  back     {returned}")
        other = [(text, octets) for text, octets in zip(texts, again) if octets is not None]
        read = convert(options, modules, type_name, "protobuf", "jer", [octets for _, octets in other])
        for (text, octets), returned in zip(other, read):
            found["in another form"] += 1
            if not is_back(plain, at, text, octets, returned):
                found["differences"] += 1
                if found["differences"] <= 3:
                    print(f"DIFFERENCE {name}: {type_name}: {text}\n  in another form {octets}\n  back            {returned}")
        found["types"] += 1
    print(f"{name}: {dict(found)}", flush=True)
    return found


def is_back(plain, at, text, octets, returned):
    """Whether what was decoded is the value. An empty message would be an empty line, and is not read back."""
    if not octets:
        return True
    return not returned.startswith("error") and plain.normal(at, json.loads(returned)) == plain.normal(at, json.loads(text))


def convert(options, modules, type_name, before, after, lines):
    command = [options.roadwire, "convert", *modules, "-t", type_name, "--from", before, "--to", after, "--lines"]
    done = subprocess.run(command, input="".join(line + "\n" for line in lines), capture_output=True, text=True)
    found = done.stdout.splitlines()
    if len(found) != len(lines):
        raise SystemExit(f"{' '.join(command)}: {len(found)} lines for {len(lines)}: {done.stderr}")
    return found


def compiled(folder, type_name, text):
    """The message class of a schema's first message, from Google's compiler."""
    from grpc_tools import protoc

    stem = "schema_" + re.sub(r"[^A-Za-z0-9]", "_", type_name)
    file = folder / f"{stem}.proto"
    # Each schema has its own package, because types of different files share names.
    file.write_text(text.replace('syntax = "proto2";\n', f'syntax = "proto2";\npackage {stem};\n', 1))
    if protoc.main(["protoc", f"-I{folder}", f"--python_out={folder}", str(file)]):
        raise SystemExit(f"protoc refuses the schema of {type_name}:\n{text}")
    spec = importlib.util.spec_from_file_location(f"{stem}_pb2", folder / f"{stem}_pb2.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    first = next(line.split()[1] for line in text.splitlines() if line.startswith(("message ", "enum ")))
    return getattr(module, first)


class Beyond(Exception):
    """A value that Protocol Buffers cannot hold, and why."""


class Google:
    """Turns JER, by the shapes of types (crates/messages/examples/random_values.rs), into messages of Google's library."""

    def __init__(self, types):
        self.types = types

    def shape(self, at):
        shape = self.types[at]
        return self.shape(shape["inner"]) if shape["kind"] == "external" else shape

    def built(self, message, at, value):
        made = message()
        self.fill(made, at, value)
        return made

    def fill(self, message, at, value):
        shape = self.shape(at)
        fields = message.DESCRIPTOR.fields_by_name
        match shape["kind"]:
            case "null":
                pass
            case "sequence":
                types = {one["name"]: one["type"] for one in shape["components"]}
                for name, inner in value.items():
                    self.put(message, fields[name.replace("-", "_")], types[name], inner)
            case "choice":
                [(name, inner)] = value.items()
                if name not in shape["alternatives"]:
                    raise Beyond("an unknown alternative")
                self.put(message, fields[name.replace("-", "_")], shape["alternatives"][name], inner)
            case "list":
                self.put(message, fields["element"], at, value)
            case _:
                self.put(message, fields["value"], at, value)

    def put(self, message, field, at, value):
        if field.is_repeated:
            list_ = getattr(message, field.name)
            for one in value:
                element = self.shape(at)["element"]
                if field.message_type:
                    self.fill(list_.add(), element, one)
                else:
                    list_.append(self.scalar(field, element, one))
        elif field.message_type:
            inner = getattr(message, field.name)
            inner.SetInParent()
            self.fill(inner, at, value)
        else:
            setattr(message, field.name, self.scalar(field, at, value))

    def scalar(self, field, at, value):
        shape = self.shape(at)
        is_bytes = field.type == field.TYPE_BYTES
        match shape["kind"]:
            case "integer" if is_bytes:
                return value.to_bytes((value + (value < 0)).bit_length() // 8 + 1, "big", signed=True)
            case "enumerated":
                return shape["numbers"][value]
            case "octets":
                return bytes.fromhex(value)
            case "real":
                special = {"INF": float("inf"), "-INF": float("-inf"), "-0": -0.0, "NaN": float("nan")}
                return special.get(value, value) if isinstance(value, str) else value
            case "bits":
                if is_bytes:
                    return values.bits(shape, value)
                length = shape["fixed"] if shape["fixed"] is not None else value["length"]
                octets = bytes.fromhex(value if shape["fixed"] is not None else value["value"])
                return sum(1 << at for at in range(length) if octets[at // 8] >> (7 - at % 8) & 1)
            case "oid" | "relative-oid":
                arcs = [int(arc) for arc in value.split(".")]
                if shape["kind"] == "oid":
                    arcs[:2] = [arcs[0] * 40 + arcs[1]]
                return b"".join(map(base128, arcs))
            case "open":
                octets = value["..."] if isinstance(value, dict) and "..." in value else value
                if not isinstance(octets, str):
                    raise Beyond("an open type whose type is known")
                return bytes.fromhex(octets)
            case _:
                return value


def base128(arc):
    digits = [arc & 0x7F]
    while arc := arc >> 7:
        digits.append(arc & 0x7F | 0x80)
    return bytes(reversed(digits))


def scrambled(message, rng):
    """The same message as other senders may write it: fields in any order, some of them twice, lists in parts and not packed, messages in parts."""
    fields = []
    for field, value in message.ListFields():
        if field.is_repeated:
            for one in value:
                fields.append((id(field), encoded(field, scrambled(one, rng) if field.message_type else one)))
        elif field.message_type:
            parts = scrambled_parts(value, rng)
            fields += [(0, encoded(field, part)) for part in parts]
        else:
            if rng.random() < 0.2:
                fields.append((id(field), encoded(field, value)))
            fields.append((id(field), encoded(field, value)))
    # The elements of a list keep their order, and so do repeats of a field, of which the last one counts.
    places = list(range(len(fields)))
    rng.shuffle(places)
    order = sorted(range(len(fields)), key=lambda at: places[at])
    queues = collections.defaultdict(list)
    for key, octets in fields:
        queues[key].append(octets)
    return b"".join(queues[fields[at][0]].pop(0) for at in order)


def scrambled_parts(message, rng):
    """A message in one or two parts, each with some of its fields."""
    present = message.ListFields()
    lists = [field for field, _ in present if field.is_repeated]
    if rng.random() < 0.7 or len(present) < 2 or lists:
        return [scrambled(message, rng)]
    parts = [type(message)(), type(message)()]
    for field, value in present:
        part = parts[rng.random() < 0.5]
        if field.message_type:
            getattr(part, field.name).CopyFrom(value)
        else:
            setattr(part, field.name, value)
    return [scrambled(part, rng) for part in parts]


def encoded(field, value):
    """A field after its key, as the library writes it, or (for a message) with the octets given."""
    if isinstance(value, bytes) and field.message_type:
        return varint(field.number << 3 | 2) + varint(len(value)) + value
    if field.type in (field.TYPE_BYTES, field.TYPE_STRING):
        octets = value.encode() if isinstance(value, str) else value
        return varint(field.number << 3 | 2) + varint(len(octets)) + octets
    if field.type == field.TYPE_DOUBLE:
        import struct

        return varint(field.number << 3 | 1) + struct.pack("<d", value)
    if field.type in (field.TYPE_SINT32, field.TYPE_SINT64):
        value = value << 1 if value >= 0 else (~value << 1) | 1
    return varint(field.number << 3) + varint(int(value) % (1 << 64))


def varint(number):
    octets = bytearray()
    while number >= 128:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


if __name__ == "__main__":
    sys.exit(main())
