"""s1ap.py INTERPRETER FILE: random S1AP messages in aligned PER through roadwire's interpreter, which reads the module FILE, and through pycrate, one after the other: nanoseconds of processor time for one message."""

import subprocess
import sys
import time

from pycrate_asn1dir.S1AP import S1AP_PDU_Descriptions

TYPE = "S1AP-PDU-Descriptions.S1AP-PDU"
MESSAGES, ROUNDS = 200, 5


def least(messages, call):
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time_ns()
        for message in messages:
            call(message)
        times.append((time.process_time_ns() - begun) / len(messages))
    return min(times)


def main(interpreter, module):
    lines = subprocess.run([interpreter, "values", "aper", TYPE, str(MESSAGES), module], check=True, capture_output=True, text=True).stdout.split()
    pdu, same = S1AP_PDU_Descriptions.S1AP_PDU, []
    for line in lines:
        octets = bytes.fromhex(line)
        try:
            pdu.from_aper(octets)
            if pdu.to_aper() == octets:
                same.append((octets, pdu.get_val()))
        except Exception:
            continue  # pycrate has a later version, in which some types differ.
    if not same:
        sys.exit("pycrate has the same octets for no message")
    text = "".join(octets.hex() + "\n" for octets, _ in same)
    ours = [int(word) for word in subprocess.run([interpreter, "time", "aper", TYPE, module], input=text, check=True, capture_output=True, text=True).stdout.split()]

    def encode(one):
        pdu.set_val(one[1])
        pdu.to_aper()

    theirs = [least(same, lambda one: pdu.from_aper(one[0])), least(same, encode)]
    size = sum(len(octets) for octets, _ in same) / len(same)
    print(f"S1AP, {len(same)} of {len(lines)} messages, which pycrate encodes into the same octets: {size:.0f} octets on average")
    for what, one, other in zip(("decode", "encode"), ours, theirs):
        print(f"    {what}: interpreter {one} ns, pycrate {other:.0f} ns: {other / one:.0f} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
