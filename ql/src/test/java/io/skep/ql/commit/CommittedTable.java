package io.skep.ql.commit;

import io.skep.common.type.PrimitiveType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.TableFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.common.StatsSetupConst;

/** Creates text tables with one column for tests of commits. */
final class CommittedTable {
    private static final TableFormat TEXT = new TableFormat(
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "org.apache.hadoop.mapred.TextInputFormat",
            "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            Map.of());

    private CommittedTable() {}

    /** Returns a table of the database default whose statistics are exact. */
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
                Table.NO_ID,
                "default",
                name,
                Table.TableKind.MANAGED_TABLE,
                "ann",
                false,
                0,
                0,
                partitionKeys,
                storage,
                Map.of(
                        StatsSetupConst.COLUMN_STATS_ACCURATE,
                        "{\"BASIC_STATS\":\"true\"}",
                        StatsSetupConst.ROW_COUNT,
                        "0"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the same table at another location. */
    static Table at(Table table, Path folder) {
        return table.withStorage(table.storage().withLocation("file:" + folder));
    }

    /** Returns the same table with another name and location. */
    static Table renamed(Table table, String name, Path folder) {
        return new Table(
                Table.NO_ID,
                table.database(),
                name,
                table.kind(),
                table.owner(),
                table.ownerIsRole(),
                table.createTime(),
                table.lastAccessTime(),
                table.partitionKeys(),
                table.storage().withLocation("file:" + folder),
                table.properties(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns a table that a commit will create. */
    static Table created(String name, Path folder, String commit) {
        return of(name, folder, List.of()).withProperties(Map.of(CommitRequest.CREATED_BY, commit));
    }

    static FieldSchema column(String name) {
        return new FieldSchema(name, PrimitiveType.INT, Optional.empty());
    }
}
