package io.skep.storage.page;

import io.skep.common.memory.MemoryPool;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.acid.AcidBatch;
import io.skep.storage.acid.AcidRows;
import io.skep.storage.acid.DeleteSets;
import io.skep.storage.format.FileFormat;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.serde.value.ValueConversion;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Maps the columns of a scan to the columns of one split. A column comes from the file, converted when the partition
 * was created with another type. Otherwise it comes from the partition's values, or is null when the partition lacks
 * it. Files with column names are read with the table's columns. Other files are read with the partition's columns, by
 * position. Predicates on columns with a single value in the split are evaluated at once, and decide whether the split
 * is read.
 */
public final class ColumnMapping {
    /** The source of a column. */
    private sealed interface Origin {
        record FromFile(int fileColumn) implements Origin {}

        record Converted(int fileColumn, ValueConversion conversion) implements Origin {}

        record Constant(Vector one) implements Origin {}

        record BlockOffset() implements Origin {}

        record RowId() implements Origin {}

        record RowIsDeleted() implements Origin {}
    }

    private final Split fileSplit;
    private final List<Origin> origins;
    private final List<SqlType> types;
    private final List<Integer> fileColumns;
    private final List<ColumnPredicate> filePredicates;
    private final boolean empty;
    private final Optional<AcidRows> acidRows;

    private ColumnMapping(
            Split fileSplit,
            List<Origin> origins,
            List<SqlType> types,
            List<Integer> fileColumns,
            List<ColumnPredicate> filePredicates,
            boolean empty,
            Optional<AcidRows> acidRows) {
        this.fileSplit = fileSplit;
        this.origins = origins;
        this.types = types;
        this.fileColumns = fileColumns;
        this.filePredicates = filePredicates;
        this.empty = empty;
        this.acidRows = acidRows;
    }

    /**
     * @param deletes the delete events of transactional tables
     * @param memory accounts for delete events of this split alone
     */
    public static ColumnMapping of(
            ScanRequest request, Split split, PartitionValues values, DeleteSets deletes, MemoryPool memory) {
        TableLayout table = request.table();
        FileFormat format = FileFormats.of(split.format());
        List<Column> fields = format.selfDescribing() ? fileColumns(table, split) : split.fileColumns();
        Optional<Column> offsets =
                format.offsets().filter(_ -> request.columns().contains(table.ordinal(VirtualColumn.BLOCK_OFFSET)));
        Split fileSplit = split.withColumns(
                Stream.concat(fields.stream(), offsets.stream()).toList());
        List<Origin> origins = new ArrayList<>();
        TreeSet<Integer> fileColumns = new TreeSet<>();
        for (int ordinal : request.columns()) {
            Origin origin = origin(table, fileSplit, fields, ordinal, values);
            origins.add(origin);
            switch (origin) {
                case Origin.FromFile o -> fileColumns.add(o.fileColumn());
                case Origin.Converted o -> fileColumns.add(o.fileColumn());
                case Origin.Constant _, Origin.BlockOffset _, Origin.RowId _, Origin.RowIsDeleted _ -> {}
            }
        }
        List<ColumnPredicate> filePredicates = new ArrayList<>();
        boolean empty = false;
        for (ColumnPredicate predicate : request.predicates()) {
            int ordinal = predicate.column();
            switch (origin(table, fileSplit, fields, ordinal, values)) {
                case Origin.FromFile _ -> {
                    if (ordinal < table.dataColumns().size()) {
                        filePredicates.add(predicate);
                    }
                }
                case Origin.Constant o ->
                    empty |= !bounds(o, table.column(ordinal).type()).mayMatch(predicate);
                case Origin.Converted _, Origin.BlockOffset _, Origin.RowId _, Origin.RowIsDeleted _ -> {}
            }
        }
        boolean rowIds = origins.stream().anyMatch(Origin.RowId.class::isInstance);
        int dataColumns = table.dataColumns().size();
        List<SqlType> types = request.columns().stream()
                .map(ordinal -> table.column(ordinal).type())
                .toList();
        return new ColumnMapping(
                fileSplit,
                origins,
                types,
                List.copyOf(fileColumns),
                List.copyOf(filePredicates),
                empty,
                split.acid().map(_ -> new AcidRows(fileSplit, dataColumns, rowIds, deletes, memory)));
    }

    private static List<Column> fileColumns(TableLayout table, Split split) {
        if (!split.storesRowIds()) {
            return table.dataColumns();
        }
        List<Column> columns = new ArrayList<>(table.dataColumns());
        columns.addAll(AcidColumn.COLUMNS);
        return columns;
    }

    /** @param fields the split's columns without that of the offsets of its rows */
    private static Origin origin(
            TableLayout table, Split split, List<Column> fields, int ordinal, PartitionValues values) {
        int data = table.dataColumns().size();
        int stored = data + table.partitionColumns().size();
        if (ordinal < data) {
            return fromFile(table.column(ordinal).type(), fields, ordinal, values);
        }
        if (ordinal < stored) {
            Column column = table.column(ordinal);
            Optional<String> text = split.partitionValues().get(ordinal - data);
            Datum value = text.map(t -> values.parse(t, column)).orElse(Datum.NULL);
            return new Origin.Constant(value.toVector(column.type()));
        }
        return switch (VirtualColumn.values()[ordinal - stored]) {
            case INPUT_FILE_NAME -> constant(Datum.ofText(split.file().path()), VirtualColumn.INPUT_FILE_NAME);
            case BLOCK_OFFSET ->
                fields.size() < split.fileColumns().size()
                        ? new Origin.FromFile(fields.size())
                        : new Origin.BlockOffset();
            case ROW_ID -> split.acid().isPresent() ? new Origin.RowId() : constant(Datum.NULL, VirtualColumn.ROW_ID);
            case ROW_IS_DELETED ->
                split.acid().isPresent() && split.acid().get().withDeleted()
                        ? new Origin.RowIsDeleted()
                        : constant(Datum.ofBoolean(false), VirtualColumn.ROW_IS_DELETED);
        };
    }

    private static Origin.Constant constant(Datum value, VirtualColumn column) {
        return new Origin.Constant(value.toVector(column.column().type()));
    }

    private static Origin fromFile(SqlType wanted, List<Column> fileColumns, int ordinal, PartitionValues values) {
        if (ordinal >= fileColumns.size()) {
            return new Origin.Constant(Datum.NULL.toVector(wanted));
        }
        SqlType stored = fileColumns.get(ordinal).type();
        return stored.equals(wanted)
                ? new Origin.FromFile(ordinal)
                : new Origin.Converted(ordinal, ValueConversion.of(stored, wanted, values.zone()));
    }

    /** Returns the bounds of a column with one value in the whole split. */
    private static ColumnBounds bounds(Origin.Constant constant, SqlType type) {
        Datum value = Datum.of(constant.one(), 0, type);
        Optional<Datum> known = value.isNull() ? Optional.empty() : Optional.of(value);
        return new ColumnBounds(known, known, value.isNull(), !value.isNull(), other -> true);
    }

    /** Returns the number of rows in a batch of the scan. */
    public int batchRows() {
        return BatchRows.of(types);
    }

    /** Returns the split for readers. Its file columns are those that {@link #fileColumns} refers to. */
    public Split fileSplit() {
        return fileSplit;
    }

    /** Returns the ordinals of the required file columns, in ascending order. */
    public List<Integer> fileColumns() {
        return fileColumns;
    }

    /** Returns the predicates that a file reader can use, on ordinals of file columns. */
    public List<ColumnPredicate> filePredicates() {
        return filePredicates;
    }

    /** Whether no row of the split can match, because of its partition's values or a missing column. */
    public boolean empty() {
        return empty;
    }

    /** Returns what decides on the rows of a split of a transactional table. */
    public Optional<AcidRows> acidRows() {
        return acidRows;
    }

    /**
     * Returns a column by its index in the request, for the cursor's current rows.
     *
     * @param acid the decision on these rows, if the mapping has {@link #acidRows}
     */
    Vector column(int index, RowGroupCursor cursor, int rowCount, @Nullable AcidBatch acid) {
        return switch (origins.get(index)) {
            case Origin.FromFile o -> cursor.column(o.fileColumn());
            case Origin.Converted o -> o.conversion().convert(cursor.column(o.fileColumn()));
            case Origin.Constant o -> new ConstantVector(o.one(), rowCount);
            case Origin.BlockOffset o -> {
                Datum offset = new Datum.OfLong(cursor.rowGroup().offset());
                yield new ConstantVector(
                        offset.toVector(VirtualColumn.BLOCK_OFFSET.column().type()), rowCount);
            }
            case Origin.RowId _ -> Objects.requireNonNull(acid).rowIds();
            case Origin.RowIsDeleted _ -> Objects.requireNonNull(acid).deleted();
        };
    }

    /** Returns a column of the request for some of the cursor's current rows. */
    Vector column(int index, RowGroupCursor cursor, int rowCount, @Nullable AcidBatch acid, int[] rows, int count) {
        return origins.get(index) instanceof Origin.FromFile o
                ? cursor.column(o.fileColumn(), rows, count)
                : column(index, cursor, rowCount, acid).select(rows, count);
    }

    /** Returns the same, valid only as long as a column of all rows. */
    Vector retained(int index, RowGroupCursor cursor, int rowCount, @Nullable AcidBatch acid, int[] rows, int count) {
        return origins.get(index) instanceof Origin.FromFile o
                ? cursor.retained(o.fileColumn(), rows, count)
                : column(index, cursor, rowCount, acid).select(rows, count);
    }

    /** Returns a column of the request with no rows. */
    Vector emptyColumn(int index) {
        return VectorAppender.empty(types.get(index));
    }
}
