package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonLoad;

/** What the daemons of a {@link SplitPlacement} have to do, by their own account. Asked for few of them in a query; never blocks. */
@FunctionalInterface
public interface DaemonLoads {
    /** @param daemon its index */
    DaemonLoad of(int daemon);
}
