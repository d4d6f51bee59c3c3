package io.skep.service.server;

import io.skep.authentication.tls.TlsConfig;
import io.skep.common.config.KnownSettings;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.kerberos.ServiceLogin;
import io.skep.engine.function.FunctionPermissions;
import io.skep.llap.client.audit.AuditConfig;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.rpc.RemoteDaemonsConfig;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.zookeeper.RegistryConfig;
import io.skep.llap.client.zookeeper.ZooKeeperConfig;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.process.DaemonConfig;
import io.skep.llap.server.yarn.LlapYarnConfig;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.service.MetastoreServiceConfig;
import io.skep.ql.authorize.AuthorizerPlugin;
import io.skep.ql.commit.CommitConfig;
import io.skep.ql.compaction.CompactionConfig;
import io.skep.ql.create.TransactionalProperties;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.QueryRuns;
import io.skep.ql.path.PathConfig;
import io.skep.ql.query.ListBucketPruning;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.query.ResultCaching;
import io.skep.ql.result.ResultCacheConfig;
import io.skep.ql.schedule.ScheduleSettings;
import io.skep.ql.session.SettingRules;
import io.skep.ql.statistics.GatheredStatistics;
import io.skep.ql.transaction.TransactionSettings;
import io.skep.service.authentication.ClientAuthenticationConfig;
import io.skep.service.direct.SchedulerChoice;
import io.skep.service.discovery.DiscoveryConfig;
import io.skep.service.flight.FlightConfig;
import io.skep.service.http.HttpConfig;
import io.skep.service.schedule.ScheduleConfig;
import io.skep.service.session.QueryTimeout;
import io.skep.service.session.SessionConfig;
import io.skep.service.wire.ThriftConfig;
import io.skep.storage.file.HadoopSettings;
import io.skep.tez.dag.VertexConfig;
import io.skep.tez.session.TezConfig;
import io.skep.tez.wire.ContainerConfig;
import java.util.List;
import java.util.stream.Stream;

/** All settings that a server reads itself, in any of its parts. */
public final class ServerSettings {
    private static final String NO_LIMIT = Long.toString(Long.MAX_VALUE);

    private static final Property<String> SCHEDULER = new Property<>(
            SchedulerChoice.SCHEDULER,
            PropertyType.oneOf("auto", "direct", "tez"),
            "auto",
            "Scheduler of queries: the server itself (direct), Tez, or the one that fits a query's size (auto).");
    private static final Property<Long> MAX_DIRECT_ROWS = new Property<>(
            SchedulerChoice.MAX_DIRECT_ROWS,
            PropertyType.count(0),
            "1000000000",
            "Queries with a larger estimated number of rows to read run through Tez.");
    private static final Property<Long> QUERY_MEMORY = new Property<>(
            "skep.query.max-memory",
            PropertyType.count(1),
            NO_LIMIT,
            "Bytes of memory that a query may reserve in a daemon, within the daemon's limit.");
    private static final Property<Long> OPERATOR_MEMORY = new Property<>(
            "skep.operator.max-memory",
            PropertyType.count(1),
            NO_LIMIT,
            "Bytes of memory that an operator uses before it spills, within its query's limit.");

    private static final Property<Boolean> CACHE = new Property<>(
            "hive.llap.io.enabled",
            PropertyType.flag(),
            "true",
            "Whether a query's files are read through the daemons' cache.");

    /** Settings that are read when a statement runs. */
    static final List<Property<?>> OF_SESSIONS = Stream.of(
                    List.of(
                            SCHEDULER,
                            MAX_DIRECT_ROWS,
                            QueryRuns.MAX_KEPT_RESULT,
                            TezConfig.QUEUE,
                            QUERY_MEMORY,
                            OPERATOR_MEMORY,
                            CACHE,
                            QueryTimeout.PROPERTY,
                            QueryCompiler.RUNTIME_FILTERS,
                            QueryCompiler.PARTITION_PRUNING,
                            QueryCompiler.AGGREGATION_BELOW_JOINS,
                            ListBucketPruning.PRUNING,
                            GatheredStatistics.HISTOGRAMS),
                    ResultCaching.PROPERTIES,
                    TransactionSettings.PROPERTIES,
                    ScheduleSettings.PROPERTIES,
                    TransactionalProperties.PROPERTIES,
                    ContainerConfig.PROPERTIES,
                    VertexConfig.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    /** Settings that are read when the server starts. */
    static final List<Property<?>> OF_THE_START = Stream.of(
                    ServerConfig.PROPERTIES,
                    ServiceLogin.PROPERTIES,
                    ClientAuthenticationConfig.PROPERTIES,
                    AuditConfig.PROPERTIES,
                    ThriftConfig.PROPERTIES,
                    TlsConfig.PROPERTIES,
                    HttpConfig.PROPERTIES,
                    FlightConfig.PROPERTIES,
                    ExternalConfig.PROPERTIES,
                    SessionConfig.PROPERTIES,
                    CompileConfig.PROPERTIES,
                    DiscoveryConfig.PROPERTIES,
                    ZooKeeperConfig.PROPERTIES,
                    LlapConfig.PROPERTIES,
                    DaemonConfig.PROPERTIES,
                    RpcConfig.PROPERTIES,
                    RemoteDaemonsConfig.PROPERTIES,
                    RegistryConfig.PROPERTIES,
                    LlapYarnConfig.PROPERTIES,
                    CommitConfig.PROPERTIES,
                    CompactionConfig.PROPERTIES,
                    ResultCacheConfig.PROPERTIES,
                    ScheduleConfig.PROPERTIES,
                    HadoopSettings.PROPERTIES,
                    PathConfig.PROPERTIES,
                    TezConfig.PROPERTIES,
                    MetastoreConfig.PROPERTIES,
                    MetastoreServiceConfig.PROPERTIES,
                    FunctionPermissions.PROPERTIES,
                    SettingRules.PROPERTIES,
                    AuthorizerPlugin.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    public static final KnownSettings KNOWN = new KnownSettings(OF_THE_START, OF_SESSIONS);

    private ServerSettings() {}
}
