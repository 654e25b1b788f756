"""Questions about a recording, in SQL: `python duckdb_query.py [RECORDING]`. Without a recording, one is made.

`roadwire capture --to parquet` writes a file for each type of message, which DuckDB reads. A recording can also be asked
without a file between: DuckDB reads what `read_capture` returns, as Arrow columns without a copy.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

import make_recording
import roadwire
from names import names_of

TYPE = "cam.camParameters.basicContainer.stationType"
CAUSE = "denm.situation.eventType.causeCode"

# Nested columns have the names of the fields. The unit of speeds is 0.01 m/s, and 16383 is one that is not available.
SPEEDS = """
    WITH cams AS (
        SELECT
            geonetworking.source.address AS station,
            message.value.cam.camParameters AS cam
        FROM read_parquet($file)
    ),
    speeds AS (
        SELECT
            station,
            cam.basicContainer.stationType AS number,
            nullif(cam.highFrequencyContainer.basicVehicleContainerHighFrequency.speed.speedValue, 16383) / 100 AS speed
        FROM cams
    )
    SELECT
        coalesce(name, 'other') AS type,
        count(DISTINCT station) AS stations,
        count(*) AS messages,
        round(avg(speed), 1) AS mean,
        max(speed) AS most
    FROM speeds LEFT JOIN names USING (number)
    GROUP BY type ORDER BY messages DESC, type
"""

# An event is told in many DENMs, which have the same action identifier.
CAUSES = """
    WITH denms AS (
        SELECT
            time,
            message.value.denm.management.actionID AS event,
            message.value.denm.situation.eventType.causeCode AS number
        FROM read_parquet($file)
    )
    SELECT
        coalesce(name, 'other') AS cause,
        count(DISTINCT event) AS events,
        count(*) AS messages,
        round(epoch(max(time)) - epoch(min(time)), 1) AS seconds
    FROM denms LEFT JOIN names USING (number)
    GROUP BY cause ORDER BY messages DESC, cause
"""

# Of the frames alone: no message is decoded.
INTERVALS = """
    WITH messages AS (
        SELECT message.schema AS schema, geonetworking.source.address AS station, epoch_ms(time::TIMESTAMP) AS ms
        FROM frames WHERE message.schema IS NOT NULL
    ),
    gaps AS (
        SELECT schema, ms - lag(ms) OVER (PARTITION BY station, schema ORDER BY ms) AS gap FROM messages
    )
    SELECT
        schema,
        count(*) AS messages,
        quantile_cont(gap, 0.05) AS p5,
        median(gap) AS median,
        quantile_cont(gap, 0.95) AS p95
    FROM gaps GROUP BY schema ORDER BY schema
"""


def to_parquet(recording: str, folder: Path) -> dict[str, str]:
    """Writes the messages of a recording as Parquet: the file of each schema."""
    command = [sys.executable, "-m", "roadwire", "capture", recording, "--to", "parquet"]
    subprocess.run([*command, "-o", str(folder / "drive.parquet")], check=True)
    files = sorted(map(str, folder.glob("*.parquet")))
    query = "SELECT message.schema FROM read_parquet(?) LIMIT 1"
    schemas = [duckdb.execute(query, [file]).fetchone() for file in files]
    return {str(row[0]): file for row, file in zip(schemas, files, strict=True) if row is not None}


def ask(query: str, file: str, schema: str, field: str) -> duckdb.DuckDBPyRelation:
    """The answer about a file, with the names that the schema has for a field's numbers."""
    names = sorted(names_of(schema, field).items())
    duckdb.execute("CREATE OR REPLACE TEMP TABLE names (number INTEGER, name VARCHAR)")
    duckdb.executemany("INSERT INTO names VALUES (?, ?)", names)
    return answer(duckdb.sql(query, params={"file": file}))


def intervals(recording: str) -> duckdb.DuckDBPyRelation:
    """Milliseconds from a station's message to its next one of that type. Those that were not heard make them longer."""
    return answer(duckdb.from_arrow(roadwire.read_capture(recording)).query("frames", INTERVALS))


def answer(relation: duckdb.DuckDBPyRelation | None) -> duckdb.DuckDBPyRelation:
    """What a query returns; a statement that is none returns nothing."""
    assert relation is not None
    return relation


def main(recording: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = to_parquet(recording, Path(folder))
        if "cam-1.4.1" in files:
            print("Speeds in m/s, by station type", ask(SPEEDS, files["cam-1.4.1"], "cam-1.4.1", TYPE), sep="\n")
        if "denm-1.3.1" in files:
            print("DENMs by cause", ask(CAUSES, files["denm-1.3.1"], "denm-1.3.1", CAUSE), sep="\n")
        print("Milliseconds between the messages of a station", intervals(recording), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            made = str(Path(folder, "drive.pcap"))
            make_recording.make(made)
            main(made)
