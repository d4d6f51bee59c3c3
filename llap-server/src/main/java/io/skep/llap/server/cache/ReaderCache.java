package io.skep.llap.server.cache;

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
 * Open files with their footers and indexes, those used last as far as their number and their heap allow, shared by all who read
 * them. A reader in use is never closed; one that a newer version of its file has replaced goes when it is not used for long, and
 * one whose file may yet be changed without showing it ({@link FileVersion#settledAt}) goes with its last lease. The map is guarded
 * by itself; files are opened outside of the lock, each once.
 */
public final class ReaderCache implements AutoCloseable {
    /** Readers that were used last and stay ready to read on; the others keep footers and indexes only. */
    private static final int READY = 16;

    /** Of the heap, for footers and indexes of all open files. */
    private static final int HEAP_SHARE = 16;

    /** The same bytes, read as the same columns. */
    private record Key(FileVersion file, TableFormat format, List<Column> columns) {}

    private final RowGroupReaderFactory factory;
    private final int capacity;
    private final long maxBytes;
    private final InstantSource clock;
    private final Map<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private final AtomicInteger leased = new AtomicInteger();
    /** In the order of their last use; guarded by the map. */
    private final Set<Entry> ready = new LinkedHashSet<>();

    /** Of all entries; guarded by the map. */
    private long bytes;

    private boolean closed;

    /** @param capacity open files that are kept; more are open while more are in use */
    public ReaderCache(RowGroupReaderFactory factory, int capacity, InstantSource clock) {
        this(factory, capacity, Runtime.getRuntime().maxMemory() / HEAP_SHARE, clock);
    }

    /** @param maxBytes of heap that files that nobody uses may take with the others */
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
        /** As counted when it was last used. */
        long bytes;

        Entry(Key key, boolean settled) {
            this.key = key;
            this.settled = settled;
        }
    }

    /** A reader that stays open until the lease is closed. */
    public final class Lease implements AutoCloseable {
        private final Entry entry;
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
            restOthers(entry);
            trim();
        }
    }

    /** The file of a split, opened if need be. May wait for the disk. */
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

    /** Whether a lease would not have to wait for the disk. */
    public boolean isOpen(Split split) {
        synchronized (entries) {
            Entry entry = entries.get(new Key(split.file(), split.format(), split.fileColumns()));
            return entry != null && entry.reader.isDone();
        }
    }

    private void restOthers(Entry used) {
        List<Entry> resting = new ArrayList<>();
        synchronized (entries) {
            ready.remove(used);
            ready.add(used);
            Iterator<Entry> oldest = ready.iterator();
            while (ready.size() > READY) {
                resting.add(oldest.next());
                oldest.remove();
            }
        }
        for (Entry entry : resting) {
            if (!entry.reader.isCompletedExceptionally()) {
                entry.reader.join().rest();
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

    /** Closes what nobody uses; the rest is closed with its last lease. */
    @Override
    public void close() {
        synchronized (entries) {
            closed = true;
        }
        trim();
    }
}
