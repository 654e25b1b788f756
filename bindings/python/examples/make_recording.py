"""Makes a recording of road traffic: `python make_recording.py drive.pcap`.

It is made, not recorded. Some 30 vehicles drive along two kilometres of a road that does not exist; one has broken
down, one brakes hard, and there are road works. They send CAMs (cam-1.4.1) and DENMs (denm-1.3.1) in UPER, BTP-B and
GeoNetworking, without signatures. A receiver beside the road writes what it hears as Ethernet frames: all that is sent
up to 300 m away, less the farther away, and nothing beyond 700 m. The same arguments make the same octets.

A vehicle sends a CAM as EN 302 637-2 §6.1.3 has it: when it has moved by 4 m, turned by 4 degrees or changed its speed by
0.5 m/s, or after a second, and not more often than each 100 ms. There are no collisions of frames, no buildings and no
congestion control.
"""

from __future__ import annotations

import argparse
import math
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

import roadwire

CAM = roadwire.schema("cam-1.4.1")
DENM = roadwire.schema("denm-1.3.1")

START = datetime(2026, 5, 5, 8, tzinfo=timezone.utc)
# Of TimestampIts: milliseconds since then, with the five leap seconds that came after it.
EPOCH = datetime(2004, 1, 1, tzinfo=timezone.utc)
LEAP_MS = 5000
# Where the receiver is, in degrees, and metres that a degree has there.
LATITUDE, LONGITUDE = 52.0, 10.0
METRES_NORTH = 111_320.0
METRES_EAST = METRES_NORTH * math.cos(math.radians(LATITUDE))
# The road, in metres east of the receiver.
WEST, EAST = -1000.0, 1000.0
STEP_MS = 100
# TS 102 894-2, StationType.
MOTORCYCLE, CAR, BUS, LORRY, ROAD_SIDE_UNIT = 4, 5, 6, 8, 15
# Its length and width, in 0.1 m.
SIZES = {MOTORCYCLE: (22, 8), CAR: (45, 18), BUS: (120, 25), LORRY: (165, 25)}
CAM_PORT, DENM_PORT = 2001, 2002
# TS 102 894-2, CauseCodeType and its sub-causes.
ROAD_WORKS, STATIONARY_VEHICLE, DANGEROUS_SITUATION = (3, 0), (94, 2), (99, 1)


def road(x: float) -> tuple[float, float]:
    """How far north the road is at this place, in metres, and its direction to the east, in degrees from north."""
    return 180 * math.sin(x / 280), 90 - math.degrees(math.atan(180 / 280 * math.cos(x / 280)))


@dataclass
class Station:
    """A vehicle, or the road-side unit."""

    identity: int
    type: int
    x: float
    east: bool = True
    wanted: float = 0.0
    """The speed that it would have on a free road, in m/s."""
    speed: float = 0.0
    acceleration: float = 0.0
    enters_ms: int = 0
    phase_ms: int = 0
    sent: dict[str, float] = field(default_factory=dict)
    """What its last CAM said, and when."""
    low_frequency_ms: int = -1000
    """When it last sent the container of low frequency."""
    sequence: int = 0
    """Of its last packet for an area."""
    path: list[tuple[int, float, float]] = field(default_factory=list)

    @property
    def heading(self) -> float:
        """In degrees from north."""
        along = road(self.x)[1]
        return along if self.east else along + 180

    @property
    def place(self) -> tuple[float, float]:
        """Metres east and north of the receiver. The two carriageways are 16 m apart; the unit is beside one."""
        north, along = road(self.x)
        across = math.radians(along) + (math.pi / 2 if self.east else -math.pi / 2)
        offset = 20.0 if self.type == ROAD_SIDE_UNIT else 8.0
        return self.x + offset * math.sin(across), north + 30 + offset * math.cos(across)

    @property
    def degrees(self) -> tuple[int, int]:
        """Latitude and longitude, in 0.1 microdegree."""
        east, north = self.place
        return round((LATITUDE + north / METRES_NORTH) * 1e7), round((LONGITUDE + east / METRES_EAST) * 1e7)

    def move(self, target: float) -> None:
        """Goes on for a step, with a speed that comes nearer to the target by 2 m/s², or by 6 m/s² if it has to stop."""
        most = 6.0 if target == 0 else 2.0
        self.acceleration = max(-most, min(2.0, (target - self.speed) / 0.5))
        self.speed = max(0.0, self.speed + self.acceleration * STEP_MS / 1000)
        self.x += (1 if self.east else -1) * self.speed * STEP_MS / 1000

    def is_due(self, now_ms: int) -> bool:
        """Whether it sends a CAM now."""
        last = self.sent
        if not last or now_ms - last["time"] >= 1000:
            return True
        turned = abs((self.heading - last["heading"] + 180) % 360 - 180)
        moved = abs(self.x - last["x"])
        return turned > 4 or moved > 4 or abs(self.speed - last["speed"]) > 0.5


def position(station: Station) -> dict[str, Any]:
    latitude, longitude = station.degrees
    return {
        "latitude": latitude,
        "longitude": longitude,
        "positionConfidenceEllipse": {
            "semiMajorConfidence": 150,
            "semiMinorConfidence": 80,
            "semiMajorOrientation": round(station.heading * 10) % 3600,
        },
        "altitude": {"altitudeValue": 8000, "altitudeConfidence": "alt-005-00"},
    }


def timestamp(now_ms: int) -> int:
    """TimestampIts."""
    return round((START - EPOCH).total_seconds() * 1000) + LEAP_MS + now_ms


def cam(station: Station, now_ms: int) -> bytes:
    """The CAM that a station sends now."""
    high: dict[str, Any] = {"rsuContainerHighFrequency": {}}
    if station.type != ROAD_SIDE_UNIT:
        length, width = SIZES[station.type]
        high = {
            "basicVehicleContainerHighFrequency": {
                "heading": {"headingValue": round(station.heading * 10) % 3600, "headingConfidence": 10},
                "speed": {"speedValue": round(station.speed * 100), "speedConfidence": 20},
                "driveDirection": "forward",
                "vehicleLength": {
                    "vehicleLengthValue": length,
                    "vehicleLengthConfidenceIndication": "noTrailerPresent",
                },
                "vehicleWidth": width,
                "longitudinalAcceleration": {
                    "longitudinalAccelerationValue": round(station.acceleration * 10),
                    "longitudinalAccelerationConfidence": 5,
                },
                "curvature": {"curvatureValue": 1023, "curvatureConfidence": "unavailable"},
                "curvatureCalculationMode": "unavailable",
                "yawRate": {"yawRateValue": 32767, "yawRateConfidence": "unavailable"},
            }
        }
    parameters: dict[str, Any] = {
        "basicContainer": {"stationType": station.type, "referencePosition": position(station)},
        "highFrequencyContainer": high,
    }
    if station.type != ROAD_SIDE_UNIT and now_ms - station.low_frequency_ms >= 500:
        station.low_frequency_ms = now_ms
        parameters["lowFrequencyContainer"] = {
            "basicVehicleContainerLowFrequency": {
                "vehicleRole": "publicTransport" if station.type == BUS else "default",
                "exteriorLights": (bytes([0b1000_0000]), 8),
                "pathHistory": path_history(station, now_ms),
            }
        }
    value = {
        "header": {"protocolVersion": 2, "messageID": 2, "stationID": station.identity},
        "cam": {"generationDeltaTime": timestamp(now_ms) % 65536, "camParameters": parameters},
    }
    return CAM.encode("uper", value)


def path_history(station: Station, now_ms: int) -> list[dict[str, Any]]:
    """Where it was, the latest place first, 2 s apart: each as the difference from the place before it in the list."""
    points, (when, (east, north)) = [], (now_ms, station.place)
    for then, x, y in reversed(station.path[-5:]):
        places = {
            "deltaLatitude": round((y - north) / METRES_NORTH * 1e7),
            "deltaLongitude": round((x - east) / METRES_EAST * 1e7),
            "deltaAltitude": 0,
        }
        points.append({"pathPosition": places, "pathDeltaTime": max(1, (when - then) // 10)})
        when, east, north = then, x, y
    return points


@dataclass
class Event:
    """What DENMs are sent of, once a second."""

    sender: Station
    cause: tuple[int, int]
    begins_ms: int
    ends_ms: int
    radius: int
    """Of the area that they are for, in metres."""
    where: dict[str, Any] | None = None


def denm(event: Event) -> bytes:
    """The DENM of an event: the same each time."""
    event.where = event.where or position(event.sender)
    cause, sub_cause = event.cause
    value: dict[str, Any] = {
        "header": {"protocolVersion": 2, "messageID": 1, "stationID": event.sender.identity},
        "denm": {
            "management": {
                "actionID": {"originatingStationID": event.sender.identity, "sequenceNumber": 1},
                "detectionTime": timestamp(event.begins_ms),
                "referenceTime": timestamp(event.begins_ms),
                "eventPosition": event.where,
                "relevanceDistance": "lessThan500m",
                "validityDuration": 60,
                "stationType": event.sender.type,
            },
            "situation": {"informationQuality": 4, "eventType": {"causeCode": cause, "subCauseCode": sub_cause}},
        },
    }
    return DENM.encode("uper", value)


def packet(station: Station, payload: bytes, port: int, now_ms: int, area: Event | None = None) -> bytes:
    """A message in BTP-B (EN 302 636-5-1) and GeoNetworking (EN 302 636-4-1), on Ethernet.

    It is for all neighbours (SHB), or for a circle around an event (GBC).
    """
    mac = struct.pack(">HI", 0x0200, station.identity)
    latitude, longitude = station.degrees
    source = struct.pack(">H6sI", station.type << 10, mac, timestamp(now_ms) % 2**32)
    # The position is accurate (the first bit); speed in 0.01 m/s, heading in 0.1 degree.
    speed, heading = 0x8000 | round(station.speed * 100), round(station.heading * 10) % 3600
    source += struct.pack(">iiHH", latitude, longitude, speed, heading)
    # Basic header: version 1, a common header follows; lifetime; hops. Common header: BTP-B follows, the type of packet.
    if area is None:
        basic, kind, hops, traffic_class, extended = bytes([0x11, 0, 0x05, 1]), 0x50, 1, 2, source + bytes(4)
    else:
        where = area.where or position(station)
        station.sequence += 1
        extended = struct.pack(">HH", station.sequence, 0) + source
        extended += struct.pack(">iiHHHH", where["latitude"], where["longitude"], area.radius, 0, 0, 0)
        basic, kind, hops, traffic_class = bytes([0x11, 0, 0x1A, 10]), 0x40, 10, 1
    btp = struct.pack(">HH", port, 0)
    flags = 0 if station.type == ROAD_SIDE_UNIT else 0x80
    common = struct.pack(">BBBBHBB", 0x20, kind, traffic_class, flags, len(btp) + len(payload), hops, 0)
    return b"\xff" * 6 + mac + b"\x89\x47" + basic + common + extended + btp + payload


def traffic(dice: random.Random, seconds: int) -> list[Station]:
    """Vehicles: twelve that are on the road already, and 24 a minute that enter at its ends."""
    types = [CAR] * 14 + [LORRY] * 4 + [BUS] * 2 + [MOTORCYCLE] * 2
    stations = []
    for number in range(24 * max(seconds, 1) // 60 + 12):
        kind, east = dice.choice(types), number % 2 == 0
        wanted = dice.uniform(17, 21) if kind in (LORRY, BUS) else dice.uniform(21, 27)
        early = number < 12
        x = dice.uniform(WEST, EAST) if early else WEST if east else EAST
        enters = 0 if early else round(dice.uniform(0, seconds * 1000))
        vehicle = Station(dice.randrange(1, 2**32), kind, x, east, wanted, wanted, 0, enters, dice.randrange(STEP_MS))
        stations.append(vehicle)
    return stations


def target(station: Station, broken: Station, works: Station, brakes_ms: int | None, now_ms: int) -> float:
    """The speed that a driver wants now."""
    if brakes_ms is not None and brakes_ms <= now_ms < brakes_ms + 3000:
        return 0.0
    if station.east and -200 < station.x - broken.x < 30:
        return min(station.wanted, 9.0)
    if abs(station.x - works.x) < 100:
        return min(station.wanted, 14.0)
    return station.wanted


def frames(seconds: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """The frames that the receiver hears, with their time in microseconds after the start."""
    dice = random.Random(seed)
    stations = traffic(dice, seconds)
    broken = Station(dice.randrange(1, 2**32), CAR, 320.0, phase_ms=dice.randrange(STEP_MS))
    works = Station(dice.randrange(1, 2**32), ROAD_SIDE_UNIT, -420.0, phase_ms=dice.randrange(STEP_MS))
    brakes_ms = seconds * 400
    coming = [one for one in stations if not one.east and one.enters_ms == 0]
    braking = min(coming, key=lambda one: abs(one.x - one.wanted * brakes_ms / 1000))
    events = [
        Event(works, ROAD_WORKS, 0, seconds * 1000, 500),
        Event(broken, STATIONARY_VEHICLE, seconds * 100, seconds * 1000, 400),
        Event(braking, DANGEROUS_SITUATION, brakes_ms + 300, brakes_ms + 5300, 300),
    ]
    stations += [broken, works]
    heard: list[tuple[int, bytes]] = []
    for step_ms in range(0, seconds * 1000, STEP_MS):
        for station in stations:
            if step_ms < station.enters_ms or not WEST <= station.x <= EAST:
                continue
            if station not in (broken, works):
                brakes = brakes_ms if station is braking else None
                station.move(target(station, broken, works, brakes, step_ms))
            now_ms = step_ms + station.phase_ms
            sent = []
            if station.is_due(now_ms):
                sent.append(packet(station, cam(station, now_ms), CAM_PORT, now_ms))
                station.sent = {"time": now_ms, "x": station.x, "heading": station.heading, "speed": station.speed}
            for event in events:
                is_time = event.begins_ms <= step_ms < event.ends_ms and (step_ms - event.begins_ms) % 1000 == 0
                if event.sender is station and is_time:
                    sent.append(packet(station, denm(event), DENM_PORT, now_ms, event))
            if not station.path or now_ms - station.path[-1][0] >= 2000:
                station.path.append((now_ms, *station.place))
            distance = math.hypot(*station.place)
            for octets in sent:
                if dice.random() < (700 - distance) / 400:
                    heard.append((now_ms * 1000 + dice.randrange(1000), octets))
    yield from sorted(heard)


def make(path: str, seconds: int = 60, seed: int = 1) -> int:
    """Writes a recording as pcap, and returns how many frames it has."""
    begin = round(START.timestamp())
    count = 0
    with open(path, "wb") as file:
        # Microseconds, version 2.4, frames of up to 65535 octets, Ethernet.
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for microseconds, octets in frames(seconds, seed):
            second, rest = divmod(microseconds, 1_000_000)
            file.write(struct.pack("<IIII", begin + second, rest, len(octets), len(octets)) + octets)
            count += 1
    return count


def main() -> None:
    arguments = argparse.ArgumentParser(description="Makes a recording of road traffic. It is made, not recorded.")
    arguments.add_argument("file", metavar="FILE", help="the pcap file that is written")
    arguments.add_argument("--seconds", type=int, default=60, help="how long it is [60]")
    arguments.add_argument("--seed", type=int, default=1, help="another number makes other traffic [1]")
    given = arguments.parse_args()
    print(f"{make(given.file, given.seconds, given.seed)} frames in {given.file}")


if __name__ == "__main__":
    main()
