package io.skep.service.server;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.llap.client.rpc.RemoteDaemonsConfig;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.zookeeper.RegistryConfig;
import io.skep.llap.server.LlapConfig;
import io.skep.metastore.MetastoreConfig;
import io.skep.ql.statement.CommitTerms;
import io.skep.service.discovery.DiscoveryConfig;
import io.skep.service.session.SessionTerms;
import io.skep.service.wire.WireTerms;
import io.skep.tez.TezConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the server's own settings say.
 *
 * @param port of JDBC; 0 for any free one
 * @param bindHost name or address that the server listens on
 * @param uiPort of the pages; 0 for any free one
 * @param trainingQueries that the server asks itself after its start
 * @param daemon sizes of the daemon in the server's own process
 * @param remoteDaemons those in other processes, which take its place
 * @param registry where others are found, which take its place too
 * @param tez where its application masters run
 */
public record ServerConfig(
        int port,
        String bindHost,
        int uiPort,
        int trainingQueries,
        WireTerms wire,
        SessionTerms sessions,
        DiscoveryConfig discovery,
        MetastoreConfig metastore,
        CommitTerms commits,
        LlapConfig daemon,
        RpcConfig rpc,
        RemoteDaemonsConfig remoteDaemons,
        RegistryConfig registry,
        TezConfig tez) {
    private static final int MOST_PORTS = 65535;

    static final Property<Integer> PORT = new Property<>(
            "hive.server2.thrift.port",
            PropertyType.integer(0, MOST_PORTS),
            "10000",
            "Port of HiveServer2's binary protocol; 0 takes any free one.");
    static final Property<String> BIND_HOST = new Property<>(
            "hive.server2.thrift.bind.host",
            PropertyType.text(),
            "127.0.0.1",
            "Name or address to listen on, for clients and for the pages; 0.0.0.0 for all.");
    static final Property<Integer> UI_PORT = new Property<>(
            "hive.server2.webui.port",
            PropertyType.integer(0, MOST_PORTS),
            "10002",
            "Port of the web pages; 0 takes any free one.");

    /** Those of the server as a whole. */
    static final List<Property<?>> PROPERTIES = List.of(PORT, BIND_HOST, UI_PORT, StartTraining.QUERIES);

    /**
     * @param data the folder of everything that has no other place
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION with everything that is wrong
     */
    public static ServerConfig of(Map<String, String> settings, Path data) {
        SettingsReader reader = new SettingsReader(settings);
        ServerConfig config = new ServerConfig(
                reader.read(PORT),
                reader.read(BIND_HOST),
                reader.read(UI_PORT),
                reader.read(StartTraining.QUERIES),
                WireTerms.of(reader),
                SessionTerms.of(reader),
                DiscoveryConfig.of(reader),
                MetastoreConfig.of(reader, settings, data),
                CommitTerms.of(reader),
                LlapConfig.of(reader, data.resolve("spill")),
                RpcConfig.of(reader),
                RemoteDaemonsConfig.of(reader),
                RegistryConfig.of(reader),
                TezConfig.of(reader));
        reader.refuseUnknown(ServerSettings.KNOWN.names());
        reader.finish();
        return config;
    }
}
