package io.skep.storage.parquet;

import io.skep.common.memory.HeldBuffers;
import io.skep.common.type.StructType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.table.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads some columns of a range of rows. Flat columns are read page by page, nested ones record by record. Owned by one
 * thread.
 */
final class RangeReader implements AutoCloseable {
    private final ParquetLayout layout;
    private final List<Column> columns;
    private final HeldBuffers buffers = new HeldBuffers();
    private final @Nullable ParquetFileReader file;
    private final @Nullable PageReadStore pages;
    private final List<@Nullable FlatColumn> flat = new ArrayList<>();
    private final List<Column> nestedColumns = new ArrayList<>();
    private final List<Type> nestedTypes = new ArrayList<>();
    private final VectorAppender nested;
    private final @Nullable RecordReader<Boolean> records;

    RangeReader(ParquetLayout layout, RowRange range, List<Column> columns) throws IOException {
        this.layout = layout;
        this.columns = columns;
        Set<Type> wanted = types(layout, columns);
        if (wanted.isEmpty()) {
            file = null;
            pages = null;
        } else {
            MessageType schema = new MessageType(layout.schema().getName(), List.copyOf(wanted));
            file = layout.open(buffers);
            try {
                file.setRequestedSchema(schema.getColumns());
                pages = new CountedPages(
                        range.whole()
                                ? file.readRowGroup(range.block())
                                : file.readFilteredRowGroup(range.block(), range.toRowRanges()),
                        buffers);
            } catch (IOException | RuntimeException e) {
                buffers.close();
                file.close();
                throw e;
            }
        }
        try {
            prepare(range);
            this.nested = VectorAppender.of(nestedType());
            this.records = nestedColumns.isEmpty() ? null : records();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns the file's columns among some columns of the table. */
    static Set<Type> types(ParquetLayout layout, List<Column> columns) {
        Set<Type> types = new LinkedHashSet<>();
        for (Column column : columns) {
            layout.column(column.name()).ifPresent(types::add);
        }
        return types;
    }

    private void prepare(RowRange range) throws IOException {
        for (Column column : columns) {
            Optional<Type> type = layout.column(column.name());
            FlatColumn reader = null;
            if (type.isPresent() && pages != null) {
                if (type.get().isPrimitive() && !type.get().isRepetition(Type.Repetition.REPEATED)) {
                    ColumnDescriptor descriptor = layout.schema()
                            .getColumnDescription(new String[] {type.get().getName()});
                    reader = new FlatColumn(
                            descriptor, pages.getPageReader(descriptor), column.type(), layout.zones(), range.from());
                } else {
                    nestedColumns.add(column);
                    nestedTypes.add(type.get());
                }
            }
            flat.add(reader);
        }
    }

    private StructType nestedType() {
        return new StructType(nestedColumns.stream()
                .map(column -> new StructType.Field(column.name(), column.type()))
                .toList());
    }

    private RecordReader<Boolean> records() {
        if (pages == null) {
            throw new IllegalStateException("no pages");
        }
        MessageType schema = new MessageType(layout.schema().getName(), nestedTypes);
        GroupConverter root = new Converters.StructConverter(schema, nestedType(), layout.zones(), nested);
        return new ColumnIOFactory(layout.createdBy())
                .getColumnIO(schema)
                .getRecordReader(pages, new ToVectors(root), FilterCompat.NOOP);
    }

    /** Rows are appended to vectors. A record only indicates that a row was read. */
    private static final class ToVectors extends RecordMaterializer<Boolean> {
        private final GroupConverter root;

        private ToVectors(GroupConverter root) {
            this.root = root;
        }

        @Override
        public Boolean getCurrentRecord() {
            return true;
        }

        @Override
        public GroupConverter getRootConverter() {
            return root;
        }
    }

    Batch read(int rows) throws IOException {
        List<Vector> nestedVectors = nestedVectors(rows);
        List<Vector> vectors = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            FlatColumn reader = flat.get(i);
            int nestedIndex = nestedColumns.indexOf(column);
            if (reader != null) {
                vectors.add(reader.read(rows));
            } else if (nestedIndex >= 0) {
                vectors.add(nestedVectors.get(nestedIndex));
            } else {
                vectors.add(VectorAppender.nulls(column.type(), rows));
            }
        }
        return new Batch(vectors, rows);
    }

    private List<Vector> nestedVectors(int rows) {
        if (records == null) {
            return List.of();
        }
        for (int i = 0; i < rows; i++) {
            Boolean ignored = records.read();
        }
        return ((StructVector) nested.build()).fields();
    }

    /** Returns the bytes of the column chunks and pages in memory. */
    long retainedBytes() {
        return buffers.bytes();
    }

    @Override
    public void close() {
        buffers.close();
        try {
            if (pages != null) {
                pages.close();
            }
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            throw ReadErrors.of(layout.file().path(), "closing", e);
        }
    }
}
