package io.skep.storage.orc;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Column;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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
    private final OrcLayout layout;
    private final List<Column> columns;

    OrcPruning(OrcLayout layout, List<Column> columns) {
        this.layout = layout;
        this.columns = columns;
    }

    boolean mayMatch(OrcLayout.Stride stride, List<ColumnPredicate> predicates) {
        for (ColumnPredicate predicate : predicates) {
            Optional<TypeDescription> fileType = comparable(columns.get(predicate.column()));
            if (fileType.isPresent()) {
                if (!bounds(
                                stride,
                                fileType.get(),
                                columns.get(predicate.column()).type())
                        .mayMatch(predicate)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The file's column, when its values compare as the wanted type's do. */
    private Optional<TypeDescription> comparable(Column column) {
        TypeDescription wanted = OrcTypes.struct(List.of(column));
        SchemaEvolution evolution = new SchemaEvolution(
                layout.schema(), wanted, layout.options().schema(wanted).include(null));
        TypeDescription fileType = evolution.getFileType(1);
        return fileType != null
                        && fileType.getCategory().isPrimitive()
                        && (fileType.equals(wanted.getChildren().get(0))
                                || evolution.isPPDSafeConversion(fileType.getId())
                                        && OrcBounds.integer(fileType)
                                        && OrcBounds.integer(
                                                wanted.getChildren().get(0)))
                ? Optional.of(fileType)
                : Optional.empty();
    }

    private ColumnBounds bounds(OrcLayout.Stride stride, TypeDescription fileType, SqlType type) {
        int id = fileType.getId();
        boolean[] wanted = new boolean[layout.schema().getMaximumId() + 1];
        wanted[id] = true;
        try (DataReader data = layout.open()) {
            OrcIndex index = layout.index(stride.stripe(), wanted, data);
            OrcProto.RowIndex rows = index.getRowGroupIndex()[id];
            if (rows == null || !rows.getEntry(stride.indexInStripe()).hasStatistics()) {
                return ColumnBounds.UNKNOWN;
            }
            ColumnStatistics statistics = ColumnStatisticsImpl.deserialize(
                    fileType, rows.getEntry(stride.indexInStripe()).getStatistics(), layout.proleptic(), true);
            return OrcBounds.of(
                    statistics, fileType, type, layout.writerVersion(), bloom(index, stride, fileType, data));
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
