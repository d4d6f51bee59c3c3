package io.skep.engine.function.hive;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Makes functions ready on threads that end with it. Some of Hive's keep what they find bound to the thread that initializes
 * them, such as a date format that no two threads may use at a time; a task's functions are initialized by one thread and run by
 * many.
 */
final class OwnThread {
    private OwnThread() {}

    /** The call's result, or what it throws. An interrupt waits until the call is done. */
    static <T> T call(Supplier<T> call) {
        FutureTask<T> task = new FutureTask<>(call::get);
        Thread.ofVirtual().start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(ExecutionException failure) {
        return switch (failure.getCause()) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            case null, default -> new IllegalStateException(failure);
        };
    }
}
