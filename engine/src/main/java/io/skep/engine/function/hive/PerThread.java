package io.skep.engine.function.hive;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Initializes functions on short-lived threads. Some of Hive's functions bind resources to the thread that initializes
 * them, such as a date format that two threads must not use at the same time. A task's functions are initialized by one
 * thread and run by many.
 */
final class PerThread {
    private PerThread() {}

    /** Returns the call's result, or throws what it throws. An interrupt does not end the wait for the call. */
    static <T> T call(Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call, Thread.ofVirtual()::start)
                    .join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case RuntimeException failure -> failure;
                case Error failure -> throw failure;
                case null, default -> e;
            };
        }
    }
}
