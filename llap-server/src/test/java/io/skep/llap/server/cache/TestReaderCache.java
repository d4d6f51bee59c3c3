package io.skep.llap.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which files stay open, and which of those stay ready to continue reading. */
class TestReaderCache {
    private Instant now = Instant.ofEpochSecond(1_000_000);
    private final Map<String, Reader> readers = new HashMap<>();
    private final ReaderCache cache = new ReaderCache(
            split -> readers.computeIfAbsent(split.file().path(), path -> new Reader()), 100, () -> now);

    private static final class Reader implements RowGroupReader {
        int rests;
        int closes;
        long bytes = 1;
        long idle;

        @Override
        public List<RowGroup> rowGroups() {
            return List.of();
        }

        @Override
        public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
            return true;
        }

        @Override
        public long bytesRead() {
            return 0;
        }

        @Override
        public long retainedBytes() {
            return bytes;
        }

        @Override
        public long idleBytes() {
            return idle;
        }

        @Override
        public void releaseBuffers() {
            idle = 0;
            rests++;
        }

        @Override
        public void close() {
            closes++;
        }
    }

    private void use(String path) {
        cache.lease(split(path, 1)).close();
    }

    private static Split split(String path, long modificationTime) {
        return new Split(
                new FileVersion(path, 1, modificationTime, 7),
                0,
                1,
                new TableFormat("", "", "", Map.of()),
                List.of(),
                List.of());
    }

    private long resting() {
        return readers.values().stream().filter(reader -> reader.rests > 0).count();
    }

    @Test
    void filesThatMayYetChangeWithoutShowingItAreNotKept() {
        Split fresh = split("fresh", now.toEpochMilli() - 5);
        ReaderCache.Lease first = cache.lease(fresh);
        cache.lease(fresh).close();
        assertThat(cache.open()).isEqualTo(1);
        first.close();
        assertThat(cache.open()).isZero();
        assertThat(readers.values()).allMatch(reader -> reader.closes == 1);
        now = now.plusSeconds(1);
        cache.lease(fresh).close();
        assertThat(cache.open()).isEqualTo(1);
        assertThat(cache.leased()).isZero();
    }

    @Test
    void filesWithLargeIdleBuffersLetOthersRest() {
        ReaderCache small = new ReaderCache(
                split -> readers.computeIfAbsent(split.file().path(), path -> new Reader()), 100, 1000, () -> now);
        for (int i = 0; i < 5; i++) {
            try (ReaderCache.Lease lease = small.lease(split("file" + i, 1))) {
                ((Reader) lease.reader()).idle = 300;
            }
        }
        assertThat(resting()).isEqualTo(2);
        try (ReaderCache.Lease lease = small.lease(split("huge", 1))) {
            ((Reader) lease.reader()).idle = 1001;
        }
        assertThat(resting()).as("all").isEqualTo(6);
        small.lease(split("file0", 1)).close();
        assertThat(resting()).isEqualTo(6);
        assertThat(small.open()).isEqualTo(6);
    }

    @Test
    void filesWithLargeFootersLeaveRoomForFewer() {
        ReaderCache small = new ReaderCache(
                split -> readers.computeIfAbsent(split.file().path(), path -> new Reader()), 100, 1000, () -> now);
        for (int i = 0; i < 10; i++) {
            small.lease(split("file" + i, 1)).close();
        }
        assertThat(small.open()).isEqualTo(10);
        try (ReaderCache.Lease lease = small.lease(split("file5", 1))) {
            ((Reader) lease.reader()).bytes = 998;
        }
        assertThat(small.open()).as("with one that is small").isEqualTo(3);
        try (ReaderCache.Lease lease = small.lease(split("file5", 1))) {
            ((Reader) lease.reader()).bytes = 2000;
        }
        assertThat(small.open())
                .as("one that has no room goes when it is not used")
                .isZero();
        small.lease(split("file1", 1)).close();
        assertThat(small.open()).isEqualTo(1);
        small.close();
    }

    @Test
    void readersThatWereNotUsedForLongRestButStayOpen() {
        for (int i = 0; i < 16; i++) {
            use("file" + i);
        }
        assertThat(resting()).isZero();
        use("file0");
        use("another");
        assertThat(resting()).isEqualTo(1);
        assertThat(readers)
                .extractingByKey("file1")
                .extracting(reader -> reader.rests)
                .isEqualTo(1);
        assertThat(cache.open()).isEqualTo(17);
        assertThat(readers.values()).allMatch(reader -> reader.closes == 0);
        cache.close();
        assertThat(readers.values()).allMatch(reader -> reader.closes == 1);
    }
}
