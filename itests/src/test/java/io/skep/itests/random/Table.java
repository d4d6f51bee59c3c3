package io.skep.itests.random;

import java.util.List;

/**
 * A table that both engines have.
 *
 * @param storage what its CREATE TABLE ends with in Hive
 * @param partition the name of the partition column, which is then the last one; empty if it has none
 * @param nullShare the share of NULLs in columns that have some
 * @param extreme whether it has values at the limits of types, where Hive wraps around or has NULL and DuckDB fails
 */
record Table(
        String name,
        String storage,
        String partition,
        int rows,
        double nullShare,
        boolean extreme,
        List<Column> columns) {
    Table {
        columns = List.copyOf(columns);
    }

    record Column(String name, String type, Kind kind) {}
}
