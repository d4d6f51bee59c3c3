package io.skep.storage.table;

import io.skep.common.type.PrimitiveType;

/** Columns that each row of a file has in addition to the table's columns. */
public enum VirtualColumn {
    INPUT_FILE_NAME(new Column("input__file__name", PrimitiveType.STRING)),
    BLOCK_OFFSET(new Column("block__offset__inside__file", PrimitiveType.BIGINT));

    private final Column column;

    VirtualColumn(Column column) {
        this.column = column;
    }

    public Column column() {
        return column;
    }
}
