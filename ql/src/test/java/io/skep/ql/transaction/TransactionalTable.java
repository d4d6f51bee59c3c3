package io.skep.ql.transaction;

import io.skep.common.type.PrimitiveType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A transactional table that no catalog knows. */
final class TransactionalTable {
    private TransactionalTable() {}

    static Table named(String name) {
        TableFormat orc = new TableFormat(
                "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
                "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
                "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
                Map.of());
        List<FieldSchema> columns = List.of(new FieldSchema("a", PrimitiveType.INT, Optional.empty()));
        return new Table(
                Table.NO_ID,
                "db",
                name,
                Table.TableKind.MANAGED_TABLE,
                "alice",
                false,
                0,
                0,
                List.of(),
                new StorageDescriptor(columns, "", orc, false, -1, List.of(), List.of()),
                Map.of("transactional", "true"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
