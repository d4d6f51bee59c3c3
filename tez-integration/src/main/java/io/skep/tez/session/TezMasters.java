package io.skep.tez.session;

import io.skep.common.error.SkepException;
import java.util.function.BooleanSupplier;

/** Starts application masters: in this process, or in containers of YARN. Thread-safe. */
interface TezMasters extends AutoCloseable {
    /**
     * Starts a master, and waits until it accepts DAGs.
     *
     * @param queue of YARN
     * @param unwanted becomes true when no caller waits for it any more
     * @throws SkepException when it cannot be started, or is unwanted
     */
    TezSession start(String queue, BooleanSupplier unwanted);

    @Override
    void close();
}
