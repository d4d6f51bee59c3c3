package io.skep.storage.parquet;

import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.io.IOException;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** One data page of a column that is not repeated. It consists of levels, which mark nulls, and the non-null values. */
final class FlatPage {
    private interface Levels {
        int next() throws IOException;
    }

    private final PrimitiveTypeName physical;
    private final int maxLevel;
    private final Levels levels;
    private final @Nullable RunLengthBitPackingHybridDecoder ids;
    private final @Nullable ValuesReader values;
    private int left;

    FlatPage(ColumnDescriptor descriptor, DataPage page, @Nullable Dictionary dictionary) throws IOException {
        this.physical = descriptor.getPrimitiveType().getPrimitiveTypeName();
        this.maxLevel = descriptor.getMaxDefinitionLevel();
        this.left = page.getValueCount();
        ByteBufferInputStream in;
        Encoding encoding;
        switch (page) {
            case DataPageV1 v1 -> {
                in = v1.getBytes().toInputStream();
                encoding = v1.getValueEncoding();
                v1.getRlEncoding()
                        .getValuesReader(descriptor, ValuesType.REPETITION_LEVEL)
                        .initFromPage(left, in);
                ValuesReader reader = v1.getDlEncoding().getValuesReader(descriptor, ValuesType.DEFINITION_LEVEL);
                reader.initFromPage(left, in);
                levels = reader::readInteger;
            }
            case DataPageV2 v2 -> {
                in = v2.getData().toInputStream();
                encoding = v2.getDataEncoding();
                int width = 32 - Integer.numberOfLeadingZeros(maxLevel);
                RunLengthBitPackingHybridDecoder reader = new RunLengthBitPackingHybridDecoder(
                        width, v2.getDefinitionLevels().toInputStream());
                levels = reader::readInt;
            }
            default -> throw new IOException("a page of kind " + page.getClass().getSimpleName());
        }
        if (encoding.usesDictionary()) {
            if (dictionary == null) {
                throw new IOException("a page is coded by a dictionary that is not there");
            }
            ids = new RunLengthBitPackingHybridDecoder(in.available() > 0 ? in.read() : 0, in);
            values = null;
        } else {
            ids = null;
            ValuesReader reader = encoding.getValuesReader(descriptor, ValuesType.VALUES);
            reader.initFromPage(left, in);
            values = reader;
        }
    }

    int left() {
        return left;
    }

    boolean dictionaryCoded() {
        return ids != null;
    }

    private boolean nextIsNull() throws IOException {
        return maxLevel > 0 && levels.next() < maxLevel;
    }

    void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            if (nextIsNull()) {
                continue;
            }
            if (ids != null) {
                int ignored = ids.readInt();
            } else if (values != null) {
                values.skip();
            }
        }
        left -= count;
    }

    void readIds(int[] target, long[] nulls, int from, int count) throws IOException {
        RunLengthBitPackingHybridDecoder decoder = ids;
        if (decoder == null) {
            throw new IllegalStateException("the page has no ids");
        }
        for (int i = from; i < from + count; i++) {
            if (nextIsNull()) {
                NullMask.set(nulls, i);
            } else {
                target[i] = decoder.readInt();
            }
        }
        left -= count;
    }

    void append(int count, VectorAppender out, LeafConverter converter, @Nullable Vector dictionary)
            throws IOException {
        for (int i = 0; i < count; i++) {
            if (nextIsNull()) {
                out.appendNull();
            } else if (ids != null && dictionary != null) {
                out.append(dictionary, ids.readInt());
            } else if (values != null) {
                append(values, converter);
            }
        }
        left -= count;
    }

    private void append(ValuesReader reader, LeafConverter converter) {
        switch (physical) {
            case INT32 -> converter.addInt(reader.readInteger());
            case INT64 -> converter.addLong(reader.readLong());
            case FLOAT -> converter.addFloat(reader.readFloat());
            case DOUBLE -> converter.addDouble(reader.readDouble());
            case BOOLEAN -> converter.addBoolean(reader.readBoolean());
            case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> converter.addBinary(reader.readBytes());
        }
    }
}
