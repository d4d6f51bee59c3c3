package io.skep.common.lifecycle;

import org.jspecify.annotations.Nullable;

/** Closes several resources, all of them even when one fails. */
public final class Closeables {
    private Closeables() {}

    /** Throws the first failure, with the others suppressed in it, after all resources have been closed. */
    public static void closeAll(Iterable<? extends AutoCloseable> resources) {
        @Nullable RuntimeException failure = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                RuntimeException next = e instanceof RuntimeException known ? known : new IllegalStateException(e);
                if (failure == null) {
                    failure = next;
                } else {
                    failure.addSuppressed(next);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
