package io.skep.storage.parquet;

import io.skep.common.memory.HeldBuffers;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VectorKind;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** Skips ranges of rows by row group statistics, page indexes, dictionaries and Bloom filters. */
final class ParquetPruning {
    private record Place(int block, int column) {}

    private final ParquetLayout layout;
    private final List<Column> columns;
    private final Map<Place, ChunkIndex> indexes = new ConcurrentHashMap<>();

    ParquetPruning(ParquetLayout layout, List<Column> columns) {
        this.layout = layout;
        this.columns = columns;
    }

    boolean mayMatch(RowRange range, List<ColumnPredicate> predicates) {
        for (ColumnPredicate predicate : predicates) {
            Column column = columns.get(predicate.column());
            Optional<Type> type = layout.column(column.name());
            if (type.isEmpty()) {
                if (!(predicate instanceof ColumnPredicate.IsNull)) {
                    return false;
                }
            } else if (comparable(type.get(), column.type()) && !mayMatch(range, predicate, type.get(), column)) {
                return false;
            }
        }
        return true;
    }

    private boolean mayMatch(RowRange range, ColumnPredicate predicate, Type type, Column column) {
        ColumnChunkMetaData chunk = chunk(range.block(), type.getName());
        LeafDatums datums = new LeafDatums(type.asPrimitiveType(), column.type(), layout.zones());
        if (!ofStatistics(chunk, datums).mayMatch(predicate)) {
            return false;
        }
        ChunkIndex index = indexes.computeIfAbsent(
                new Place(range.block(), predicate.column()), place -> load(chunk, datums, place));
        return index.mayMatch(range, predicate);
    }

    /** Whether values sort after conversion in the same order as in the file. */
    private boolean comparable(Type type, SqlType wanted) {
        // A wall clock goes back in autumn, so its times do not sort as the instants do.
        boolean shifted = type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation timestamp
                && timestamp.isAdjustedToUTC()
                && wanted != io.skep.common.type.PrimitiveType.TIMESTAMP_LOCAL_TZ
                && !layout.zones().server().getRules().isFixedOffset();
        // Unsigned numbers of 64 bits are read as signed ones, which have another order.
        boolean unsigned = type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation integer
                && !integer.isSigned()
                && integer.getBitWidth() == Long.SIZE;
        if (shifted || unsigned || !type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
            return false;
        }
        boolean bytes = wanted.vectorKind() == VectorKind.BYTES;
        boolean decimal = type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation;
        return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
            case INT96 -> false;
            case BOOLEAN, INT32, INT64, FLOAT, DOUBLE -> !bytes;
            // Text without trailing blanks sorts differently from text with them. Digits sort differently from numbers.
            case BINARY, FIXED_LEN_BYTE_ARRAY ->
                decimal ? wanted instanceof DecimalType : bytes && !(wanted instanceof CharType);
        };
    }

    private ColumnChunkMetaData chunk(int block, String name) {
        for (ColumnChunkMetaData chunk : layout.block(block).getColumns()) {
            if (chunk.getPath().size() == 1 && chunk.getPath().toDotString().equals(name)) {
                return chunk;
            }
        }
        throw ReadErrors.of(
                layout.file().path(), "row group " + block, new IOException("column " + name + " has no chunk"));
    }

    private static ColumnBounds ofStatistics(ColumnChunkMetaData chunk, LeafDatums datums) {
        Statistics<?> statistics = chunk.getStatistics();
        if (statistics == null || statistics.isEmpty()) {
            return ColumnBounds.UNKNOWN;
        }
        boolean nullsKnown = statistics.isNumNullsSet();
        boolean values = !nullsKnown || statistics.getNumNulls() < chunk.getValueCount();
        boolean bounds = statistics.hasNonNullValue();
        return new ColumnBounds(
                bounds ? datums.of(statistics.genericGetMin()) : Optional.empty(),
                bounds ? datums.of(statistics.genericGetMax()) : Optional.empty(),
                !nullsKnown || statistics.getNumNulls() > 0 || datums.losesValues(),
                values,
                value -> true);
    }

    private ChunkIndex load(ColumnChunkMetaData chunk, LeafDatums datums, Place place) {
        try (ParquetFileReader reader = layout.open(new HeldBuffers())) {
            PrimitiveType leaf = chunk.getPrimitiveType();
            return ChunkIndex.read(reader, chunk, leaf, layout.schema(), datums, place.block());
        } catch (IOException | RuntimeException e) {
            throw ReadErrors.of(layout.file().path(), "indexes of row group " + place.block(), e);
        }
    }
}
