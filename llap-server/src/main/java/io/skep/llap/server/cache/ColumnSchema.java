package io.skep.llap.server.cache;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that determines how one column is decoded from a file's bytes: the format, the column's position, name and
 * type, and the other columns for formats that need them. It is compared by its canonical bytes, which differ whenever
 * any of these differ. The hash only finds candidates. Equal schemas of one {@link FileSchema} are the same object, so
 * that most comparisons end with the reference.
 */
public final class ColumnSchema {
    /** Takes the place of the column in the keys of decompressed blocks, which are not decoded at all. */
    static final ColumnSchema BLOCKS = new ColumnSchema(null, new byte[] {0});

    private final @Nullable FileSchema owner;
    private final byte[] canonical;
    private final long hash;

    private ColumnSchema(@Nullable FileSchema owner, byte[] canonical) {
        this.owner = owner;
        this.canonical = canonical;
        long mixed = canonical.length;
        for (byte b : canonical) {
            mixed = (mixed ^ b) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
        }
        this.hash = mixed;
    }

    /**
     * @param ordinal position in the file's columns, or -1 for the number of rows
     * @param columns this column, or all columns of the file when the decoding of each depends on all; empty for the
     *     number of rows
     */
    static ColumnSchema of(FileSchema owner, TableFormat format, int ordinal, List<Column> columns) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(1);
            text(format.inputFormat(), out);
            text(format.outputFormat(), out);
            text(format.serde(), out);
            out.writeInt(format.properties().size());
            for (Map.Entry<String, String> property : new TreeMap<>(format.properties()).entrySet()) {
                text(property.getKey(), out);
                text(property.getValue(), out);
            }
            out.writeInt(ordinal);
            out.writeInt(columns.size());
            for (Column column : columns) {
                text(column.name(), out);
                type(column.type(), out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ColumnSchema(owner, bytes.toByteArray());
    }

    private static void text(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Writes a type field by field, because the display name of a struct does not show where the name of a field ends.
     */
    private static void type(SqlType type, DataOutputStream out) throws IOException {
        switch (type) {
            case PrimitiveType primitive -> {
                out.writeByte('p');
                text(primitive.displayName(), out);
            }
            case DecimalType decimal -> {
                out.writeByte('d');
                out.writeInt(decimal.precision());
                out.writeInt(decimal.scale());
            }
            case CharType text -> {
                out.writeByte('c');
                out.writeInt(text.length());
            }
            case VarcharType text -> {
                out.writeByte('v');
                out.writeInt(text.length());
            }
            case ArrayType array -> {
                out.writeByte('a');
                type(array.element(), out);
            }
            case MapType map -> {
                out.writeByte('m');
                type(map.key(), out);
                type(map.value(), out);
            }
            case StructType struct -> {
                out.writeByte('s');
                out.writeInt(struct.fields().size());
                for (StructType.Field field : struct.fields()) {
                    text(field.name(), out);
                    type(field.type(), out);
                }
            }
            case UnionType union -> {
                out.writeByte('u');
                out.writeInt(union.alternatives().size());
                for (SqlType alternative : union.alternatives()) {
                    type(alternative, out);
                }
            }
        }
    }

    /** The file's schema, which lives as long as one of its columns is cached. Null for blocks. */
    @Nullable
    FileSchema owner() {
        return owner;
    }

    /** The identity as bytes. Callers must not change them. */
    public byte[] canonical() {
        return canonical;
    }

    /** A hash that is equal for equal schemas. Different schemas may have equal hashes. */
    long hash() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof ColumnSchema that && hash == that.hash && Arrays.equals(canonical, that.canonical);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash);
    }

    @Override
    public String toString() {
        return new String(canonical, StandardCharsets.UTF_8);
    }
}
