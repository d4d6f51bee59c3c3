package io.skep.ql.statement;

import io.skep.common.type.PrimitiveType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.TableFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tables of text with one column, as tests of commits have them. */
final class CommittedTable {
    private static final TableFormat TEXT = new TableFormat(
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "org.apache.hadoop.mapred.TextInputFormat",
            "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            Map.of());

    private CommittedTable() {}

    /** A table of the database default whose figures are exact. */
    static Table of(String name, Path folder, List<FieldSchema> partitionKeys) {
        StorageDescriptor storage = new StorageDescriptor(
                List.of(column("a")),
                "file:" + folder,
                TEXT,
                false,
                -1,
                List.of(),
                List.of(),
                StorageDescriptor.Skew.NONE);
        return new Table(
                "default",
                name,
                Table.TableKind.MANAGED_TABLE,
                "ann",
                0,
                0,
                partitionKeys,
                storage,
                Map.of(TableFigures.ACCURATE, "{\"BASIC_STATS\":\"true\"}", TableFigures.ROWS, "0"),
                Optional.empty(),
                Optional.empty());
    }

    static FieldSchema column(String name) {
        return new FieldSchema(name, PrimitiveType.INT, Optional.empty());
    }
}
