package io.skep.storage.orc;

import io.skep.common.memory.HeldBuffers;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.ConsecutiveRowIds;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.orc.ColumnStatistics;
import org.apache.orc.DataReader;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.ColumnStatisticsImpl;
import org.apache.orc.impl.OrcIndex;
import org.apache.orc.impl.SchemaEvolution;
import org.apache.orc.util.BloomFilter;
import org.apache.orc.util.BloomFilterIO;

/** Skips strides by the statistics and Bloom filters of a file's row indexes. */
final class OrcPruning {
    private record Place(OrcLayout.Stride stride, int column) {}

    private final OrcLayout layout;
    private final List<Column> columns;
    private final Map<Integer, Optional<TypeDescription>> comparable = new ConcurrentHashMap<>();
    /** A cache of bounds. Bounds with a Bloom filter are not kept, because they would use much memory. */
    private final Map<Place, ColumnBounds> known = new ConcurrentHashMap<>();

    OrcPruning(OrcLayout layout, List<Column> columns) {
        this.layout = layout;
        this.columns = columns;
    }

    boolean mayMatch(OrcLayout.Stride stride, List<ColumnPredicate> predicates) {
        for (ColumnPredicate predicate : predicates) {
            if (!known(stride, predicate.column()).mayMatch(predicate)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the row identifiers of a stride if they are consecutive: as many as rows, in one range. */
    Optional<ConsecutiveRowIds> rowIds(OrcLayout.Stride stride) {
        OptionalLong writeId = only(known(stride, columns.indexOf(AcidColumn.WRITE_ID.column())));
        OptionalLong bucket = only(known(stride, columns.indexOf(AcidColumn.BUCKET.column())));
        ColumnBounds rowIds = known(stride, columns.indexOf(AcidColumn.ROW_ID.column()));
        if (writeId.isEmpty()
                || bucket.isEmpty()
                || rowIds.mayHaveNulls()
                || !(rowIds.min().orElse(Datum.NULL) instanceof Datum.OfLong first)
                || !(rowIds.max().orElse(Datum.NULL) instanceof Datum.OfLong last)
                || last.value() - first.value() != stride.rows() - 1L) {
            return Optional.empty();
        }
        return Optional.of(
                new ConsecutiveRowIds(writeId.getAsLong(), Math.toIntExact(bucket.getAsLong()), first.value()));
    }

    /** Returns the value that all rows have. */
    private static OptionalLong only(ColumnBounds bounds) {
        return !bounds.mayHaveNulls()
                        && bounds.min().equals(bounds.max())
                        && bounds.min().orElse(Datum.NULL) instanceof Datum.OfLong value
                ? OptionalLong.of(value.value())
                : OptionalLong.empty();
    }

    private ColumnBounds known(OrcLayout.Stride stride, int column) {
        Optional<TypeDescription> fileType =
                comparable.computeIfAbsent(column, ordinal -> comparable(columns.get(ordinal)));
        if (fileType.isEmpty()) {
            return ColumnBounds.UNKNOWN;
        }
        ColumnBounds found = known.get(new Place(stride, column));
        return found != null ? found : bounds(stride, fileType.get(), column);
    }

    /** Returns the file's column if its values sort in the same order as values of the requested type. */
    private Optional<TypeDescription> comparable(Column column) {
        OrcColumns place = layout.columns(List.of(column));
        TypeDescription schema = place.schema();
        SchemaEvolution evolution = new SchemaEvolution(
                layout.schema(), schema, layout.options().schema(schema).include(null));
        TypeDescription wanted = place.type(evolution.getReaderSchema(), 0);
        TypeDescription fileType = evolution.getFileType(wanted);
        return fileType != null
                        && fileType.getCategory().isPrimitive()
                        && (fileType.equals(wanted)
                                || evolution.isPPDSafeConversion(fileType.getId())
                                        && OrcBounds.integer(fileType)
                                        && OrcBounds.integer(wanted))
                ? Optional.of(fileType)
                : Optional.empty();
    }

    private ColumnBounds bounds(OrcLayout.Stride stride, TypeDescription fileType, int column) {
        SqlType type = columns.get(column).type();
        int id = fileType.getId();
        boolean[] wanted = new boolean[layout.schema().getMaximumId() + 1];
        wanted[id] = true;
        try (CountingDataReader data = layout.open(new HeldBuffers())) {
            OrcIndex index = layout.index(stride.stripe(), wanted, data);
            OrcProto.RowIndex rows = index.getRowGroupIndex()[id];
            if (rows == null || !rows.getEntry(stride.indexInStripe()).hasStatistics()) {
                return ColumnBounds.UNKNOWN;
            }
            ColumnStatistics statistics = ColumnStatisticsImpl.deserialize(
                    fileType, rows.getEntry(stride.indexInStripe()).getStatistics(), layout.proleptic(), true);
            ColumnBounds bounds = OrcBounds.of(
                    statistics, fileType, type, layout.writerVersion(), bloom(index, stride, fileType, data));
            if (index.getBloomFilterIndex()[id] == null) {
                known.put(new Place(stride, column), bounds);
            }
            return bounds;
        } catch (IOException | RuntimeException e) {
            throw ReadErrors.of(layout.file().path(), "index of " + layout.place(stride.stripe()), e);
        }
    }

    private Predicate<Datum> bloom(OrcIndex index, OrcLayout.Stride stride, TypeDescription fileType, DataReader data)
            throws IOException {
        OrcProto.BloomFilterIndex filters = index.getBloomFilterIndex()[fileType.getId()];
        OrcProto.Stream.Kind kind = index.getBloomFilterKinds()[fileType.getId()];
        if (filters == null || kind == null || !layout.bloomFiltersUsable()) {
            return value -> true;
        }
        BloomFilter filter = BloomFilterIO.deserialize(
                kind,
                data.readStripeFooter(layout.stripe(stride.stripe())).getColumns(fileType.getId()),
                layout.writerVersion(),
                fileType.getCategory(),
                filters.getBloomFilter(stride.indexInStripe()));
        return filter == null ? value -> true : value -> OrcBounds.mayContain(filter, fileType, value);
    }
}
