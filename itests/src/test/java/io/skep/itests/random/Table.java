package io.skep.itests.random;

import java.util.List;

/**
 * A table that both engines have.
 *
 * @param storage what its CREATE TABLE ends with in Hive
 * @param partition the name of the partition column, which is then the last one; empty if it has none
 * @param nullShare the share of NULLs in columns that have some
 * @param portable whether DuckDB computes with its values as Hive does; not so at the limits of types
 */
record Table(
        String name,
        String storage,
        String partition,
        int rows,
        double nullShare,
        boolean portable,
        List<Column> columns) {
    Table {
        columns = List.copyOf(columns);
    }

    record Column(String name, String type, Kind kind) {}
}
