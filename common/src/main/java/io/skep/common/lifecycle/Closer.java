package io.skep.common.lifecycle;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Closes the parts of a process in the reverse order of their start. Owned by the thread that starts and stops the
 * process.
 */
public final class Closer implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part, to be closed with the others. */
    public <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts after the start of one has failed. Further failures are added to that failure. */
    public void closeAfter(Throwable failure) {
        end().ifPresent(failure::addSuppressed);
    }

    /**
     * Closes all parts, even when one of them fails.
     *
     * @throws SkepException INTERNAL_ERROR, the first failure, with the others
     */
    @Override
    public void close() {
        end().ifPresent(failure -> {
            throw failure;
        });
    }

    private Optional<SkepException> end() {
        Optional<SkepException> first = Optional.empty();
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                SkepException failure = new SkepException(
                        StandardErrorCode.INTERNAL_ERROR, "a part of the process did not end: " + e, e);
                first.ifPresent(earlier -> earlier.addSuppressed(failure));
                first = Optional.of(first.orElse(failure));
            }
        }
        return first;
    }
}
