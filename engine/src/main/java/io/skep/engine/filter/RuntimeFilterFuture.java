package io.skep.engine.filter;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A filter that a join of the task provides when its build side is complete. Thread-safe.
 *
 * @param key position among the join's keys
 * @param filter empty if the join cannot provide a filter because it lacks memory
 */
public record RuntimeFilterFuture(int key, CompletableFuture<Optional<KeyFilter>> filter) {
    public RuntimeFilterFuture(int key) {
        this(key, new CompletableFuture<>());
    }
}
