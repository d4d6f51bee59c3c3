"""Makes the files of other writers that the tests read: pip install pyarrow duckdb; python make_files.py

Row i of 1000 holds values that follow from i; every seventh row (i % 7 == 3) is null in all columns but id.
"""
import datetime
import decimal

import duckdb
import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq

ROWS = 1000
UTC = datetime.timezone.utc


def column(value):
    return [None if i % 7 == 3 else value(i) for i in range(ROWS)]


def moment(i):
    return datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=i * 3601, microseconds=i)


def table(union_of_all):
    columns = {
        "id": pa.array(range(ROWS), pa.int32()),
        "Flag": pa.array(column(lambda i: i % 2 == 0), pa.bool_()),
        "tiny": pa.array(column(lambda i: i % 100 - 50), pa.int8()),
        "big": pa.array(column(lambda i: i * 1_000_000_007), pa.int64()),
        "real": pa.array(column(lambda i: i / 4), pa.float32()),
        "dbl": pa.array(column(lambda i: i / 3), pa.float64()),
        "word": pa.array(column(lambda i: "wörd %d" % (i % 11)), pa.string()),
        "text": pa.array(column(lambda i: "text %d" % i), pa.string()),
        "bytes": pa.array(column(lambda i: bytes([i % 256, 0])), pa.binary()),
        "day": pa.array(column(lambda i: datetime.date(1969, 12, 1) + datetime.timedelta(days=i)), pa.date32()),
        "at": pa.array(column(moment), pa.timestamp("us")),
        "price": pa.array(column(lambda i: decimal.Decimal(i * 101 - 7000).scaleb(-2)), pa.decimal128(9, 2)),
        "wide": pa.array(column(lambda i: decimal.Decimal(i - 1500) * 10**20), pa.decimal128(38, 4)),
        "list": pa.array(column(lambda i: [k if k % 2 else None for k in range(i % 4)]), pa.list_(pa.int32())),
        "map": pa.array(
            column(lambda i: [("k%d" % k, k * i) for k in range(i % 3)]), pa.map_(pa.string(), pa.int64())),
        "pair": pa.array(
            column(lambda i: {"x": i, "Y": "y%d" % i}), pa.struct([("x", pa.int32()), ("Y", pa.string())])),
    }
    if union_of_all:
        columns["instant"] = pa.array(
            column(lambda i: moment(i).replace(tzinfo=UTC)), pa.timestamp("us", tz="UTC"))
    return pa.table(columns)


parquet = table(True)
pq.write_table(parquet, "arrow_v1.parquet", row_group_size=400, compression="snappy")
pq.write_table(
    parquet,
    "arrow_v2.parquet",
    data_page_version="2.0",
    write_page_index=True,
    data_page_size=2000,
    compression="zstd",
    use_dictionary=["word"],
    column_encoding={"id": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "dbl": "BYTE_STREAM_SPLIT"},
)
pq.write_table(parquet, "arrow_int96.parquet", use_deprecated_int96_timestamps=True, compression="gzip")
duckdb.sql("copy (select * from parquet) to 'duckdb.parquet' (format parquet, compression snappy)")
orc.write_table(table(True), "arrow.orc", compression="zlib", stripe_size=16384)
