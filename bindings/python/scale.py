"""Decodes many messages in one process, in Spark and in Ray, and compares: results, throughput, and what a killed worker costs.

    python scale.py [--messages 10000000] [--workers 2] [--quick] [--recordings] [--engines spark,ray] [--all-columns]
                    [--hand-on] [--json FILE] [--price 0.05]

The messages are CAMs from the recordings in ../shared/captures, or without these random ones of one form, each with a
station ID of its own: a row that is lost or comes twice changes the sums. They are in Parquet files of two columns,
`row` and `octets`, which the task that decodes them reads; with `--hand-on` the engine reads them, and hands octets
on to a task that decodes. With `--recordings` they are frames of pcap files, in which the recorded frames of all kinds are
repeated (without recordings, frames with these random CAMs). The job is to read them, to decode five fields of each
CAM (with `--all-columns` all of them), and to sum these up, each engine in its own way; sums of products tie the
fields of a row together. A first run of an eighth as many warms an engine up and is not timed.

With a debug build of the package, throughput says nothing.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import random
import signal
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import roadwire
from bench import COLUMNS, MANDATORY
from roadwire._distributed import PART
from roadwire._sources import Source
from support import write_capture

SCHEMA, RULES = "cam-1.4.1", "uper"
SHARED = Path(__file__).resolve().parents[3] / "shared/captures"
NAMES = ["station", "delta", "latitude", "longitude", "speed"]
ROWS = 1 << 16
TERABYTE = 10**12

Sums = dict[str, int]


class Run(NamedTuple):
    """One run of the job."""

    name: str
    rows: int
    seconds: float
    cpu: float
    """Processor seconds of this process and those below it."""
    sums: Sums

    @property
    def rate(self) -> float:
        return self.rows / self.seconds


# The messages.


def templates() -> tuple[list[bytes], str]:
    """CAMs, and where they are from."""
    found: list[bytes] = []
    for file in sorted(SHARED.glob("*.pcap*")):
        table = pa.table(roadwire.read_capture(file))
        message = table["message"].combine_chunks()
        wanted = pc.equal(pc.struct_field(message, "schema"), SCHEMA)
        found += pc.struct_field(message.filter(wanted), "octets").to_pylist()
    if found:
        return found, f"{len(found)} recorded CAMs of {SHARED}"
    dice, cam = random.Random(1), roadwire.schema(SCHEMA)
    value = MANDATORY
    container = value["cam"]["camParameters"]
    for _ in range(500):
        container["basicContainer"]["referencePosition"]["latitude"] = dice.randint(-900000000, 900000000)
        container["highFrequencyContainer"]["basicVehicleContainerHighFrequency"]["speed"]["speedValue"] = dice.randint(
            0, 16383
        )
        value["cam"]["generationDeltaTime"] = dice.randint(0, 65535)
        found.append(cam.encode(RULES, value))
    return found, f"{len(found)} random CAMs with their mandatory fields, for there are no recordings"


def frames() -> tuple[list[bytes], str]:
    """Frames on Ethernet with messages, and where they are from."""
    file = SHARED / "karloss_test4.pcap"
    if file.exists():
        return list(_records(file.read_bytes())), f"all frames of {file}"
    from test_captures import packet

    cams, origin = templates()
    return [packet(cam) for cam in cams], origin


def _records(octets: bytes) -> Iterator[bytes]:
    """The frames of a pcap file with numbers in little endian."""
    at = 24
    while at < len(octets):
        (length,) = struct.unpack_from("<I", octets, at + 8)
        yield octets[at + 16 : at + 16 + length]
        at += 16 + length


def write_recordings(folder: Path, count: int, files: int) -> tuple[str, int]:
    """Recordings of so many frames; where these are from, and the octets of the files."""
    recorded, origin = frames()
    folder.mkdir(parents=True)
    total = 0
    for file in range(files):
        rows = range(count * file // files, count * (file + 1) // files)
        write_capture(folder / f"{file:04}.pcap", ((row // 1000, recorded[row % len(recorded)]) for row in rows))
        total += (folder / f"{file:04}.pcap").stat().st_size
    return origin, total


def write(folder: Path, count: int, files: int) -> tuple[str, int]:
    """Files of messages; where they are from, and their octets."""
    cams, origin = templates()
    # Its header is 8, 8 and 32 bits: version, message ID, station ID.
    cams = [cam for cam in cams if len(cam) > 6]
    total = 0
    folder.mkdir(parents=True)
    for file in range(files):
        begin, end = count * file // files, count * (file + 1) // files
        schema = pa.schema({"row": pa.int64(), "octets": pa.binary()})
        with pq.ParquetWriter(folder / f"{file:04}.parquet", schema) as out:
            for at in range(begin, end, ROWS):
                rows = range(at, min(at + ROWS, end))
                octets = [one[:2] + struct.pack(">I", row) + one[6:] for row in rows for one in [cams[row % len(cams)]]]
                total += sum(map(len, octets))
                out.write_table(pa.table({"row": rows, "octets": octets}, schema))
    return origin, total


# What is summed up. All stay below 2^63 with 2^32 messages.


def partial_sums(batch: Any) -> Sums:
    """Of a record batch, or of a table, with the columns of `row` (or `frame`) and of the value."""
    columns = dict(zip(NAMES, (_field(batch, path.split(".")) for path in COLUMNS), strict=True))
    row = batch.column("row" if "row" in batch.schema.names else "frame")
    weight = pc.subtract(row, pc.multiply(pc.divide(row, 7), 7))
    sums = {"rows": batch.num_rows, "row": _sum(row)}
    for name, column in columns.items():
        column = column.cast(pa.int64())
        sums[name] = _sum(column)
        sums[f"{name} valid"] = len(column) - column.null_count
        sums[f"{name} by row"] = _sum(pc.multiply(column, weight))
    return sums


def _field(batch: Any, path: list[str]) -> Any:
    column = batch.column(path[0])
    return pc.struct_field(column, path[1:])


def _sum(column: Any) -> int:
    return int(pc.sum(column).as_py() or 0)


def add(parts: Iterable[Sums]) -> Sums:
    total: Sums = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total.get(name, 0) + value
    return total


# The engines.


class Core:
    """One process, one thread."""

    name = "core, 1 process"

    def __init__(self, columns: list[str] | None, recordings: bool) -> None:
        self.columns, self.recordings = columns, recordings
        self.schema = roadwire.schema(SCHEMA)
        pa.set_cpu_count(1)

    def run(self, folder: Path) -> Sums:
        return add(map(self.file, files(folder)))

    def file(self, file: Path) -> Sums:
        return add(self._parts(file))

    def _parts(self, file: Path) -> Iterator[Sums]:
        if self.recordings:
            fields = None if self.columns is None else tuple(self.columns)
            source = Source((str(file),), columns=("frame",), message=SCHEMA, fields_of_message=fields)
            for partition in source.partitions():
                yield from map(partial_sums, source.read(partition))
        else:
            for batch in pq.ParquetFile(file).iter_batches(ROWS, use_threads=False):
                made = pa.record_batch(self.schema.decode_batch(RULES, batch.column("octets"), self.columns))
                yield partial_sums(
                    pa.RecordBatch.from_arrays([batch.column("row"), *made.columns], ["row", *made.schema.names])
                )

    def stop(self) -> None:
        pass


class Cores:
    """So many processes like this one, without an engine: what the machine has, with what else goes on there."""

    def __init__(self, workers: int, columns: list[str] | None, recordings: bool) -> None:
        self.name = f"core, {workers} processes"
        context = multiprocessing.get_context("spawn")
        self.pool = context.Pool(workers, _become_core, (columns, recordings))

    def run(self, folder: Path) -> Sums:
        return add(self.pool.imap_unordered(_core_file, files(folder)))

    def stop(self) -> None:
        self.pool.terminate()


_core: Core | None = None


def _become_core(columns: list[str] | None, recordings: bool) -> None:
    global _core
    _core = Core(columns, recordings)


def _core_file(file: Path) -> Sums:
    assert _core is not None
    return _core.file(file)


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


class Spark:
    """Spark with so many Python workers."""

    def __init__(
        self,
        workers: int,
        columns: list[str] | None,
        recordings: bool,
        hand_on: bool,
        part: int,
        batch: int,
        options: list[str],
    ) -> None:
        from pyspark.sql import SparkSession

        self.name, self.columns, self.recordings = f"Spark, {workers} workers", columns, recordings
        self.hand_on, self.part = hand_on, part
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master(f"local[{workers},4]").appName("scale")
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.execution.arrow.maxRecordsPerBatch": str(batch),
            "spark.driver.memory": "3g",
            **dict(option.split("=", 1) for option in options),
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        self.spark.sparkContext.setLogLevel("OFF")

    def read(self, folder: Path) -> Any:
        return self.spark.read.parquet(str(folder))

    def run(self, folder: Path) -> Sums:
        import roadwire.spark
        from pyspark.sql import functions as F

        if self.recordings or not self.hand_on:
            roadwire.spark.register(self.spark)
            options = {"columns": "frame", "message": SCHEMA, "partOctets": str(self.part)}
            if not self.recordings:
                options.update(column="octets", columns="row", rules=RULES)
            if self.columns is not None:
                options["fields"] = ",".join(self.columns)
            values = self.spark.read.format("roadwire").options(**options).load(str(folder))
        else:
            values = roadwire.spark.decode(self.read(folder), "octets", SCHEMA, RULES, self.columns)
        row = F.col("frame" if self.recordings else "row")
        columns = {name: F.col(path).cast("long") for name, path in zip(NAMES, COLUMNS, strict=True)}
        weight = row % 7
        wanted = [F.count(F.lit(1)).alias("rows"), F.sum(row).alias("row")]
        for name, column in columns.items():
            wanted.append(F.sum(column).alias(name))
            wanted.append(F.count(column).alias(f"{name} valid"))
            wanted.append(F.sum(column * weight).alias(f"{name} by row"))
        found = values.agg(*wanted).collect()[0].asDict()
        return {name: int(value or 0) for name, value in found.items()}

    def victims(self) -> list[int]:
        """Python workers: the forks of the daemon."""
        below = descendants(os.getpid())
        daemons = {pid for pid, _ in below if "pyspark.daemon" in command(pid)}
        return [pid for pid, parent in below if pid in daemons and parent in daemons]

    def steps(self, folder: Path) -> list[tuple[str, Callable[[], object]]]:
        """The job of messages in steps, each with all that came before."""
        import roadwire.spark
        from pyspark.sql import functions as F

        # Anew each time: of what was collected before, Spark keeps what went between the workers.
        def read() -> Any:
            return self.read(folder)

        def decode() -> Any:
            return roadwire.spark.decode(read(), "octets", SCHEMA, RULES, self.columns)

        return [
            ("Parquet is read", lambda: read().agg(F.sum("row"), F.sum(F.length("octets"))).collect()),
            ("octets go to Python", lambda: read().mapInArrow(count_rows, "n long").agg(F.sum("n")).collect()),
            ("a column comes back", lambda: read().mapInArrow(rows_alone, "row long").agg(F.sum("row")).collect()),
            ("messages are decoded, fields come back", lambda: decode().agg(F.count(F.lit(1))).collect()),
            ("and are summed up", lambda: self.run(folder)),
        ]

    def pycrate(self, folder: Path, count: int) -> tuple[float, int]:
        """Rows a second of the same job as a Python UDF over pycrate, and the sum of latitudes."""
        from pyspark.sql import functions as F

        modules = [text for _, text in roadwire.schema(SCHEMA).modules]
        decode = F.udf(
            pycrate_decoder(modules), "struct<station long, delta long, latitude long, longitude long, speed long>"
        )
        rows = self.read(folder).limit(count).repartition(2).cache()
        rows.count()
        begin = time.perf_counter()
        found = (
            rows.select(decode("octets").alias("v"))
            .agg(F.count("v"), F.sum("v.latitude"), F.sum("v.speed"))
            .collect()[0]
        )
        return count / (time.perf_counter() - begin), int(found[1])

    def stop(self) -> None:
        self.spark.stop()


class Ray:
    """Ray with so many processors."""

    def __init__(
        self, workers: int, columns: list[str] | None, recordings: bool, hand_on: bool, part: int
    ) -> None:
        import ray

        self.name, self.columns, self.recordings = f"Ray, {workers} workers", columns, recordings
        self.hand_on, self.part = hand_on, part
        ray.init(
            num_cpus=workers,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            object_store_memory=2 << 30,
        )
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)

    def run(self, folder: Path) -> Sums:
        import ray

        import roadwire.ray

        if self.recordings:
            frames = roadwire.ray.read_captures(
                folder, columns=["frame"], message=SCHEMA, fields=self.columns, part_octets=self.part
            )
            return self._sums(frames)
        if not self.hand_on:
            values = roadwire.ray.read_parquet(
                folder, "octets", SCHEMA, RULES, columns=["row"], fields=self.columns, part_octets=self.part
            )
            return self._sums(values)
        # A folder: many paths are looked at by threads, which fails in Ray 2.60 without aiohttp.
        rows = ray.data.read_parquet(str(folder), override_num_blocks=len(list(folder.glob("*.parquet"))))
        return self._sums(roadwire.ray.decode(rows, "octets", SCHEMA, RULES, self.columns))

    def _sums(self, values: Any) -> Sums:
        parts = values.map_batches(as_table, batch_format="pyarrow", batch_size=None)
        return add(parts.take_all())

    def victims(self) -> list[int]:
        """Workers in a task of the job, not in one of Ray's own: what reads the ends of Parquet files is not started again."""
        return [
            pid
            for pid, _ in descendants(os.getpid())
            if command(pid).startswith("ray::") and any(task in command(pid) for task in ("MapBatches", "Readroadwire"))
        ]

    def stop(self) -> None:
        import ray

        ray.shutdown()


def count_rows(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"n": [batch.num_rows]})


def rows_alone(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        yield batch.select(["row"])


def as_table(batch: Any) -> Any:
    return pa.Table.from_pylist([partial_sums(batch)])


def pycrate_decoder(modules: list[str]) -> Callable[[bytes], tuple[int | None, ...]]:
    """A function that a worker can run: it compiles the modules once."""
    made: dict[str, Any] = {}

    def decode(octets: bytes) -> tuple[int | None, ...]:
        if not made:
            import importlib.util
            import tempfile
            from pathlib import Path

            from pycrate_asn1c.asnproc import PycrateGenerator, compile_text, generate_modules

            compile_text(modules, verbose=False)
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "cam.py"
                generate_modules(PycrateGenerator, str(file))
                spec = importlib.util.spec_from_file_location("cam", file)
                assert spec is not None and spec.loader is not None
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
            made["cam"] = module.CAM_PDU_Descriptions.CAM
        cam = made["cam"]
        cam.from_uper(bytes(octets))
        value = cam.get_val()
        container = value["cam"]["camParameters"]
        place = container["basicContainer"]["referencePosition"]
        kind, high = container["highFrequencyContainer"]
        speed = high["speed"]["speedValue"] if kind == "basicVehicleContainerHighFrequency" else None
        header = value["header"]["stationID"]
        return header, value["cam"]["generationDeltaTime"], place["latitude"], place["longitude"], speed

    return decode


# Processes.


def descendants(root: int) -> list[tuple[int, int]]:
    """The processes below one, each with its parent."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := stat(int(entry.name))):
            parents[int(entry.name)] = int(fields[1])
    found, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return [(pid, parents[pid]) for pid in found - {root}]


def stat(pid: int) -> list[str]:
    """What /proc says behind the name: state, parent, and so on. Nothing of a process that is gone."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def command(pid: int) -> str:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


class Processor:
    """Processor seconds of this process and those below it, looked at ten times a second: of one that ends, the last look counts."""

    def __init__(self) -> None:
        self._ticks: dict[int, int] = {}
        self._look()
        self._before = dict(self._ticks)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def seconds(self) -> float:
        """What was spent since it was made; it ends."""
        return sum(self.by_program().values())

    def by_program(self) -> dict[str, float]:
        """The same by the name of the program."""
        self._done.set()
        self._thread.join()
        self._look()
        found: dict[str, float] = {}
        for pid, ticks in self._ticks.items():
            name = "java" if "java" in command(pid).split(" ")[0] else "python"
            spent = (ticks - self._before.get(pid, 0)) / os.sysconf("SC_CLK_TCK")
            found[name] = found.get(name, 0) + spent
        return found

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            self._look()

    def _look(self) -> None:
        for pid in [os.getpid(), *(pid for pid, _ in descendants(os.getpid()))]:
            if fields := stat(pid):
                self._ticks[pid] = int(fields[11]) + int(fields[12])


def timed(engine: Any, folder: Path, rows: int) -> Run:
    processor, begin = Processor(), time.perf_counter()
    try:
        sums = engine.run(folder)
        seconds = time.perf_counter() - begin
    finally:
        spent = processor.seconds()
    return Run(engine.name, rows, seconds, spent, sums)


def killing(engine: Any, folder: Path, rows: int, after: float) -> tuple[Run, int]:
    """The same while a worker is killed; how many were."""
    killed: list[int] = []
    done = threading.Event()

    def kill() -> None:
        done.wait(after)
        while not done.is_set() and not killed:
            for pid in engine.victims()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            done.wait(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        run = timed(engine, folder, rows)
    finally:
        done.set()
        thread.join()
    return run._replace(name=f"{engine.name}, one killed"), len(killed)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--messages", type=int, default=10_000_000)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--quick", action="store_true", help="100,000 messages, for a look at whether it works")
    arguments.add_argument("--recordings", action="store_true", help="frames of recordings, not messages alone")
    arguments.add_argument("--engines", default="spark,ray")
    arguments.add_argument("--all-columns", action="store_true", help="all fields of a message, not five")
    arguments.add_argument("--hand-on", action="store_true", help="the engine reads messages, and hands octets on")
    arguments.add_argument("--arrow-batch", type=int, default=10_000, help="rows of a batch that Spark sends")
    arguments.add_argument("--steps", action="store_true", help="where Spark's time goes, with messages")
    arguments.add_argument("--spark-option", action="append", default=[], metavar="NAME=VALUE")
    arguments.add_argument(
        "--part-octets", type=int, default=PART, help="of a recording, that one task of an engine reads"
    )
    arguments.add_argument("--files", type=int, default=16)
    arguments.add_argument("--repeat", type=int, default=1, help="runs of each engine, of which the fastest counts")
    arguments.add_argument(
        "--pycrate", type=int, default=5000, help="messages of the job as a UDF over pycrate; 0 leaves it out"
    )
    arguments.add_argument("--price", type=float, help="of an hour of one core, for the price of a terabyte")
    arguments.add_argument("--folder", type=Path, help="for the messages: kept, and used again")
    arguments.add_argument("--json", type=Path)
    given = arguments.parse_args()
    count = 100_000 if given.quick else given.messages
    with tempfile.TemporaryDirectory() as temporary:
        report = compare(given, count, Path(given.folder or temporary))
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n")
    if not report["equal"]:
        sys.exit("the results are not the same, or no worker was killed")


def compare(given: argparse.Namespace, count: int, folder: Path) -> dict[str, Any]:
    origin, octets = messages(folder, count, given.files, given.recordings)
    every, few = folder / "all", folder / "few"
    columns = None if given.all_columns else COLUMNS
    fields = "all fields" if given.all_columns else "five fields"
    kind = "frames" if given.recordings else "messages"
    print(f"{count:,} {kind} of {octets / count:.0f} octets, from {origin}; {fields}")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'':32}{'rows/s':>12}{'of ideal':>10}{'s':>8}{'CPU us/row':>12}{'of ideal':>10}")

    core = Core(columns, given.recordings)
    core.run(few)
    runs = [min((timed(core, every, count) for _ in range(given.repeat)), key=lambda run: run.seconds)]
    show(runs[0], runs[0], 1)
    ideal = runs[0].rate * given.workers
    cores = Cores(given.workers, columns, given.recordings)
    cores.run(few)
    runs.append(min((timed(cores, every, count) for _ in range(given.repeat)), key=lambda run: run.seconds))
    show(runs[1], runs[0], given.workers)
    cores.stop()
    killed = 0
    pycrate = None
    for name in filter(None, given.engines.split(",")):
        engine: Any
        if name == "spark":
            engine = Spark(
                given.workers,
                columns,
                given.recordings,
                given.hand_on,
                given.part_octets,
                given.arrow_batch,
                given.spark_option,
            )
        else:
            engine = Ray(given.workers, columns, given.recordings, given.hand_on, given.part_octets)
        engine.run(few)
        run = min((timed(engine, every, count) for _ in range(given.repeat)), key=lambda run: run.seconds)
        show(run, runs[0], given.workers)
        # A short run may be over before a worker is found.
        for divisor in (3, 4, 6, 10, 20):
            again, dead = killing(engine, every, count, run.seconds / divisor)
            if dead:
                break
        show(again, runs[0], given.workers)
        killed += dead
        runs += [run, again]
        if name == "spark" and given.steps and not given.recordings:
            for step, call in engine.steps(every):
                call()
                processor = Processor()
                call()
                spent = {name: seconds / count * 1e6 for name, seconds in processor.by_program().items()}
                print(f"    {step:40} java {spent.get('java', 0):.2f}, python {spent['python']:.2f} CPU us/row")
        if name == "spark" and given.pycrate and not given.recordings:
            pycrate = engine.pycrate(every, min(given.pycrate, count))[0]
        engine.stop()
    engines = len(runs) // 2 - 1
    equal = all(run.sums == runs[0].sums for run in runs) and runs[0].sums["rows"] > 0
    if not given.recordings:
        equal = equal and runs[0].sums["rows"] == count
    print(
        f"\nsums of all runs are {'the same' if equal else 'NOT the same'}; {killed} of {engines} workers were killed"
    )
    if pycrate:
        print(f"pycrate as a UDF in Spark: {pycrate:,.0f} rows/s, of {min(given.pycrate, count)} rows")
    hours = {run.name: run.cpu / octets * TERABYTE / 3600 for run in runs}
    # A few messages take less time than it takes to start.
    for run in [] if given.quick else runs:
        price = "" if given.price is None else f", {hours[run.name] * given.price:.2f} at {given.price} for each"
        print(f"a terabyte of {kind}, {run.name}: {hours[run.name]:.1f} processor hours{price}")
    return {
        kind: count,
        "octets": octets,
        "origin": origin,
        "fields": fields,
        "workers": given.workers,
        "equal": equal and killed == engines,
        "killed": killed,
        "runs": [{**run._asdict(), "rate": run.rate, "of ideal": run.rate / ideal} for run in runs],
        "pycrate rows a second": pycrate,
        "processor hours for a terabyte": hours,
    }


def messages(folder: Path, count: int, files: int, recordings: bool) -> tuple[str, int]:
    """The files; those of an earlier run are taken."""
    note = folder / "messages.json"
    if note.exists():
        known = json.loads(note.read_text())
        if (known["count"], known["files"], known["recordings"]) == (count, files, recordings):
            return known["origin"], known["octets"]
        sys.exit(f"{folder} has other messages")
    make = write_recordings if recordings else write
    origin, octets = make(folder / "all", count, files)
    make(folder / "few", count // 8, max(1, files // 8))
    known = {"count": count, "files": files, "recordings": recordings, "origin": origin, "octets": octets}
    note.write_text(json.dumps(known))
    return origin, octets


def show(run: Run, core: Run, workers: int) -> None:
    """Throughput beside so many times that of the core, and processor time beside the core's: the latter hardly changes with other
    work on the machine."""
    share = run.rate / core.rate / workers
    each, least = (one.cpu / one.rows * 1e6 for one in (run, core))
    print(
        f"{run.name:32}{run.rate:12,.0f}{share:>10.0%}{run.seconds:8.1f}{each:12.2f}{least / each:>10.0%}", flush=True
    )


if __name__ == "__main__":
    main()
