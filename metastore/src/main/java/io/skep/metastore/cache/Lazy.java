package io.skep.metastore.cache;

import io.skep.common.concurrent.Interruption;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that the first reader loads while other readers wait, unless they are interrupted. A failed load is not kept,
 * and the next reader retries it.
 */
final class Lazy<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable T value;

    Lazy() {}

    /** Creates a value that is already loaded if the other one is. */
    Lazy(Lazy<T> other) {
        this.value = other.value;
    }

    /** Returns the value if it is loaded. */
    Optional<T> loaded() {
        return Optional.ofNullable(value);
    }

    void set(T loaded) {
        value = loaded;
    }

    T get(Supplier<T> loader) {
        T loaded = value;
        if (loaded != null) {
            return loaded;
        }
        Interruption.lock(lock);
        try {
            loaded = value;
            if (loaded == null) {
                loaded = loader.get();
                value = loaded;
            }
            return loaded;
        } finally {
            lock.unlock();
        }
    }
}
