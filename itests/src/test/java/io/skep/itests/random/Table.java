package io.skep.itests.random;

import java.util.List;

/**
 * A table that exists in both engines.
 *
 * @param storage the end of its CREATE TABLE in Hive
 * @param partition the name of the partition column, which is then the last one; empty if it has none
 * @param nullShare the fraction of NULLs in columns that contain any
 * @param extreme whether it has values at the limits of types, where Hive wraps around or returns NULL and DuckDB fails
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
