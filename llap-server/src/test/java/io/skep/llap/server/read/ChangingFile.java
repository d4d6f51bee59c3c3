package io.skep.llap.server.read;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A file that gets one content after the other. The rows of version {@code v} are (v, row, mixed of both); which contents a
 * reader may see is told by {@link #finished()} before it looked and {@link #place} of what it saw.
 */
final class ChangingFile {
    static final int ROWS = 3000;

    /** How a content takes the place of the one before. */
    enum Way {
        /** Another file of the same modification time is renamed over it. */
        RENAME,
        /** More rows are written behind those that are there. */
        APPEND,
        /** The same bytes of disk are written anew. */
        IN_PLACE
    }

    private static final FileTime TIME = FileTime.fromMillis(1_600_000_000_000L);

    final Path path;
    final TableLayout table;
    final Way way;

    /** Held by who changes the file so that it is not whole for a while, and by those who must find it whole. */
    final ReentrantReadWriteLock whole = new ReentrantReadWriteLock();

    private final PageSinkFactory sinks;
    private final AtomicLong versions;

    private record Content(long version, long rows) {}

    /** Guarded by this. */
    private final List<Content> contents = new ArrayList<>();
    /** Guarded by this. */
    private int finished = -1;

    private int appended;

    /** @param versions gives each content of any file its number */
    ChangingFile(Path path, TableLayout table, Way way, PageSinkFactory sinks, AtomicLong versions) throws IOException {
        this.path = path;
        this.table = table;
        this.way = way;
        this.sinks = sinks;
        this.versions = versions;
        Files.move(written(begin(versions.incrementAndGet(), ROWS), ROWS), path);
        finish();
    }

    private synchronized long begin(long version, int rows) {
        contents.add(new Content(version, rows));
        return version;
    }

    private synchronized void finish() {
        finished = contents.size() - 1;
    }

    /** The last content that is surely in place, by its place in their order. */
    synchronized int finished() {
        return finished;
    }

    /** Where a content comes in their order; -1 when it never was this file's. */
    synchronized int place(long version, long rows) {
        return contents.indexOf(new Content(version, rows));
    }

    static long mixed(long version, long row) {
        long mixed = (version * 31 + row) * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 31) >>> 2 | 1L << 60;
    }

    private Path written(long version, int rows) throws IOException {
        Path made = path.resolveSibling("_" + path.getFileName() + "-" + version);
        PageSink sink = sinks.create(table, made.toUri().toString());
        for (int from = 0; from < rows; from += 1000) {
            long[] values = new long[1000];
            long[] places = new long[1000];
            long[] contentOf = new long[1000];
            for (int i = 0; i < 1000; i++) {
                contentOf[i] = 1L << 50 | version;
                places[i] = 1L << 50 | (from + i);
                values[i] = mixed(version, from + i);
            }
            sink.append(new Batch(
                    List.of(
                            new LongVector(contentOf, null, 1000),
                            new LongVector(places, null, 1000),
                            new LongVector(values, null, 1000)),
                    1000));
        }
        sink.finish();
        return made;
    }

    /** Owned by one thread. */
    void change() throws IOException {
        switch (way) {
            case RENAME -> rename();
            case APPEND -> append();
            case IN_PLACE -> inPlace();
        }
    }

    private void rename() throws IOException {
        Path made = written(begin(versions.incrementAndGet(), ROWS), ROWS);
        Files.setLastModifiedTime(made, TIME);
        Files.move(made, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        finish();
    }

    /** What has more rows of the same version is another content. Every fourth time the file begins anew. */
    private void append() throws IOException {
        if (++appended % 4 == 0) {
            rename();
            return;
        }
        long version;
        synchronized (this) {
            version = contents.getLast().version();
        }
        int rows = ROWS + appended % 4 * 1000;
        Path made = written(begin(version, rows), rows);
        byte[] all = Files.readAllBytes(made);
        Files.delete(made);
        int before = (int) Files.size(path);
        whole.writeLock().lock();
        try {
            Files.write(path, Arrays.copyOfRange(all, before, all.length), StandardOpenOption.APPEND);
        } finally {
            whole.writeLock().unlock();
        }
        finish();
    }

    private void inPlace() throws IOException {
        Path made = written(begin(versions.incrementAndGet(), ROWS), ROWS);
        byte[] bytes = Files.readAllBytes(made);
        Files.delete(made);
        whole.writeLock().lock();
        try {
            Files.write(path, bytes);
        } finally {
            whole.writeLock().unlock();
        }
        finish();
    }
}
