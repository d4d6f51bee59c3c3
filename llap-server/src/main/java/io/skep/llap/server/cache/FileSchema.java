package io.skep.llap.server.cache;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** How the columns of a file are decoded: its format and its columns, compared in full. Thread-safe. */
public final class FileSchema {
    /**
     * The ordinal of a column with one value, the number of rows. It is used where no column of a row group is read.
     */
    public static final int ROW_COUNT = -1;

    private final TableFormat format;
    private final List<Column> columns;
    private final int hash;
    private final AtomicReferenceArray<@Nullable ColumnSchema> schemas;

    private FileSchema(TableFormat format, List<Column> columns) {
        this.format = format;
        this.columns = columns;
        this.hash = 31 * format.hashCode() + columns.hashCode();
        this.schemas = new AtomicReferenceArray<>(columns.size() + 1);
    }

    /** Interns the schemas in use. Schemas without users are dropped. */
    public static final class Pool {
        private final Interner<FileSchema> interner = Interners.newWeakInterner();

        /** Returns the schema with which a split is read. */
        public FileSchema of(Split split) {
            return interner.intern(new FileSchema(split.format(), split.fileColumns()));
        }
    }

    /** @param ordinal position in the file's columns, or {@link #ROW_COUNT} */
    public ColumnSchema column(int ordinal) {
        ColumnSchema known = schemas.get(ordinal + 1);
        if (known != null) {
            return known;
        }
        ColumnSchema made = ColumnSchema.of(this, format, ordinal, decodingColumns(ordinal));
        ColumnSchema other = schemas.compareAndExchange(ordinal + 1, null, made);
        return other == null ? made : other;
    }

    /** The columns that determine how one column is decoded. */
    private List<Column> decodingColumns(int ordinal) {
        if (!FileFormats.of(format).decodesColumnsAlone(format)) {
            return columns;
        }
        if (ordinal == ROW_COUNT) {
            return List.of();
        }
        // The same file has other columns at its root when it is not read as a file with row identifiers.
        Column rowIds = AcidColumn.WRITE_ID.column();
        return columns.contains(rowIds) ? List.of(columns.get(ordinal), rowIds) : List.of(columns.get(ordinal));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof FileSchema that
                        && hash == that.hash
                        && format.equals(that.format)
                        && columns.equals(that.columns);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
