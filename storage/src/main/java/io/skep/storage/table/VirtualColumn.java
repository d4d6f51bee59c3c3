package io.skep.storage.table;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import java.util.List;

/** Columns that each row of a file has in addition to the table's columns. */
public enum VirtualColumn {
    INPUT_FILE_NAME("input__file__name", PrimitiveType.STRING),
    BLOCK_OFFSET("block__offset__inside__file", PrimitiveType.BIGINT),
    /** The identifier of a row of a transactional table. Null for other tables. */
    ROW_ID(
            "row__id",
            new StructType(List.of(
                    new StructType.Field("writeid", PrimitiveType.BIGINT),
                    new StructType.Field("bucketid", PrimitiveType.INT),
                    new StructType.Field("rowid", PrimitiveType.BIGINT)))),
    /** Whether the row is deleted. True only where a scan returns deleted rows, see {@link AcidInfo#withDeleted}. */
    ROW_IS_DELETED("row__is__deleted", PrimitiveType.BOOLEAN);

    private final Column column;

    VirtualColumn(String name, SqlType type) {
        this.column = new Column(name, type);
    }

    public Column column() {
        return column;
    }
}
