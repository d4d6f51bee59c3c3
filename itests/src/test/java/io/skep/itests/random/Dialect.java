package io.skep.itests.random;

/** The SQL that a query is written in. */
enum Dialect {
    HIVE,
    DUCKDB
}
