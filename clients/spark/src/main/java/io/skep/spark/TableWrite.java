package io.skep.spark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructType;

/**
 * The statements of a write. Rows are collected in a temporary table of the session, and one INSERT moves them into the
 * table, so that all of them arrive or none.
 *
 * @param declared the columns of the table
 * @param overwrite whether they replace its rows, or those of the partitions that get some
 */
record TableWrite(TableName table, StructType declared, boolean overwrite) {
    /**
     * A column as the server describes it.
     *
     * @param type Hive's name of it
     * @param isPartition whether the table is partitioned by it
     */
    record HiveColumn(String name, String type, boolean isPartition) {
        HiveColumn asPartition() {
            return new HiveColumn(name, type, true);
        }
    }

    /** @param staging the name of the temporary table */
    String create(String staging, List<HiveColumn> columns) {
        return columns.stream()
                .map(column -> SqlText.name(column.name()) + " " + column.type())
                .collect(Collectors.joining(
                        ", ",
                        "CREATE TEMPORARY TABLE " + SqlText.name(staging) + " (",
                        ") STORED AS ORC TBLPROPERTIES ('orc.compress'='SNAPPY')"));
    }

    String insert(String staging) {
        String columns = Arrays.stream(declared.fieldNames()).map(SqlText::name).collect(Collectors.joining(", "));
        return "INSERT " + (overwrite ? "OVERWRITE" : "INTO") + " TABLE " + table.sql() + " SELECT " + columns
                + " FROM " + SqlText.name(staging);
    }

    static String ticket(String staging) {
        return "SELECT get_write_ticket(" + SqlText.literal(staging) + ")";
    }

    static String commit(String staging, List<Long> parts) {
        return "SELECT commit_parts(" + SqlText.literal(staging) + ", '"
                + parts.stream().map(String::valueOf).collect(Collectors.joining(",")) + "')";
    }
}
