package io.skep.spark;

import java.time.ZoneId;
import java.util.Optional;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Decides how rows of Spark get into a table: added to its rows, or in their place. */
final class SkepWriteBuilder implements SupportsTruncate, SupportsDynamicOverwrite {
    private final SkepOptions options;
    private final TableName table;
    private final StructType declared;
    private final ZoneId zone;
    private boolean overwrite;

    /**
     * @param declared the columns of the table, with Hive's types
     * @param zone of Spark's session
     * @throws IllegalArgumentException when the rows do not have these columns
     */
    SkepWriteBuilder(SkepOptions options, TableName table, StructType declared, LogicalWriteInfo written, ZoneId zone) {
        this.options = options;
        this.table = table;
        this.declared = declared;
        this.zone = zone;
        StructField[] given = written.schema().fields();
        boolean same = given.length == declared.length();
        for (int i = 0; same && i < given.length; i++) {
            StructField column = declared.fields()[i];
            same = column.name().equals(given[i].name())
                    && ColumnTypes.sameForm(column.dataType(), given[i].dataType());
        }
        if (!same) {
            throw new IllegalArgumentException("Skep: table " + table + " has the columns " + declared.catalogString()
                    + ", and the rows " + written.schema().catalogString());
        }
    }

    /** The whole table is replaced. INSERT OVERWRITE would keep the partitions for which there are no rows. */
    @Override
    public WriteBuilder truncate() {
        if (ColumnTypes.partitions(declared).length > 0) {
            throw new UnsupportedOperationException("Skep: table " + table
                    + " is partitioned, and cannot be overwritten as a whole; use"
                    + " spark.sql.sources.partitionOverwriteMode=dynamic in SQL, or"
                    + " writeTo(...).overwritePartitions(), which replace the partitions that get rows");
        }
        overwrite = true;
        return this;
    }

    @Override
    public WriteBuilder overwriteDynamicPartitions() {
        overwrite = true;
        return this;
    }

    @Override
    public Write build() {
        SkepBatchWrite batch = new SkepBatchWrite(
                options,
                new TableWrite(table, declared, overwrite),
                ColumnTypes.hasWallClocks(declared) ? Optional.empty() : Optional.of(zone));
        return new Write() {
            @Override
            public String description() {
                return "Skep " + table;
            }

            @Override
            public BatchWrite toBatch() {
                return batch;
            }
        };
    }
}
