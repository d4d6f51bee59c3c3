package io.skep.storage.serde;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.columnar.BytesRefArrayWritable;
import org.apache.hadoop.hive.serde2.columnar.BytesRefWritable;
import org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe;
import org.apache.hadoop.hive.serde2.lazybinary.LazyBinarySerDe;
import org.apache.hadoop.hive.serde2.lazybinary.LazyBinaryUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ListObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.MapObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.UnionObjectInspector;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.Writable;

/**
 * Checks the lengths in a row of Hive's binary SerDes before the row is read. Hive's objects allocate what a length
 * claims. They also read into the next value when a file has fewer bytes than the column's type needs. Owned by one
 * thread.
 */
final class LazyBinaryLengths {
    /** Types whose columnar cells consist of the value's bytes only, of any number. */
    private static final Set<PrimitiveCategory> FREE_LENGTH = EnumSet.of(
            PrimitiveCategory.STRING, PrimitiveCategory.CHAR, PrimitiveCategory.VARCHAR, PrimitiveCategory.BINARY);

    private final List<ObjectInspector> fields;
    private final boolean rows;
    private final boolean columns;
    private final LazyBinaryUtils.RecordInfo found = new LazyBinaryUtils.RecordInfo();
    private final LazyBinaryUtils.VInt number = new LazyBinaryUtils.VInt();

    /** @param inspector the inspector of the SerDe's rows */
    LazyBinaryLengths(AbstractSerDe serde, StructObjectInspector inspector) {
        this.rows = serde instanceof LazyBinarySerDe;
        this.columns = serde instanceof LazyBinaryColumnarSerDe;
        this.fields = inspectors(inspector);
    }

    private static List<ObjectInspector> inspectors(StructObjectInspector struct) {
        return struct.getAllStructFieldRefs().stream()
                .map(StructField::getFieldObjectInspector)
                .toList();
    }

    /** @throws IOException when a value claims more bytes than its row has */
    void check(Writable record) throws IOException {
        if (rows && record instanceof BinaryComparable row && row.getLength() > 0) {
            checkStruct(fields, row.getBytes(), 0, row.getLength());
        } else if (columns && record instanceof BytesRefArrayWritable cells) {
            for (int i = 0; i < Math.min(cells.size(), fields.size()); i++) {
                BytesRefWritable cell = cells.unCheckedGet(i);
                if (cell != null && cell.getLength() > 0) {
                    checkCell(fields.get(i), cell.getData(), cell.getStart(), cell.getStart() + cell.getLength());
                }
            }
        }
    }

    /**
     * A cell's length is known. Therefore a number must have exactly the bytes that its type and its first byte
     * require.
     */
    private void checkCell(ObjectInspector type, byte[] bytes, int from, int to) throws IOException {
        if (type instanceof PrimitiveObjectInspector primitive
                && !FREE_LENGTH.contains(primitive.getPrimitiveCategory())) {
            LazyBinaryUtils.checkObjectByteInfo(type, bytes, from, found, number);
            if (found.elementSize != to - from) {
                throw new IOException("%s of %d bytes where the file has %d"
                        .formatted(type.getTypeName(), found.elementSize, to - from));
            }
        } else {
            checkValue(type, bytes, from, to);
        }
    }

    /** Checks lists, maps, unions and structs. The bytes of any other value are already complete. */
    private void checkValue(ObjectInspector type, byte[] bytes, int from, int to) throws IOException {
        switch (type) {
            case ListObjectInspector list -> checkItems(List.of(list.getListElementObjectInspector()), bytes, from, to);
            case MapObjectInspector map ->
                checkItems(List.of(map.getMapKeyObjectInspector(), map.getMapValueObjectInspector()), bytes, from, to);
            case UnionObjectInspector union -> checkUnion(union.getObjectInspectors(), bytes, from, to);
            case StructObjectInspector struct -> checkStruct(inspectors(struct), bytes, from, to);
            default -> {}
        }
    }

    /** Each group of eight consecutive fields follows a byte that marks which of them are present. */
    private void checkStruct(List<ObjectInspector> types, byte[] bytes, int from, int to) throws IOException {
        int position = from;
        int present = 0;
        for (int i = 0; i < types.size(); i++) {
            if (i % Byte.SIZE == 0) {
                present = position < to ? bytes[position] : 0;
                position++;
            }
            if ((present & 1 << i % Byte.SIZE) != 0) {
                position = checkField(types.get(i), bytes, position, to);
            }
        }
    }

    /**
     * The layout is the number of items, bits that mark which of their parts are present, and then the parts.
     *
     * @param types the types of each item's parts: one for lists, two for maps
     */
    private void checkItems(List<ObjectInspector> types, byte[] bytes, int from, int to) throws IOException {
        if (from >= to) {
            throw new IOException("a list or map has no bytes");
        }
        LazyBinaryUtils.readVInt(bytes, from, number);
        int position = from + number.length;
        long parts = (long) number.value * types.size();
        long bitBytes = Math.ceilDiv(parts, Byte.SIZE);
        if (parts < 0 || bitBytes > to - position) {
            throw new IOException(number.value + " items in " + (to - from) + " bytes");
        }
        int bits = position;
        position += (int) bitBytes;
        for (int i = 0; i < parts; i++) {
            if ((bytes[bits + i / Byte.SIZE] & 1 << i % Byte.SIZE) != 0) {
                position = checkField(types.get(i % types.size()), bytes, position, to);
            }
        }
    }

    private void checkUnion(List<ObjectInspector> types, byte[] bytes, int from, int to) throws IOException {
        int tag = from < to ? bytes[from] : -1;
        if (tag < 0 || tag >= types.size()) {
            throw new IOException("a union of " + types.size() + " types with the tag " + tag);
        }
        if (from + 1 < to) {
            checkField(types.get(tag), bytes, from + 1, to);
        }
    }

    /** Returns the position after the value. */
    private int checkField(ObjectInspector type, byte[] bytes, int at, int to) throws IOException {
        if (at >= to) {
            throw new IOException("a row ends before its values");
        }
        LazyBinaryUtils.checkObjectByteInfo(type, bytes, at, found, number);
        int start = at + found.elementOffset;
        int size = found.elementSize;
        if (size < 0 || size > to - start) {
            throw new IOException("value of " + size + " bytes where " + (to - start) + " are left");
        }
        checkValue(type, bytes, start, start + size);
        return start + size;
    }
}
