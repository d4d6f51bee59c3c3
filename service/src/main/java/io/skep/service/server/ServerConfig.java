package io.skep.service.server;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.KerberosConfig;
import io.skep.authentication.tls.TlsConfig;
import io.skep.common.config.BindHost;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import io.skep.common.kerberos.ServiceLogin;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.llap.client.audit.AuditConfig;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.rpc.RemoteDaemonsConfig;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.zookeeper.RegistryConfig;
import io.skep.llap.server.LlapConfig;
import io.skep.metastore.MetastoreConfig;
import io.skep.ql.commit.CommitConfig;
import io.skep.ql.compaction.CompactionConfig;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.path.PathConfig;
import io.skep.ql.result.ResultCacheConfig;
import io.skep.service.discovery.DiscoveryConfig;
import io.skep.service.flight.FlightConfig;
import io.skep.service.http.HttpConfig;
import io.skep.service.schedule.ScheduleConfig;
import io.skep.service.session.SessionConfig;
import io.skep.service.wire.ThriftConfig;
import io.skep.tez.session.TezConfig;
import io.skep.webui.WebConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server's own settings.
 *
 * @param port JDBC port; 0 for any free one
 * @param bindHost name or address that the server listens on
 * @param uiPort port of the web pages; 0 for any free one
 * @param uiHosts further names under which browsers reach the pages
 * @param localRoots local folders that statements may access; empty for all
 * @param schemes of file systems that statements may access
 * @param flightPort port of Arrow Flight SQL, if there is one
 * @param external how programs read rows by themselves
 * @param trainingQueries number of queries that the server runs by itself after its start
 * @param liveness how its process monitors itself
 * @param compiling how many statements compile at a time
 * @param daemon sizes of the daemon in the server's own process
 * @param remoteDaemons daemons in other processes, which replace it
 * @param registry where other daemons are found, which also replace it
 * @param tez where its application masters run
 * @param login with which it logs in to Hadoop and ZooKeeper, where these have Kerberos
 */
public record ServerConfig(
        int port,
        String bindHost,
        int uiPort,
        List<String> uiHosts,
        List<Path> localRoots,
        List<String> schemes,
        int trainingQueries,
        LivenessConfig liveness,
        ThriftConfig wire,
        HttpConfig http,
        TlsConfig pagesTls,
        Optional<Integer> flightPort,
        ExternalConfig external,
        boolean authorizes,
        AuditConfig audit,
        SessionConfig sessions,
        CompileConfig compiling,
        DiscoveryConfig discovery,
        MetastoreConfig metastore,
        CommitConfig commits,
        CompactionConfig compactions,
        ResultCacheConfig results,
        ScheduleConfig schedules,
        LlapConfig daemon,
        RpcConfig rpc,
        RemoteDaemonsConfig remoteDaemons,
        RegistryConfig registry,
        TezConfig tez,
        Optional<ServicePrincipal> login) {
    private static final int MAX_PORTS = 65535;

    static final Property<Integer> PORT = new Property<>(
            "hive.server2.thrift.port",
            PropertyType.integer(0, MAX_PORTS),
            "10000",
            "Port of HiveServer2's binary protocol; 0 takes any free one.");
    static final Property<String> BIND_HOST = new Property<>(
            "hive.server2.thrift.bind.host",
            PropertyType.text(),
            "127.0.0.1",
            "Name or address to listen on, for clients and for the web pages; 0.0.0.0 for all.");
    static final Property<Boolean> INSECURE_LISTEN = new Property<>(
            "skep.server.insecure-listen",
            PropertyType.flag(),
            "false",
            "Whether the server may listen beyond the loopback although it does not authenticate clients. "
                    + "Everyone who reaches its port has the rights of the server's user.");
    static final Property<Integer> UI_PORT = new Property<>(
            "hive.server2.webui.port",
            PropertyType.integer(0, MAX_PORTS),
            "10002",
            "Port of the web pages; 0 takes any free one.");

    /** The properties of the server as a whole. */
    static final List<Property<?>> PROPERTIES = List.of(
            PORT,
            BIND_HOST,
            INSECURE_LISTEN,
            UI_PORT,
            WebConfig.HOSTS,
            WarmUp.QUERIES,
            LivenessConfig.INTERVAL,
            LivenessConfig.TIMEOUT);

    /** Returns the names under which browsers reach the pages, in addition to those of the machine. */
    List<String> uiNames() {
        return Stream.concat(Stream.of(bindHost), uiHosts.stream()).toList();
    }

    /**
     * @param data the folder of everything without another location
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION with all errors
     */
    public static ServerConfig of(Map<String, String> settings, Path data) {
        SettingsReader reader = new SettingsReader(settings);
        Optional<ServicePrincipal> login = ServiceLogin.of(reader, KerberosConfig.PRINCIPAL, KerberosConfig.KEYTAB);
        ServerConfig config = new ServerConfig(
                reader.read(PORT),
                reader.read(BIND_HOST),
                reader.read(UI_PORT),
                reader.read(WebConfig.HOSTS),
                reader.read(PathConfig.LOCAL_ROOTS),
                reader.read(PathConfig.SCHEMES),
                reader.read(WarmUp.QUERIES),
                LivenessConfig.of(reader),
                ThriftConfig.of(reader),
                HttpConfig.of(reader),
                TlsConfig.ofPages(reader),
                reader.read(FlightConfig.PORT),
                ExternalConfig.of(reader),
                reader.read(SecurityProperties.AUTHORIZATION),
                AuditConfig.ofServer(reader, data),
                SessionConfig.of(reader),
                CompileConfig.of(reader),
                DiscoveryConfig.of(reader, login),
                MetastoreConfig.of(reader, settings, data),
                CommitConfig.of(reader),
                CompactionConfig.of(reader),
                ResultCacheConfig.of(reader),
                ScheduleConfig.of(reader),
                LlapConfig.of(reader, data.resolve("spill")),
                RpcConfig.of(reader),
                RemoteDaemonsConfig.of(reader),
                RegistryConfig.of(reader, login),
                TezConfig.of(reader),
                login);
        if (!reader.read(INSECURE_LISTEN)
                && !config.wire().authentication().users().verifies()
                && !BindHost.isLoopback(config.bindHost())) {
            reader.refuse(
                    BIND_HOST.name(),
                    "is '" + config.bindHost() + "', beyond the loopback: clients are not authenticated, and all of"
                            + " them would have the rights of the server's user; set "
                            + AuthenticationConfig.MODES.name() + ", listen on 127.0.0.1, or set "
                            + INSECURE_LISTEN.name() + "=true to accept that");
        }
        SecuritySettings.refuseUnsupported(settings, reader);
        reader.refuseUnknown(ServerSettings.KNOWN.names());
        reader.finish();
        return config;
    }
}
