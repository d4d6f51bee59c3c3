package io.skep.tez.plugin;

import io.skep.common.config.SettingsReader;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.rpc.DaemonConnections;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.tez.wire.VertexPayload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The daemon connections of an application master in a process of its own. The vertices of a query list its daemons,
 * because the server has registered the plan on these daemons only. So a master does not discover daemons. It connects
 * to them at the first query.
 */
final class RemoteTaskDaemons implements TaskDaemons {
    private final RpcThreads threads = new RpcThreads("tez-rpc");
    private final DaemonConnections connections;
    private final Map<String, List<DaemonConnection>> queries = new ConcurrentHashMap<>();

    /** @param settings RPC settings */
    RemoteTaskDaemons(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        RpcConfig config = RpcConfig.of(reader);
        reader.finish();
        PageCodec pages = new PageCodec(BatchCodec::encode, BatchCodec::decode);
        this.connections = new DaemonConnections(new DaemonConnector(config, threads, pages));
    }

    @Override
    public List<DaemonConnection> of(VertexPayload vertex) {
        return queries.computeIfAbsent(
                vertex.daemons(),
                _ -> vertex.identities().stream().map(connections).toList());
    }

    @Override
    public void dagCompleted() {
        queries.clear();
    }

    @Override
    public void close() {
        connections.close();
        threads.close();
    }
}
