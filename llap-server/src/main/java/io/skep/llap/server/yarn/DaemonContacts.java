package io.skep.llap.server.yarn;

import io.skep.common.config.SettingsReader;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RemoteDaemons;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The master's connections to its daemons. The master uses them to ask daemons to leave, and to check that they are
 * alive. Only one thread may call {@link #silent}; other threads make and lose connections.
 */
final class DaemonContacts implements AutoCloseable {
    private final Fleet fleet;
    private final RpcThreads threads = new RpcThreads("master-rpc");
    private final RemoteDaemons daemons;

    /** When a container's daemon was last connected. A daemon that never was has no entry. */
    private final Map<String, Long> lastHeardMillis = new HashMap<>();

    /** @param settings settings of RPC */
    DaemonContacts(Map<String, String> settings, Fleet fleet) {
        this.fleet = fleet;
        SettingsReader reader = new SettingsReader(settings);
        RpcConfig config = RpcConfig.of(reader);
        reader.finish();
        PageCodec pages = new PageCodec(BatchCodec::encode, BatchCodec::decode);
        DaemonConnector connector = new DaemonConnector(config, threads, pages);
        this.daemons = new RemoteDaemons(connector, fleet::endpoints, Duration.ZERO);
    }

    /**
     * Asks the daemon in a container to drain and stop. Returns false when it is not connected and so cannot be asked.
     */
    boolean leave(String container) {
        Optional<RemoteDaemon> connected = connection(container);
        connected.ifPresent(RemoteDaemon::leave);
        return connected.isPresent();
    }

    private Optional<RemoteDaemon> connection(String container) {
        return fleet.endpoint(container).flatMap(daemons::find);
    }

    /**
     * Returns the containers whose daemons have been disconnected for longer than the given time. A daemon that was
     * never connected is not among them, because it may be healthy and lack only this master's secret.
     */
    List<String> silent(Collection<DaemonContainer> containers, Duration longest, long nowMillis) {
        List<String> ready = containers.stream()
                .filter(one -> one.phase() == DaemonPhase.READY)
                .map(DaemonContainer::id)
                .toList();
        lastHeardMillis.keySet().retainAll(ready);
        ready.stream().filter(id -> connection(id).isPresent()).forEach(id -> lastHeardMillis.put(id, nowMillis));
        return ready.stream()
                .filter(id -> nowMillis - lastHeardMillis.getOrDefault(id, nowMillis) > longest.toMillis())
                .toList();
    }

    @Override
    public void close() {
        daemons.close();
        threads.close();
    }
}
