"""So that tests find what they share; and the engines, each started once."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from support import missing


def _workers_find_the_tests() -> None:
    """Functions of the tests are sent to workers by their names."""
    folders = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(folders)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Spark on this machine: two workers, and a task that fails is tried again."""
    missing("pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing("java")
    _workers_find_the_tests()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2,4]").appName("roadwire")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    # Tests fail tasks on purpose.
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def ray() -> Iterator[Any]:
    """Ray on this machine, with two workers."""
    missing("ray")
    _workers_find_the_tests()
    import ray

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
        object_store_memory=200 << 20,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    # Rows of a dataset in the order of its files.
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    yield ray
    ray.shutdown()
