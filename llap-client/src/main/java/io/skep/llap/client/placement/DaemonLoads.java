package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonLoad;

/**
 * The loads of the daemons of a {@link SplitPlacement}, as the daemons report them. A query asks for few of them. No
 * call blocks.
 */
@FunctionalInterface
public interface DaemonLoads {
    /** @param daemon the daemon's index */
    DaemonLoad of(int daemon);
}
