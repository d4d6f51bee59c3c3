package io.skep.llap.client.registry;

import io.skep.common.error.SkepException;
import java.util.List;
import java.util.function.Consumer;

/** The registry of all daemons of one name. Thread-safe. */
public interface DaemonRegistry extends AutoCloseable {
    /**
     * Returns the current daemons, by slot, without a round trip. While the registry cannot be reached, these are the
     * last known daemons.
     */
    List<DaemonEntry> entries();

    /**
     * Passes the new list to a listener on each change, in order and one call at a time. The first call passes the
     * current list.
     *
     * @return a handle that removes the listener when it is closed
     */
    Listening listen(Consumer<List<DaemonEntry>> listener);

    /**
     * Assigns a slot to a daemon: that of an earlier daemon at its address, or else the lowest free one.
     *
     * @throws SkepException when the registry cannot be reached
     */
    DaemonRegistration register(DaemonOffer offer);

    /** Stops listening. All registrations must be closed before. */
    @Override
    void close();

    /** A registered listener. */
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
