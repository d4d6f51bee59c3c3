package io.skep.storage.table;

import io.skep.common.type.PrimitiveType;
import java.util.Arrays;
import java.util.List;

/**
 * The columns that files of transactional tables have for each row, beside the table's own columns. Readers get them
 * as file columns behind the table's data columns. Their names have a dot, so no table has columns of these names.
 */
public enum AcidColumn {
    /** The write id of the transaction that inserted the row. */
    WRITE_ID("row__id.writeid", "originalTransaction", PrimitiveType.BIGINT),
    /** The bucket property: bucket and statement of the row's writer. */
    BUCKET("row__id.bucketid", "bucket", PrimitiveType.INT),
    /** The row's number among the rows of the same write id and bucket property. */
    ROW_ID("row__id.rowid", "rowId", PrimitiveType.BIGINT),
    /** The write id of the transaction that wrote this version of the row, or deleted the row. */
    CURRENT_WRITE_ID("row__id.currentwriteid", "currentTransaction", PrimitiveType.BIGINT);

    public static final List<Column> COLUMNS =
            Arrays.stream(values()).map(AcidColumn::column).toList();

    private final Column column;
    private final String storedName;

    AcidColumn(String name, String storedName, PrimitiveType type) {
        this.column = new Column(name, type);
        this.storedName = storedName;
    }

    public Column column() {
        return column;
    }

    /** Returns the column's name in files. */
    public String storedName() {
        return storedName;
    }
}
