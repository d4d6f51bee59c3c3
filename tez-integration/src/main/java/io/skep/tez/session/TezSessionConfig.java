package io.skep.tez.session;

import java.nio.file.Path;
import java.util.Map;
import org.apache.tez.dag.api.TezConfiguration;

/**
 * Settings for running Tez.
 *
 * @param folder where sessions write their files; owned by the runner and emptied when it starts
 * @param parallelTasks tasks that run at once
 * @param sessions maximum number of sessions at once; each runs one query at a time
 * @param overrides Tez's own settings (tez.*), which override those that are set here
 */
public record TezSessionConfig(Path folder, int parallelTasks, int sessions, Map<String, String> overrides) {
    private static final int MIN_COUNTERS = 10_000_000;

    public TezSessionConfig {
        overrides = Map.copyOf(overrides);
        if (parallelTasks < 1 || sessions < 1) {
            throw new IllegalArgumentException(
                    "Tez needs a task and a session at least: " + parallelTasks + ", " + sessions);
        }
    }

    /**
     * Returns the configuration of a session in this process. Its intervals are short, because the process only
     * communicates with itself.
     */
    TezConfiguration configuration(Path sessionFolder) {
        TezConfiguration configuration = new TezConfiguration();
        configuration.set("fs.defaultFS", "file:///");
        configuration.setBoolean(TezConfiguration.TEZ_LOCAL_MODE, true);
        configuration.setBoolean(TezConfiguration.TEZ_LOCAL_MODE_WITHOUT_NETWORK, true);
        configuration.setBoolean(TezConfiguration.TEZ_IGNORE_LIB_URIS, true);
        configuration.set(
                TezConfiguration.TEZ_AM_STAGING_DIR, sessionFolder.toUri().toString());
        configuration.set(TezConfiguration.TEZ_LOCAL_CACHE_ROOT_FOLDER, sessionFolder.toString());
        configuration.setInt("tez.session.am.dag.submit.timeout.secs", -1);
        configuration.setInt("tez.am.client.heartbeat.timeout.secs", -1);
        common(configuration);
        return configuration;
    }

    /** Sets what applies wherever application masters run, and then the overrides of the site. */
    void common(TezConfiguration configuration) {
        configuration.setInt(TezConfiguration.TEZ_AM_TASK_MAX_FAILED_ATTEMPTS, 2);
        // A query whose master has died is retried or fails. Its DAG is not recovered.
        configuration.setBoolean(TezConfiguration.DAG_RECOVERY_ENABLED, false);
        configuration.setBoolean(TezConfiguration.TEZ_AM_HISTORY_LOGGING_ENABLED, false);
        configuration.setInt("tez.dag.status.pollinterval-ms", 5);
        configuration.setBoolean("tez.am.dag.cleanup.on.completion", false);
        overrides.forEach(configuration::set);
        // Tez ends a DAG with more counters than this. Each operator of a plan has up to nine.
        configuration.setInt(
                TezConfiguration.TEZ_COUNTERS_MAX,
                Math.max(MIN_COUNTERS, configuration.getInt(TezConfiguration.TEZ_COUNTERS_MAX, 0)));
    }
}
