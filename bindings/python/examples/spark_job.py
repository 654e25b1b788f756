"""A Spark job: from recordings to how many DENMs of each cause there were in each hour.

    python spark_job.py RECORDINGS... [--master 'local[2]'] [--out FOLDER]

RECORDINGS are files, patterns or folders that all workers have. Without --out the counts are printed; with it they are
Parquet.
"""

from __future__ import annotations

import argparse

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import roadwire.spark
from names import names_of

CAUSE = "denm.situation.eventType.causeCode"


def denms_by_cause(spark: SparkSession, recordings: list[str]) -> DataFrame:
    """Rows of hour (UTC), cause, its name, and the number of DENMs, repeated ones included."""
    roadwire.spark.register(spark)
    # Only the time and the cause leave the workers that read.
    options = {"message": "denm-1.3.1", "fields": CAUSE, "columns": "time", "errors": "null"}
    values = spark.read.format("roadwire").options(**options).load(recordings)
    causes = values.select(F.date_trunc("hour", "time").alias("hour"), F.col(CAUSE).alias("cause"))
    counts = causes.groupBy("hour", "cause").count()
    names = [F.lit(part) for pair in names_of("denm-1.3.1", CAUSE).items() for part in pair]
    return counts.withColumn("name", F.create_map(*names)[F.col("cause")]).orderBy("hour", "cause")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("recordings", nargs="+")
    arguments.add_argument("--master", default="local[2]")
    arguments.add_argument("--out")
    given = arguments.parse_args()
    builder = SparkSession.builder.master(given.master).appName("DENMs by cause")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    counts = denms_by_cause(spark, given.recordings)
    if given.out:
        counts.write.parquet(given.out)
    else:
        counts.show(1000, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
