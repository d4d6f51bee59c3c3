package io.skep.ql.commit;

import com.google.common.collect.Iterables;
import com.google.common.util.concurrent.Striped;
import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the listings of a table's files and the commits to it apart within a server. A commit may take long, by the number of its
 * files, and holds up who reads its tables, and few others. Thread-safe.
 */
final class ListingLocks {
    private static final int STRIPES = 1024;

    /** Of what is not in the catalog: a session's own tables, and folders. All who list wait for it. */
    private static final String OUTSIDE = "";

    private final Striped<ReadWriteLock> stripes = Striped.readWriteLock(STRIPES);

    /** Does something while nobody lists the tables' files; without tables, while nobody lists any. */
    <T extends @Nullable Object> T changing(Collection<Table> tables, Supplier<T> work) {
        return changingKeys(ConsistentReads.keys(tables), work);
    }

    /** The same, for tables of which only the keys are known. */
    <T extends @Nullable Object> T changingKeys(Set<String> tables, Supplier<T> work) {
        Set<String> keys = new HashSet<>(tables);
        if (isOutside(tables)) {
            keys.add(OUTSIDE);
        }
        return locked(Iterables.transform(stripes.bulkGet(keys), ReadWriteLock::writeLock), work);
    }

    /** Whether none of the keys is a table's. */
    static boolean isOutside(Set<String> tables) {
        return Set.of(LeasedNames.FOLDERS_KEY).containsAll(tables);
    }

    /** Waits for the one who changes what has a key. */
    void await(String key) {
        locked(List.of(stripes.get(key).readLock()), () -> true);
    }

    /** Does something while nobody changes the tables' files. */
    <T extends @Nullable Object> T listing(Collection<Table> tables, Supplier<T> work) {
        Set<String> keys = new HashSet<>(ConsistentReads.keys(tables));
        keys.add(OUTSIDE);
        return locked(Iterables.transform(stripes.bulkGet(keys), ReadWriteLock::readLock), work);
    }

    /**
     * In the order in which {@link Striped} gives them, so that nobody waits in a circle.
     *
     * @throws SkepException OPERATION_CANCELED when the thread is interrupted, before the work begins
     */
    private static <T extends @Nullable Object> T locked(Iterable<? extends Lock> locks, Supplier<T> work) {
        List<Lock> held = new ArrayList<>();
        try {
            for (Lock lock : locks) {
                Interruption.lock(lock);
                held.add(lock);
            }
            return work.get();
        } finally {
            held.forEach(Lock::unlock);
        }
    }

    /**
     * Does something with tables that it finds on its way, while nobody changes those that it has found.
     *
     * @param work says of each table that it is going to ask for it
     * @return empty when one was being changed
     */
    <T> Optional<T> listingUnlessChanging(Function<Consumer<Table>, T> work) {
        List<Lock> held = new ArrayList<>();
        boolean[] free = {true};
        try {
            // Who waited here could hold what a commit waits for that holds what is waited for.
            T result = work.apply(table -> stripes.bulkGet(Set.of(OUTSIDE, ConsistentReads.key(table)))
                    .forEach(stripe -> {
                        Lock lock = stripe.readLock();
                        if (lock.tryLock()) {
                            held.add(lock);
                        } else {
                            free[0] = false;
                        }
                    }));
            return free[0] ? Optional.of(result) : Optional.empty();
        } finally {
            held.forEach(Lock::unlock);
        }
    }
}
