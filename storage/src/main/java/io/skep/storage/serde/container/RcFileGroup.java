package io.skep.storage.serde.container;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.serde2.columnar.BytesRefArrayWritable;
import org.apache.hadoop.hive.serde2.columnar.BytesRefWritable;
import org.jspecify.annotations.Nullable;

/** A row group of an RCFile in memory, iterated from its first row to its last. */
final class RcFileGroup {
    /**
     * The minimum size of a record: the lengths of the record, its key and its compressed key, and the number of rows.
     */
    static final int MIN_RECORD = 13;

    /** The contiguous bytes of a column's cells. Without lengths all cells are null. */
    private static final class Cells {
        private final int column;
        private final byte[] data;
        private final @Nullable CellLengths lengths;
        private int position;

        private Cells(int column, byte[] data, byte[] lengths) {
            this.column = column;
            this.data = data;
            this.lengths = lengths.length == 0 ? null : new CellLengths(lengths);
        }

        private void next(BytesRefArrayWritable row) throws IOException {
            if (lengths == null) {
                row.set(column, null);
                return;
            }
            int length = lengths.next();
            if (length > data.length - position) {
                throw new IOException("cell of " + length + " bytes in column " + column + ", of which "
                        + (data.length - position) + " are left");
            }
            BytesRefWritable cell = row.unCheckedGet(column);
            if (cell == null) {
                cell = new BytesRefWritable();
                row.set(column, cell);
            }
            cell.set(data, position, length);
            position += length;
        }
    }

    private final int columns;
    private final List<Cells> cells = new ArrayList<>();
    private long rows;

    private RcFileGroup(int columns) {
        this.columns = columns;
    }

    /**
     * @param length bytes of the uncompressed key and of the values, as the file states it
     * @param wanted one entry for each of the file's columns
     */
    static RcFileGroup read(BoundedInput in, int length, boolean[] wanted, @Nullable Unpacking unpacking)
            throws IOException {
        int keyLength = in.readInt();
        int packedLength = in.readInt();
        if (keyLength < 0 || keyLength > length) {
            throw new IOException("key of " + keyLength + " bytes in a record of " + length);
        }
        byte[] packed = in.readBytes(packedLength, "key");
        byte[] key = unpacking == null ? packed : unpacking.unpack(packed, keyLength, "key");
        return new RcFileGroup(wanted.length).read(BoundedInput.of(key), in, length - keyLength, wanted, unpacking);
    }

    private RcFileGroup read(
            BoundedInput key, BoundedInput values, int length, boolean[] wanted, @Nullable Unpacking unpacking)
            throws IOException {
        rows = key.readVLong();
        if (rows < 0 || rows > Integer.MAX_VALUE) {
            throw new IOException("row group of " + rows + " rows");
        }
        int left = values.count(length, "values");
        for (int i = 0; i < columns; i++) {
            long packed = key.readVLong();
            long unpacked = key.readVLong();
            long lengths = key.readVLong();
            if (packed < 0 || packed > left) {
                throw new IOException("column of " + packed + " bytes in a row group that has " + left + " left");
            }
            left -= (int) packed;
            if (wanted[i]) {
                byte[] runs = key.readBytes(lengths, "lengths of cells");
                byte[] data = values.readBytes(packed, "column");
                cells.add(new Cells(i, unpacking == null ? data : unpack(data, unpacked, unpacking), runs));
            } else {
                key.skip(lengths, "lengths of cells");
                values.skip(packed, "column");
            }
        }
        values.skip(left, "rest of a row group");
        return this;
    }

    private static byte[] unpack(byte[] data, long claimed, Unpacking unpacking) throws IOException {
        return unpacking.unpack(data, Math.toIntExact(claimed), "column");
    }

    boolean hasNext() {
        return rows > 0;
    }

    /** Fills a row with references into this row group. */
    void next(BytesRefArrayWritable row) throws IOException {
        row.resetValid(columns);
        for (Cells column : cells) {
            column.next(row);
        }
        rows--;
    }
}
