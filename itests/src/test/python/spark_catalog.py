"""Spark over a metastore service, whose address and warehouse are the arguments. Runs each line of standard input as a
statement. Answers with the rows, one a line with tabs between the values, and then a line "." or "! ERROR"."""

import sys

from pyspark.sql import SparkSession

uri, warehouse = sys.argv[1:3]
builder = (
    SparkSession.builder.master("local[1]")
    .enableHiveSupport()
    .config("spark.hadoop.hive.metastore.uris", uri)
    .config("spark.sql.warehouse.dir", warehouse)
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.ui.enabled", "false")
)
if len(sys.argv) > 3:
    builder = (
        builder.config("spark.sql.hive.metastore.version", "4.0.1")
        .config("spark.sql.hive.metastore.jars", "path")
        .config("spark.sql.hive.metastore.jars.path", sys.argv[3])
    )
spark = builder.getOrCreate()
print("ready", flush=True)
for line in sys.stdin:
    try:
        for row in spark.sql(line.strip()).collect():
            print("\t".join(str(value) for value in row))
        print(".", flush=True)
    except Exception as error:
        print("! " + str(error).replace("\n", " "), flush=True)
spark.stop()
