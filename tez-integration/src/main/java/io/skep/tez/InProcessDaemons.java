package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How a processor finds the daemon of its own process. This is the one place with static state, and it cannot be avoided: in
 * local mode Tez makes processors by reflection, in this process, from nothing but the bytes of a payload. A runner enters its
 * daemon under a key that only it knows, writes the key into its payloads, and takes the entry back when it is closed. Outside of
 * local mode the payload names a daemon's address instead.
 */
final class InProcessDaemons {
    private static final Map<String, DaemonConnection> DAEMONS = new ConcurrentHashMap<>();

    private InProcessDaemons() {}

    static void enter(String key, DaemonConnection daemon) {
        DAEMONS.put(key, daemon);
    }

    static void remove(String key) {
        DAEMONS.remove(key);
    }

    static DaemonConnection find(String key) {
        DaemonConnection daemon = DAEMONS.get(key);
        if (daemon == null) {
            throw new SkepException(StandardErrorCode.TEZ_ERROR, "the daemon that the task was meant for is gone");
        }
        return daemon;
    }
}
