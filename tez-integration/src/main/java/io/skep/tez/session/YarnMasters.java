package io.skep.tez.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.yarn.LargestContainer;
import io.skep.llap.client.yarn.PackagedSettings;
import io.skep.llap.client.yarn.YarnCluster;
import io.skep.storage.file.HadoopSettings;
import io.skep.tez.plugin.DaemonPlugins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.runtime.library.api.TezRuntimeConfiguration;
import org.jspecify.annotations.Nullable;

/** Application masters in containers of YARN, each as an application. Guarded by itself where noted. */
public final class YarnMasters implements TezMasters {
    private static final String QUEUE_HINT = "choose one with tez.queue.name or hive.server2.tez.default.queues";

    private final TezSessionConfig settings;
    private final YarnMasterConfig config;
    private final Duration silence;
    private final Configuration cluster;
    private final YarnCluster yarn;

    /** Uploaded with the first start. */
    @GuardedBy("this")
    private @Nullable MasterPackage sent;

    /**
     * @param silence how long a call to a master waits for its answer
     * @throws SkepException INVALID_CONFIGURATION when no YARN is configured
     */
    public YarnMasters(TezSessionConfig settings, YarnMasterConfig config, Duration silence) {
        this.settings = settings;
        this.config = config;
        this.silence = silence;
        this.cluster = cluster(config.site());
        this.yarn = connect(cluster);
    }

    /**
     * Returns the settings of the site's cluster.
     *
     * @throws SkepException INVALID_CONFIGURATION when its nodes do not share a file system
     */
    static Configuration cluster(Map<String, String> site) {
        Configuration cluster = HadoopSettings.of(site);
        if (cluster.get("fs.defaultFS", "file:///").startsWith("file:")) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "Tez on YARN needs a file system that all nodes see, and fs.defaultFS is not set to one")
                    .withHint("point --conf at a folder with the cluster's core-site.xml");
        }
        return cluster;
    }

    /** @throws SkepException INVALID_CONFIGURATION when no YARN is configured */
    static YarnCluster connect(Configuration cluster) {
        return YarnCluster.connect(cluster, "tez.local.mode=false");
    }

    /** @throws SkepException INVALID_CONFIGURATION when no master can be started there */
    static void checkQueue(YarnCluster yarn, String queue) {
        yarn.checkQueue(queue, QUEUE_HINT);
    }

    /** Returns the memory of a master's container. */
    static int megabytes(Configuration cluster) {
        return cluster.getInt(
                TezConfiguration.TEZ_AM_RESOURCE_MEMORY_MB, TezConfiguration.TEZ_AM_RESOURCE_MEMORY_MB_DEFAULT);
    }

    /** @throws SkepException INVALID_CONFIGURATION when YARN does not allocate such a container for a master */
    static void checkSize(LargestContainer largest, Configuration cluster) {
        largest.check(
                "a Tez application master",
                megabytes(cluster),
                cluster.getInt(
                        TezConfiguration.TEZ_AM_RESOURCE_CPU_VCORES,
                        TezConfiguration.TEZ_AM_RESOURCE_CPU_VCORES_DEFAULT),
                TezConfiguration.TEZ_AM_RESOURCE_MEMORY_MB,
                TezConfiguration.TEZ_AM_RESOURCE_CPU_VCORES);
    }

    /**
     * Returns the node service through which rows of containers pass: the one that every Hadoop has, unless the site
     * names another.
     */
    static String shuffleService(Configuration cluster) {
        return cluster.get(TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID, "mapreduce_shuffle");
    }

    /** Returns the cluster for tasks in containers. It is valid while this object is open. */
    public ContainerSite containers() {
        return new ContainerSite(config, cluster, yarn);
    }

    @Override
    public TezSession start(String queue, BooleanSupplier unwanted) {
        checkQueue(yarn, queue);
        checkSize(yarn.largest(), cluster);
        MasterPackage contents = contents();
        String name = "skep-" + UUID.randomUUID();
        SessionClient client = SessionClient.onYarn(
                name,
                configuration(contents, queue),
                contents.resources(),
                new DaemonPlugins(settings.parallelTasks(), false, contents.rpc()),
                yarn);
        return TezSession.start(client, queue, silence, unwanted, () -> {});
    }

    private synchronized MasterPackage contents() {
        MasterPackage known = sent;
        if (known == null) {
            known = MasterPackage.send(config, cluster, MasterPackage.LEFT_OUT, MasterPackage.RPC);
            sent = known;
        }
        return known;
    }

    private TezConfiguration configuration(MasterPackage contents, String queue) {
        TezConfiguration configuration = new TezConfiguration(cluster);
        configuration.setBoolean(TezConfiguration.TEZ_IGNORE_LIB_URIS, true);
        configuration.set(TezConfiguration.TEZ_CLUSTER_ADDITIONAL_CLASSPATH_PREFIX, contents.classPath());
        configuration.set(
                TezConfiguration.TEZ_AM_STAGING_DIR, contents.staging().toString());
        configuration.set(TezConfiguration.TEZ_AM_LAUNCH_CLUSTER_DEFAULT_CMD_OPTS, String.join(" ", jvmFlags()));
        configuration.set(TezConfiguration.TEZ_AM_LAUNCH_CMD_OPTS, "-XX:+UseSerialGC");
        configuration.set(TezConfiguration.TEZ_AM_LAUNCH_CLUSTER_DEFAULT_ENV, environment());
        configuration.set(TezConfiguration.TEZ_TASK_LAUNCH_CLUSTER_DEFAULT_ENV, environment());
        configuration.set(TezConfiguration.TEZ_TASK_LAUNCH_CLUSTER_DEFAULT_CMD_OPTS, String.join(" ", jvmFlags()));
        // Tez's own service would do as well: neither reads the content that it serves.
        configuration.set(TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID, shuffleService(cluster));
        // A node that refuses connections is considered dead, and the rows that it held are produced again.
        configuration.setInt(TezRuntimeConfiguration.TEZ_RUNTIME_SHUFFLE_CONNECT_TIMEOUT, 10_000);
        // Tez's own pages need a Jetty that Skep does not have. Its check of flags does not know current flags.
        configuration.setBoolean(TezConfiguration.TEZ_AM_WEBSERVICE_ENABLE, false);
        configuration.setBoolean(TezConfiguration.TEZ_CLIENT_JAVA_OPTS_CHECKER_ENABLED, false);
        configuration.setBoolean("yarn.timeline-service.enabled", false);
        configuration.setBoolean(TezConfiguration.TEZ_CLIENT_ASYNCHRONOUS_STOP, false);
        configuration.setInt(TezConfiguration.TEZ_AM_SLEEP_TIME_BEFORE_EXIT_MILLIS, 0);
        // A master that does not answer is dead. YARN reports that soon.
        configuration.setInt("ipc.client.connect.max.retries", 2);
        configuration.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, (int) silence.toMillis());
        configuration.setInt(TezConfiguration.TEZ_AM_CLIENT_HEARTBEAT_TIMEOUT_SECS, 60);
        settings.common(configuration);
        // Set regardless of the site's settings: the pool ends sessions itself, and a restarted master would know no
        // DAG.
        configuration.setInt("tez.session.am.dag.submit.timeout.secs", -1);
        configuration.setInt(TezConfiguration.TEZ_AM_MAX_APP_ATTEMPTS, 1);
        configuration.setBoolean(TezConfiguration.TEZ_LOCAL_MODE, false);
        configuration.set(TezConfiguration.TEZ_QUEUE_NAME, queue);
        return configuration;
    }

    private List<String> jvmFlags() {
        List<String> flags = new ArrayList<>(PackagedSettings.jvmFlags(config.home()));
        flags.addAll(List.of("-Djava.net.preferIPv4Stack=true", "-XX:CompressedClassSpaceSize=64m"));
        return flags;
    }

    private String environment() {
        List<String> all = new ArrayList<>(List.of("HADOOP_USER_NAME=" + user(), "MALLOC_ARENA_MAX=4"));
        config.javaHome().ifPresent(home -> all.add("JAVA_HOME=" + home));
        return String.join(",", all);
    }

    private static String user() {
        try {
            return UserGroupInformation.getCurrentUser().getShortUserName();
        } catch (IOException e) {
            throw TezSession.failure("the user of this process is not known", e);
        }
    }

    @Override
    public void close() {
        yarn.close();
    }
}
