package io.skep.storage.parquet;

import io.skep.common.memory.HeldBuffers;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.PrimitiveIterator;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.jspecify.annotations.Nullable;

/**
 * Pages whose decompressed bytes are counted while they are in use. One data page of each column is in use at a time,
 * and its dictionary until the end.
 */
record CountedPages(PageReadStore pages, HeldBuffers buffers) implements PageReadStore {
    /** Returns an allocator of the buffers for column chunks, which stay until the reader is closed. */
    static ByteBufferAllocator allocator(HeldBuffers buffers) {
        return new ByteBufferAllocator() {
            private final HeapByteBufferAllocator heap = HeapByteBufferAllocator.getInstance();

            @Override
            public ByteBuffer allocate(int size) {
                buffers.add(size);
                return heap.allocate(size);
            }

            @Override
            public void release(ByteBuffer buffer) {
                heap.release(buffer);
            }

            @Override
            public boolean isDirect() {
                return heap.isDirect();
            }
        };
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor column) {
        return new CountedColumn(pages.getPageReader(column), buffers);
    }

    @Override
    public long getRowCount() {
        return pages.getRowCount();
    }

    @Override
    public Optional<Long> getRowIndexOffset() {
        return pages.getRowIndexOffset();
    }

    @Override
    public Optional<PrimitiveIterator.OfLong> getRowIndexes() {
        return pages.getRowIndexes();
    }

    @Override
    public void close() {
        pages.close();
    }

    private static final class CountedColumn implements PageReader {
        private final PageReader column;
        private final HeldBuffers buffers;
        private long pageBytes;

        private CountedColumn(PageReader column, HeldBuffers buffers) {
            this.column = column;
            this.buffers = buffers;
        }

        @Override
        public @Nullable DictionaryPage readDictionaryPage() {
            DictionaryPage dictionary = column.readDictionaryPage();
            if (dictionary != null) {
                buffers.add(dictionary.getBytes().size());
            }
            return dictionary;
        }

        @Override
        public long getTotalValueCount() {
            return column.getTotalValueCount();
        }

        @Override
        public @Nullable DataPage readPage() {
            buffers.remove(pageBytes);
            pageBytes = 0;
            DataPage page = column.readPage();
            long bytes = switch (page) {
                case DataPageV1 v1 -> v1.getBytes().size();
                case DataPageV2 v2 -> v2.getData().size();
                case null, default -> 0;
            };
            buffers.add(bytes);
            pageBytes = bytes;
            return page;
        }
    }
}
