package io.skep.common.vector;

import java.util.List;

/** Some rows, with one vector for each column. A batch without columns still has rows. */
public record Batch(List<Vector> columns, int rowCount) {
    /** The number of rows that producers aim at. */
    public static final int TARGET_ROWS = 2048;

    public Batch {
        columns = List.copyOf(columns);
        for (Vector column : columns) {
            if (column.length() != rowCount) {
                throw new IllegalArgumentException(
                        "a column has " + column.length() + " rows in a batch of " + rowCount);
            }
        }
    }

    public static Batch of(int rowCount, Vector... columns) {
        return new Batch(List.of(columns), rowCount);
    }

    public int columnCount() {
        return columns.size();
    }

    public Vector column(int index) {
        return columns.get(index);
    }

    public Batch select(int[] positions, int count) {
        return new Batch(
                columns.stream().map(column -> column.select(positions, count)).toList(), count);
    }

    public Batch slice(int from, int count) {
        return from == 0 && count == rowCount
                ? this
                : new Batch(
                        columns.stream()
                                .map(column -> column.slice(from, count))
                                .toList(),
                        count);
    }

    public long retainedBytes() {
        long bytes = 32;
        for (Vector column : columns) {
            bytes += column.retainedBytes();
        }
        return bytes;
    }
}
