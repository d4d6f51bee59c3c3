package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.YarnCluster;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The state of YARN and of the daemons on it.
 *
 * @param address address of the resource manager
 * @param nodes nodes that run containers
 * @param badNodes nodes that are unhealthy or lost
 * @param refusals why YARN would not accept daemons of the configured size and queue
 * @param name name of the daemons' application
 * @param application its id; empty when it does not run
 * @param wanted number of requested daemons
 * @param ready number of daemons that accept tasks
 * @param failure last failure of a daemon
 */
public record YarnState(
        String address,
        int nodes,
        int badNodes,
        List<SkepException> refusals,
        String name,
        Optional<String> application,
        int wanted,
        int ready,
        Optional<String> failure) {
    public YarnState {
        refusals = List.copyOf(refusals);
    }

    /**
     * Queries YARN, which needs a few calls.
     *
     * @param hadoopFolder folder of Hadoop's site files
     * @param conf folder of the server's site files
     * @return empty when no settings name a resource manager
     * @throws SkepException YARN_ERROR when it does not answer; INVALID_CONFIGURATION
     */
    public static Optional<YarnState> query(Optional<String> hadoopFolder, Optional<String> conf) {
        ClusterSettings site = ClusterSettings.read(hadoopFolder, conf);
        Configuration configuration = site.configuration();
        if (!YarnCluster.isNamed(configuration)) {
            return Optional.empty();
        }
        LlapYarnConfig config = LlapYarnConfig.of(site.skep());
        try (LlapApplication application = LlapApplication.connect(config.name(), configuration, line -> {})) {
            return Optional.of(application.state(config));
        }
    }
}
