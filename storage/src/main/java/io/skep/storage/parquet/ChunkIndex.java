package io.skep.storage.parquet;

import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.type.VectorKind;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.scan.ColumnPredicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.DictionaryPageReadStore;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/**
 * The content of one column chunk's indexes: the bounds of its pages, and a test for values that the chunk cannot
 * contain.
 */
record ChunkIndex(List<Page> pages, Predicate<Datum> mayContain) {
    /** Rows {@code [from, to)} of a row group. */
    record Page(long from, long to, ColumnBounds bounds) {}

    static ChunkIndex read(
            ParquetFileReader reader,
            ColumnChunkMetaData chunk,
            PrimitiveType leaf,
            MessageType schema,
            LeafDatums datums,
            int block)
            throws IOException {
        Predicate<Datum> inDictionary = dictionary(reader, chunk, schema, datums, block);
        Predicate<Datum> inFilter = bloom(reader, chunk, leaf, datums);
        return new ChunkIndex(pages(reader, chunk, datums), inDictionary.and(inFilter));
    }

    boolean mayMatch(RowRange range, ColumnPredicate predicate) {
        ColumnBounds whole = new ColumnBounds(Optional.empty(), Optional.empty(), true, true, mayContain);
        if (!whole.mayMatch(predicate)) {
            return false;
        }
        boolean any = pages.isEmpty();
        for (Page page : pages) {
            if (page.from() < range.to() && page.to() > range.from()) {
                any |= page.bounds().mayMatch(predicate);
            }
        }
        return any;
    }

    private static List<Page> pages(ParquetFileReader reader, ColumnChunkMetaData chunk, LeafDatums datums)
            throws IOException {
        ColumnIndex columns = reader.readColumnIndex(chunk);
        OffsetIndex offsets = reader.readOffsetIndex(chunk);
        if (columns == null || offsets == null) {
            return List.of();
        }
        List<Page> pages = new ArrayList<>();
        List<Long> nullCounts = columns.getNullCounts();
        for (int i = 0; i < offsets.getPageCount(); i++) {
            boolean onlyNulls = columns.getNullPages().get(i);
            boolean mayHaveNulls =
                    nullCounts == null || nullCounts.isEmpty() || nullCounts.get(i) > 0 || datums.losesValues();
            ColumnBounds bounds = new ColumnBounds(
                    onlyNulls
                            ? Optional.empty()
                            : datums.ofPlain(columns.getMinValues().get(i)),
                    onlyNulls
                            ? Optional.empty()
                            : datums.ofPlain(columns.getMaxValues().get(i)),
                    mayHaveNulls,
                    !onlyNulls,
                    value -> true);
            long to = i + 1 < offsets.getPageCount() ? offsets.getFirstRowIndex(i + 1) : Long.MAX_VALUE;
            pages.add(new Page(offsets.getFirstRowIndex(i), to, bounds));
        }
        return pages;
    }

    /** Returns a test for the values of a chunk that is entirely dictionary encoded. */
    private static Predicate<Datum> dictionary(
            ParquetFileReader reader, ColumnChunkMetaData chunk, MessageType schema, LeafDatums datums, int block)
            throws IOException {
        EncodingStats encodings = chunk.getEncodingStats();
        // Equal floating-point numbers may differ in their bits (the two zeros).
        boolean floating = datums.type().vectorKind() == VectorKind.DOUBLE;
        if (floating
                || encodings == null
                || !encodings.hasDictionaryPages()
                || encodings.hasNonDictionaryEncodedPages()) {
            return value -> true;
        }
        ColumnDescriptor descriptor =
                schema.getColumnDescription(chunk.getPath().toArray());
        DictionaryPageReadStore store = reader.getDictionaryReader(block);
        DictionaryPage page = store == null ? null : store.readDictionaryPage(descriptor);
        if (page == null) {
            return value -> true;
        }
        Dictionary dictionary = page.getEncoding().initDictionary(descriptor, page);
        Vector values = FlatColumn.values(descriptor, dictionary, datums.converter(), datums.appender());
        Set<Datum> set = new HashSet<>();
        for (int i = 0; i < values.length(); i++) {
            set.add(Datum.of(values, i, datums.type()));
        }
        return set::contains;
    }

    private static Predicate<Datum> bloom(
            ParquetFileReader reader, ColumnChunkMetaData chunk, PrimitiveType leaf, LeafDatums datums)
            throws IOException {
        BloomFilter filter = chunk.getBloomFilterOffset() < 0 ? null : reader.readBloomFilter(chunk);
        if (filter == null) {
            return value -> true;
        }
        return value -> {
            Object stored = stored(value, leaf, datums.type());
            // A value that changes in the conversion to the requested type has no hash in this filter.
            boolean same = stored != null
                    && datums.another().of(stored).filter(value::equals).isPresent();
            return !same || filter.findHash(filter.hash(stored));
        };
    }

    /** Returns the only file value that is converted to the given value, or null when there may be several. */
    private static @Nullable Object stored(Datum value, PrimitiveType leaf, SqlType wanted) {
        boolean plain = leaf.getLogicalTypeAnnotation() == null
                || leaf.getLogicalTypeAnnotation() instanceof StringLogicalTypeAnnotation;
        if (!plain) {
            return null;
        }
        return switch (leaf.getPrimitiveTypeName()) {
            case INT32 -> value instanceof Datum.OfLong v && v.value() == (int) v.value() ? (int) v.value() : null;
            case INT64 -> value instanceof Datum.OfLong v ? v.value() : null;
            case DOUBLE ->
                wanted == io.skep.common.type.PrimitiveType.DOUBLE
                                && value instanceof Datum.OfDouble v
                                && v.value() != 0
                        ? v.value()
                        : null;
            case BINARY ->
                value instanceof Datum.OfBytes v
                                && !(wanted instanceof VarcharType cut && v.value().length >= cut.length())
                        ? Binary.fromConstantByteArray(v.value())
                        : null;
            default -> null;
        };
    }
}
