package io.skep.engine.function.hive;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Makes functions ready on threads that end with it. Some of Hive's keep what they find bound to the thread that initializes
 * them, such as a date format that no two threads may use at a time; a task's functions are initialized by one thread and run by
 * many.
 */
final class PerThread {
    private PerThread() {}

    /** The call's result, or what it throws. An interrupt waits until the call is done. */
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
