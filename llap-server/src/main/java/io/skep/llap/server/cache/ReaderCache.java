package io.skep.llap.server.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cache of open files with their footers and indexes, shared by all their readers. It keeps the most recently used
 * ones within limits of number and heap. A reader in use is never closed. A reader whose file a newer version has
 * replaced is closed when it has not been used for long. A file may still change without a visible sign
 * ({@link FileVersion#settledAt}); its reader is closed with its last lease. The map is guarded by itself. Files are
 * opened outside the lock, each once.
 */
public final class ReaderCache implements AutoCloseable {
    /**
     * The number of most recently used readers that stay ready to continue reading. They may be fewer, so that their
     * buffers stay within a limit. The others keep footers and indexes only.
     */
    private static final int READY = 16;

    /** The reciprocal of the share of the heap for footers and indexes of all open files, and for idle buffers. */
    private static final int HEAP_SHARE = 16;

    /** Identifies the same bytes, read as the same columns. */
    private record Key(FileVersion file, TableFormat format, List<Column> columns) {}

    private final RowGroupReaderFactory factory;
    private final int capacity;
    private final long maxBytes;
    private final InstantSource clock;

    @GuardedBy("entries")
    private final Map<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);

    private final AtomicInteger leased = new AtomicInteger();
    /** In the order of last use. */
    @GuardedBy("entries")
    private final Set<Entry> ready = new LinkedHashSet<>();

    /** Heap bytes of all entries. */
    @GuardedBy("entries")
    private long bytes;

    @GuardedBy("entries")
    private boolean closed;

    /** @param capacity number of open files that are kept; more are open while more are in use */
    public ReaderCache(RowGroupReaderFactory factory, int capacity, InstantSource clock) {
        this(factory, capacity, Runtime.getRuntime().maxMemory() / HEAP_SHARE, clock);
    }

    /**
     * @param maxBytes limit of the heap of all open files, above which those that no thread uses are closed; and limit
     *     of their idle buffers
     */
    ReaderCache(RowGroupReaderFactory factory, int capacity, long maxBytes, InstantSource clock) {
        this.factory = factory;
        this.capacity = capacity;
        this.maxBytes = maxBytes;
        this.clock = clock;
    }

    private static final class Entry {
        final Key key;
        final boolean settled;
        final CompletableFuture<RowGroupReader> reader = new CompletableFuture<>();
        int leases;
        /** Heap bytes, as counted at the last use. */
        long bytes;
        /** Heap bytes of buffers for the next read, as counted at the last use. */
        long idleBytes;

        Entry(Key key, boolean settled) {
            this.key = key;
            this.settled = settled;
        }
    }

    /** A lease on a reader, which stays open until the lease is closed. */
    public final class Lease implements AutoCloseable {
        private final Entry entry;

        @GuardedBy("ReaderCache.this.entries")
        private boolean released;

        private Lease(Entry entry) {
            this.entry = entry;
        }

        public RowGroupReader reader() {
            return entry.reader.join();
        }

        @Override
        public void close() {
            long now = entry.reader.isCompletedExceptionally()
                    ? 0
                    : entry.reader.join().retainedBytes();
            boolean last;
            synchronized (entries) {
                if (released) {
                    return;
                }
                released = true;
                entry.leases--;
                if (entries.get(entry.key) == entry) {
                    bytes += now - entry.bytes;
                    entry.bytes = now;
                }
                last = !entry.settled && entry.leases == 0 && entries.remove(entry.key, entry);
                if (last) {
                    bytes -= entry.bytes;
                    ready.remove(entry);
                }
            }
            leased.decrementAndGet();
            if (last) {
                entry.reader.join().close();
                return;
            }
            restOthers(
                    entry,
                    entry.reader.isCompletedExceptionally()
                            ? 0
                            : entry.reader.join().idleBytes());
            trim();
        }
    }

    /** Leases the file of a split, and opens it if necessary. May wait for the disk. */
    public Lease lease(Split split) {
        Key key = new Key(split.file(), split.format(), split.fileColumns());
        Entry entry;
        boolean mine;
        synchronized (entries) {
            if (closed) {
                throw new IllegalStateException("the cache of open files is closed");
            }
            entry = entries.get(key);
            mine = entry == null;
            if (entry == null) {
                entry = new Entry(key, key.file().settledAt(clock.millis()));
                entries.put(key, entry);
            }
            entry.leases++;
        }
        leased.incrementAndGet();
        Lease lease = new Lease(entry);
        if (mine) {
            open(split, key, entry);
        }
        try {
            entry.reader.join();
            return lease;
        } catch (CompletionException e) {
            lease.close();
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void open(Split split, Key key, Entry entry) {
        try {
            entry.reader.complete(factory.open(split));
        } catch (RuntimeException | Error e) {
            synchronized (entries) {
                if (entries.remove(key, entry)) {
                    bytes -= entry.bytes;
                }
            }
            entry.reader.completeExceptionally(e);
        }
    }

    /** Whether a lease can be acquired without waiting for the disk. */
    public boolean isOpen(Split split) {
        synchronized (entries) {
            Entry entry = entries.get(new Key(split.file(), split.format(), split.fileColumns()));
            return entry != null && entry.reader.isDone();
        }
    }

    private void restOthers(Entry used, long idleBytes) {
        List<Entry> resting = new ArrayList<>();
        synchronized (entries) {
            ready.remove(used);
            ready.add(used);
            used.idleBytes = idleBytes;
            long idle = ready.stream().mapToLong(entry -> entry.idleBytes).sum();
            Iterator<Entry> oldest = ready.iterator();
            while (ready.size() > READY || idle > maxBytes) {
                Entry entry = oldest.next();
                idle -= entry.idleBytes;
                resting.add(entry);
                oldest.remove();
            }
        }
        for (Entry entry : resting) {
            if (!entry.reader.isCompletedExceptionally()) {
                entry.reader.join().releaseBuffers();
            }
        }
    }

    private void trim() {
        List<Entry> victims = new ArrayList<>();
        synchronized (entries) {
            Iterator<Entry> eldest = entries.values().iterator();
            int most = closed ? 0 : capacity;
            while ((entries.size() > most || bytes > maxBytes) && eldest.hasNext()) {
                Entry entry = eldest.next();
                if (entry.leases == 0) {
                    eldest.remove();
                    bytes -= entry.bytes;
                    victims.add(entry);
                }
            }
        }
        victims.forEach(entry -> entry.reader.join().close());
    }

    public int open() {
        synchronized (entries) {
            return entries.size();
        }
    }

    public int leased() {
        return leased.get();
    }

    /** Closes all readers that are not leased. The others are closed with their last lease. */
    @Override
    public void close() {
        synchronized (entries) {
            closed = true;
        }
        trim();
    }
}
