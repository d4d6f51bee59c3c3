package io.skep.tez.session;

import io.skep.common.error.SkepException;
import java.util.function.BooleanSupplier;

/** Starts application masters: in this process, or in containers of YARN. Thread-safe. */
interface TezMasters extends AutoCloseable {
    /**
     * Starts one, and waits until it takes DAGs.
     *
     * @param queue of YARN
     * @param unwanted becomes true when nobody waits for it any more
     * @throws SkepException when it cannot be started, or is unwanted
     */
    TezSession start(String queue, BooleanSupplier unwanted);

    @Override
    void close();
}
