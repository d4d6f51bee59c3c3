package io.skep.tez.plugin;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import io.skep.tez.wire.VertexPayload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Provides the plug-ins of an application master with this process's connections to daemons. This is the one place with
 * static state, which cannot be avoided: Tez creates plug-ins by reflection, in local mode in this process, from
 * nothing but the bytes of a payload. A query registers its daemons under a key that only it knows. It writes the key
 * into its vertices' payloads and removes the entry when it ends.
 */
public final class InProcessDaemons implements TaskDaemons {
    private static final Map<String, List<DaemonConnection>> DAEMONS = new ConcurrentHashMap<>();

    public static void register(String key, List<DaemonConnection> daemons) {
        DAEMONS.put(key, List.copyOf(daemons));
    }

    public static void remove(String key) {
        DAEMONS.remove(key);
    }

    @Override
    public List<DaemonConnection> of(VertexPayload vertex) {
        List<DaemonConnection> daemons = DAEMONS.get(vertex.daemons());
        if (daemons == null) {
            throw new SkepException(StandardErrorCode.TEZ_ERROR, "the query that the task was meant for is gone");
        }
        return daemons;
    }

    /** The query removes its entry itself. */
    @Override
    public void dagCompleted() {}

    @Override
    public void close() {}
}
