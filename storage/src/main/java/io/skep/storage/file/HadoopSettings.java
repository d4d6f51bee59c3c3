package io.skep.storage.file;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Hadoop's configuration of a process. Hadoop keeps one client for a file system, with the settings of whoever asked first, so all
 * parts of a process take theirs from here.
 */
public final class HadoopSettings {
    /**
     * A NameNode whose machine does not answer is called three times for 20 seconds each, Hadoop calls for a quarter of an hour. One
     * that refuses connections or is in safe mode is called again for some seconds; a quick restart is survived so.
     */
    private static final Map<String, String> WAITS = Map.of(
            "ipc.client.connect.max.retries.on.timeouts", "2",
            "dfs.client.retry.policy.enabled", "true",
            "dfs.client.retry.policy.spec", "1000,3");

    private HadoopSettings() {}

    /** @param site what core-site.xml, hdfs-site.xml and hive-site.xml say */
    public static Configuration of(Map<String, String> site) {
        Configuration configuration = new Configuration();
        WAITS.forEach(configuration::set);
        site.forEach(configuration::set);
        return configuration;
    }
}
