package io.skep.llap.client.registry;

import io.skep.common.error.SkepException;
import java.util.List;
import java.util.function.Consumer;

/** All daemons of one name. Thread-safe. */
public interface DaemonRegistry extends AutoCloseable {
    /** The daemons known now, by slot; costs no round trip. While the registry cannot be reached: those known last. */
    List<DaemonEntry> entries();

    /**
     * Hands each change's new list to a listener, in order, one at a time, beginning with the list of now.
     *
     * @return ends that when closed
     */
    Listening listen(Consumer<List<DaemonEntry>> listener);

    /**
     * Gives a daemon the lowest slot that is free, or that of an earlier daemon at its address.
     *
     * @throws SkepException when the registry cannot be reached
     */
    DaemonRegistration register(DaemonOffer offer);

    /** Ends the listening; what was registered must be closed before. */
    @Override
    void close();

    /** A listener that is listening. */
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
