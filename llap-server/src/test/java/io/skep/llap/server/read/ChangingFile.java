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
 * A file whose content is replaced repeatedly. The rows of version {@code v} are (v, row, mixed of both). A reader
 * calls {@link #finished()} before it reads, and {@link #place} with what it read. The two results show whether it may
 * see that content.
 */
final class ChangingFile {
    static final int ROWS = 3000;

    /** How a content replaces the previous one. */
    enum Way {
        /** Another file with the same modification time is renamed over it. */
        RENAME,
        /** More rows are appended to the existing ones. */
        APPEND,
        /** The same bytes on disk are overwritten. */
        IN_PLACE
    }

    private static final FileTime TIME = FileTime.fromMillis(1_600_000_000_000L);

    final Path path;
    final TableLayout table;
    final Way way;

    /**
     * Held by a thread that changes the file so that it is temporarily incomplete, and by threads that must find it
     * complete.
     */
    final ReentrantReadWriteLock whole = new ReentrantReadWriteLock();

    private final PageSinkFactory sinks;
    private final AtomicLong versions;

    private record Content(long version, long rows) {}

    /** Guarded by this. */
    private final List<Content> contents = new ArrayList<>();
    /** Guarded by this. */
    private int finished = -1;

    private int appended;

    /** @param versions assigns a number to each content of any file */
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

    /** The index of the last content that is certainly in place. */
    synchronized int finished() {
        return finished;
    }

    /** The index of a content in their order, or -1 when the file never had it. */
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

    /** Replaces the content. Called by one thread only. */
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

    /**
     * Appends rows. More rows of the same version are another content. Every fourth time, the file starts from the
     * beginning.
     */
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
