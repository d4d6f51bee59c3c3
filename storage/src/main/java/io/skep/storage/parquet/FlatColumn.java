package io.skep.storage.parquet;

import io.skep.common.type.SqlType;
import io.skep.common.type.VectorKind;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.io.IOException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a column that is neither nested nor repeated, page by page. Dictionary-encoded pages stay encoded. The
 * dictionary is converted once.
 */
final class FlatColumn {
    private final ColumnDescriptor descriptor;
    private final PageReader pages;
    private final SqlType type;
    private final VectorAppender appender;
    private final LeafConverter converter;
    private final @Nullable Dictionary dictionary;
    private final @Nullable Vector dictionaryValues;
    private final long firstRow;
    private @Nullable FlatPage page;

    /** @param firstRow the first requested row, relative to the row group; pages may begin before it */
    FlatColumn(ColumnDescriptor descriptor, PageReader pages, SqlType type, FileZones zones, long firstRow)
            throws IOException {
        this.descriptor = descriptor;
        this.pages = pages;
        this.type = type;
        this.firstRow = firstRow;
        this.appender = VectorAppender.of(type);
        this.converter = new LeafConverter(descriptor.getPrimitiveType(), type, zones, appender);
        DictionaryPage dictionaryPage = pages.readDictionaryPage();
        if (dictionaryPage == null) {
            dictionary = null;
            dictionaryValues = null;
        } else {
            Dictionary read = dictionaryPage.getEncoding().initDictionary(descriptor, dictionaryPage);
            dictionary = read;
            dictionaryValues = values(descriptor, read, converter, appender);
        }
    }

    /** Converts all entries of a dictionary. */
    static Vector values(
            ColumnDescriptor descriptor, Dictionary dictionary, LeafConverter converter, VectorAppender appender) {
        PrimitiveTypeName physical = descriptor.getPrimitiveType().getPrimitiveTypeName();
        for (int id = 0; id <= dictionary.getMaxId(); id++) {
            switch (physical) {
                case INT32 -> converter.addInt(dictionary.decodeToInt(id));
                case INT64 -> converter.addLong(dictionary.decodeToLong(id));
                case FLOAT -> converter.addFloat(dictionary.decodeToFloat(id));
                case DOUBLE -> converter.addDouble(dictionary.decodeToDouble(id));
                case BOOLEAN -> converter.addBoolean(dictionary.decodeToBoolean(id));
                case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> converter.addBinary(dictionary.decodeToBinary(id));
            }
        }
        return appender.build();
    }

    Vector read(int rows) throws IOException {
        int[] ids = new int[rows];
        long[] nulls = new long[NullMask.words(rows)];
        int coded = 0;
        int done = 0;
        while (done < rows) {
            FlatPage current = current();
            int count = Math.min(rows - done, current.left());
            if (current.dictionaryCoded() && coded == done && keepsIds()) {
                current.readIds(ids, nulls, done, count);
                coded += count;
            } else {
                spill(ids, nulls, coded, done);
                current.append(count, appender, converter, dictionaryValues);
            }
            done += count;
        }
        if (coded == rows && dictionaryValues != null) {
            return coded(ids, nulls, rows, dictionaryValues);
        }
        return appender.build();
    }

    private boolean keepsIds() {
        return dictionaryValues != null && !dictionaryValues.mayHaveNulls();
    }

    /** Appends the values of the ids read so far when a page without dictionary follows in the same batch. */
    private void spill(int[] ids, long[] nulls, int coded, int done) {
        if (coded == done && appender.length() == 0 && dictionaryValues != null) {
            for (int i = 0; i < coded; i++) {
                if (NullMask.isNull(nulls, i)) {
                    appender.appendNull();
                } else {
                    appender.append(dictionaryValues, ids[i]);
                }
            }
        }
    }

    private Vector coded(int[] ids, long[] nulls, int rows, Vector values) {
        long[] mask = NullMask.count(nulls, rows) == 0 ? null : nulls;
        DictionaryVector vector = new DictionaryVector(ids, values, mask, rows);
        return type.vectorKind() == VectorKind.BYTES ? vector : vector.flatten();
    }

    private FlatPage current() throws IOException {
        FlatPage current = page;
        while (current == null || current.left() == 0) {
            DataPage next = pages.readPage();
            if (next == null) {
                throw new IOException("column " + String.join(".", descriptor.getPath()) + " ends before its rows");
            }
            boolean first = current == null;
            current = new FlatPage(descriptor, next, dictionary);
            if (first) {
                long begin = next.getFirstRowIndex().orElse(0L);
                if (firstRow > begin) {
                    current.skip(Math.toIntExact(firstRow - begin));
                }
            }
            page = current;
        }
        return current;
    }
}
