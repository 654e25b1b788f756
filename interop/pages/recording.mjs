// recording.mjs FILE: writes a recording of a minute with three stations, one of them with a gap, and frames that are not read.
import { writeFileSync } from "node:fs";

const CAM = "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a74140b61fda0c0";
const hex = (value, octets) => (value >>> 0).toString(16).padStart(2 * octets, "0").slice(-2 * octets);
const START = 1_560_240_842;

// A single-hop broadcast over Ethernet from a station at a place, in 0.1 microdegree.
const frame = (station, latitude, longitude, port, message) => {
  const address = `1400a1b2c3d4e5${hex(station, 1)}`;
  const source = `${address}84db8a10${hex(latitude, 4)}${hex(longitude, 4)}800c0384`;
  return `ffffffffffff0001020304058947${"1100500120500200"}${hex(message.length / 2 + 4, 2)}0100${source}00000000${hex(port, 2)}0000${message}`;
};

const frames = [];
for (let tenth = 0; tenth < 600; tenth += 1) {
  const second = Math.floor(tenth / 10);
  const add = (octets) => frames.push({ second, micros: (tenth % 10) * 100_000, octets });
  const along = (station) => [490_000_000 + 900 * tenth * (station - 2), 160_000_000 + 700 * tenth];
  for (const station of [1, 2, 3]) {
    // The second one is silent for eight seconds, the third sends once a second.
    if ((station === 2 && second >= 20 && second < 28) || (station === 3 && tenth % 10)) continue;
    add(frame(station, ...along(station), 2001, CAM));
  }
  if (tenth % 50 === 0) add(frame(3, ...along(3), 2999, "0102"));
  if (tenth % 70 === 0) add(frame(2, ...along(2), 2001, CAM.slice(0, 40)));
  if (tenth % 90 === 0) add("ffffffffffff00010203040508060001");
}
// One far away, with a wrong place.
frames.push({ second: 30, micros: 0, octets: frame(9, 0, 10, 2001, CAM) });

const word = (value) => { const octets = Buffer.alloc(4); octets.writeUInt32LE(value >>> 0); return octets; };
const head = Buffer.concat([word(0xa1b2c3d4), Buffer.from([2, 0, 4, 0]), word(0), word(0), word(65_536), word(1)]);
const records = frames.map(({ second, micros, octets }) => {
  const data = Buffer.from(octets, "hex");
  return Buffer.concat([word(START + second), word(micros), word(data.length), word(data.length), data]);
});
writeFileSync(process.argv[2], Buffer.concat([head, ...records]));
