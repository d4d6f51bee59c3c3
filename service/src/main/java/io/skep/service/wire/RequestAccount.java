package io.skep.service.wire;

import org.apache.thrift.protocol.TProtocolException;

/**
 * Heap bytes that one connection's request holds, reserved from the server's {@link RequestBudget}. A small request
 * uses nothing from the budget, so it is served while large ones use all of it. Owned by the connection's thread.
 */
final class RequestAccount {
    private static final long FREE_BYTES = 32 << 10;
    private static final long STEP_BYTES = 64 << 10;

    private final RequestBudget budget;
    private long charged;
    private long reserved;

    RequestAccount(RequestBudget budget) {
        this.budget = budget;
    }

    /** @throws TProtocolException SIZE_LIMIT when the budget of all requests is exhausted */
    void charge(long bytes) throws TProtocolException {
        charged += bytes;
        long missing = charged - FREE_BYTES - reserved;
        if (missing <= 0) {
            return;
        }
        long step = (missing + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        if (!budget.tryReserve(step)) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "the server has no memory left for a request of this size; " + ThriftConfig.REQUEST_MEMORY.name()
                            + " limits what requests hold together");
        }
        reserved += step;
    }

    /** Called when the request has ended. */
    void clear() {
        charged = 0;
        if (reserved > 0) {
            budget.release(reserved);
            reserved = 0;
        }
    }
}
