package io.skep.itests.random;

/** The SQL dialect of a query. */
enum Dialect {
    HIVE,
    DUCKDB
}
