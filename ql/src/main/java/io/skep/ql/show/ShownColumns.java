package io.skep.ql.show;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.storage.serde.SerdeColumns;
import java.util.List;
import java.util.Optional;

/** The columns of a table or partition as DESCRIBE and SHOW CREATE TABLE show them. */
final class ShownColumns {
    private static final Optional<String> OF_SERDE = Optional.of("from deserializer");

    private ShownColumns() {}

    /**
     * Returns the columns. Hive asks some SerDes for them. Those of Avro and of regular expressions have the declared
     * comments, and empty ones for columns without any; the others have none.
     */
    static List<FieldSchema> of(StorageDescriptor storage) {
        if (SerdeColumns.haveDeclaredComments(storage.format())) {
            return storage.columns().stream()
                    .map(column -> new FieldSchema(
                            column.name(), column.type(), column.comment().or(() -> Optional.of(""))))
                    .toList();
        }
        if (!SerdeColumns.haveNoComments(storage.format())) {
            return storage.columns();
        }
        return storage.columns().stream()
                .map(column -> new FieldSchema(column.name(), column.type(), OF_SERDE))
                .toList();
    }
}
