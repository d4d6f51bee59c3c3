package io.skep.storage.parquet;

import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;

/** Rows {@code [from, to)} of a Parquet row group. */
record RowRange(int block, long from, long to, long blockRows) {
    boolean whole() {
        return from == 0 && to == blockRows;
    }

    /**
     * Returns the range as Parquet's library needs it. The library builds ranges only from pages, so the rows before,
     * in and after the range form three pages.
     */
    RowRanges toRowRanges() {
        PrimitiveIterator.OfInt page = IntStream.of(1).iterator();
        return RowRanges.create(blockRows, page, new ThreePages(from, to));
    }

    private record ThreePages(long from, long to) implements OffsetIndex {
        @Override
        public int getPageCount() {
            return 3;
        }

        @Override
        public long getOffset(int page) {
            return 0;
        }

        @Override
        public int getCompressedPageSize(int page) {
            return 0;
        }

        @Override
        public long getFirstRowIndex(int page) {
            return switch (page) {
                case 0 -> 0;
                case 1 -> from;
                default -> to;
            };
        }
    }
}
