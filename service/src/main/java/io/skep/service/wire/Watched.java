package io.skep.service.wire;

/** A connection that a {@link ConnectionWatch} looks at. */
public interface Watched {
    /**
     * Closes the connection if it is overdue. Called periodically, and does not wait.
     *
     * @param now {@link System#nanoTime}
     */
    void watch(long now);
}
