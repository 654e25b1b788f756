"""Questions about a recording, in polars: `python polars_query.py [RECORDING]`. Without a recording, one is made.

Frames and messages go from roadwire to polars as Arrow columns, without a copy and without a Python object for each
(the Arrow PyCapsule interface).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import polars as pl

import make_recording
import roadwire
from names import names_of

TYPE = "cam.camParameters.basicContainer.stationType"
SPEED = "cam.camParameters.highFrequencyContainer.basicVehicleContainerHighFrequency.speed.speedValue"
# TS 102 894-2, SpeedValue: in 0.01 m/s.
SPEED_UNAVAILABLE = 16383


def value(path: str) -> pl.Expr:
    """The column of a field."""
    first, *rest = path.split(".")
    column = pl.col(first)
    for name in rest:
        column = column.struct.field(name)
    return column


def cams(recording: str) -> pl.DataFrame:
    """The CAMs of a recording: time, sender, station type, speed in m/s."""
    frames = pl.DataFrame(roadwire.read_capture(recording)).select(
        "time",
        station=value("geonetworking.source.address"),
        schema=value("message.schema"),
        octets=value("message.octets"),
    )
    found = []
    # All versions of CAM have these two fields.
    for (name,), rows in frames.filter(pl.col("schema").str.starts_with("cam-")).group_by("schema"):
        messages = pl.DataFrame(roadwire.schema(str(name)).decode_batch("uper", rows["octets"], columns=[TYPE, SPEED]))
        speed = pl.when(value(SPEED) != SPEED_UNAVAILABLE).then(value(SPEED) / 100)
        found.append(rows.drop("octets").hstack(messages.select(type=value(TYPE), speed=speed)))
    if not found:
        raise SystemExit(f"{recording} has no CAMs")
    return pl.concat(found).sort("time")


def speeds(messages: pl.DataFrame) -> pl.DataFrame:
    """Speeds in m/s by station type. Stations without a speed, such as road-side units, have nulls."""
    names = names_of("cam-1.4.1", TYPE)
    return (
        messages.group_by(pl.col("type").replace_strict(names, default="other", return_dtype=pl.String))
        .agg(
            stations=pl.col("station").n_unique(),
            messages=pl.len(),
            least=pl.col("speed").min(),
            median=pl.col("speed").median(),
            most=pl.col("speed").max(),
        )
        .sort("messages", "type", descending=[True, False])
    )


def intervals(messages: pl.DataFrame) -> pl.DataFrame:
    """Milliseconds from a station's CAM to its next one, by station type: what EN 302 637-2 has between 100 and 1000.

    A message that was not heard makes an interval longer.
    """
    names = names_of("cam-1.4.1", TYPE)
    interval = pl.col("time").diff().over("station").dt.total_microseconds() / 1000
    return (
        messages.with_columns(interval=interval)
        .drop_nulls("interval")
        .group_by(pl.col("type").replace_strict(names, default="other", return_dtype=pl.String))
        .agg(
            intervals=pl.len(),
            p5=pl.col("interval").quantile(0.05),
            median=pl.col("interval").median(),
            p95=pl.col("interval").quantile(0.95),
        )
        .sort("intervals", "type", descending=[True, False])
    )


def main(recording: str) -> None:
    messages = cams(recording)
    pl.Config(tbl_rows=-1, float_precision=1, tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True)
    print("Speeds in m/s, by station type", speeds(messages), sep="\n")
    print("Milliseconds between the CAMs of a station", intervals(messages), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            made = str(Path(folder, "drive.pcap"))
            make_recording.make(made)
            main(made)
