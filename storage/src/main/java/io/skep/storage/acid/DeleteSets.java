package io.skep.storage.acid;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.hadoop.hive.common.ValidReaderWriteIdList;

/**
 * A cache of the rows that delete events name. All splits of a partition share what a snapshot deletes. Events of files
 * that may yet change without a visible sign ({@link FileVersion#settledAt}) are not kept. Thread-safe.
 */
public final class DeleteSets {
    /** The reciprocal of the share of the heap for all sets. */
    private static final int HEAP_SHARE = 32;

    private static final int KEY_BYTES = 200;

    /** Opens files with delete events. */
    @FunctionalInterface
    public interface Files {
        /** Calls a reader's user with the open file of a split, and fails if the file is not the split's version. */
        void read(Split split, Consumer<RowGroupReader> user);
    }

    /** Identifies events in full. */
    private record Key(TableFormat format, List<FileVersion> files, Optional<String> writeIds) {
        int bytes() {
            int bytes = KEY_BYTES + writeIds.map(String::length).orElse(0);
            for (FileVersion file : files) {
                bytes += KEY_BYTES + file.path().length();
            }
            return bytes;
        }
    }

    private final Files files;
    private final InstantSource clock;
    private final long maxBytes;
    private final AsyncCache<Key, DeletedRows> cache;

    public DeleteSets(Files files, InstantSource clock) {
        this(files, clock, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param maxBytes limit of the heap of all sets; larger sets belong to one split */
    DeleteSets(Files files, InstantSource clock, long maxBytes) {
        this.files = files;
        this.clock = clock;
        this.maxBytes = maxBytes;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .<Key, DeletedRows>weigher(
                        (key, rows) -> (int) Math.min(Integer.MAX_VALUE, key.bytes() + rows.retainedBytes()))
                .executor(Runnable::run)
                .buildAsync();
    }

    /**
     * Returns the rows that the delete events of a split name. May wait for the disk.
     *
     * @param account is called with bytes before they are allocated, and with their negative number when they are
     *     accounted for by the cache
     */
    DeletedRows of(Split split, AcidInfo acid, LongConsumer account) {
        if (acid.deleteFiles().isEmpty()) {
            return DeletedRows.NONE;
        }
        Key key = new Key(split.format(), acid.deleteFiles(), acid.writeIds());
        long now = clock.millis();
        if (!acid.deleteFiles().stream().allMatch(file -> file.settledAt(now))) {
            return load(key, account, 0);
        }
        CompletableFuture<DeletedRows> mine = new CompletableFuture<>();
        CompletableFuture<DeletedRows> other = cache.asMap().putIfAbsent(key, mine);
        if (other == null) {
            try {
                DeletedRows rows = load(key, account, maxBytes);
                mine.complete(rows);
                return rows;
            } catch (RuntimeException | Error e) {
                mine.completeExceptionally(e);
                throw e;
            }
        }
        try {
            return other.join();
        } catch (CompletionException | CancellationException e) {
            // The other query may have been cancelled, or have had no memory.
            return load(key, account, 0);
        }
    }

    /** @param mostKept the size up to which the cache keeps and accounts for the rows */
    private DeletedRows load(Key key, LongConsumer account, long mostKept) {
        Total total = new Total(account);
        DeletedRows.Builder builder = new DeletedRows.Builder(
                key.writeIds().map(ValidReaderWriteIdList::fromValue).orElse(null), total);
        for (FileVersion file : key.files()) {
            Split whole = new Split(
                    file,
                    0,
                    file.length(),
                    key.format(),
                    AcidColumn.COLUMNS,
                    List.of(),
                    Optional.of(new AcidInfo(Optional.empty(), false, List.of(), false, Optional.empty())));
            files.read(whole, reader -> builder.add(file.path(), reader));
        }
        DeletedRows rows = builder.build();
        long kept = rows.retainedBytes() + key.bytes() <= mostKept ? 0 : rows.retainedBytes();
        account.accept(kept - total.bytes);
        return rows;
    }

    /** Adds up what is reserved. */
    private static final class Total implements LongConsumer {
        private final LongConsumer account;
        private long bytes;

        Total(LongConsumer account) {
            this.account = account;
        }

        @Override
        public void accept(long more) {
            account.accept(more);
            bytes += more;
        }
    }
}
