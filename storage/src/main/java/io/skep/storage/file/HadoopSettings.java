package io.skep.storage.file;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Hadoop's configuration of a process. Hadoop keeps one client per file system, with the settings of its first caller.
 * Therefore all parts of a process take their settings from here.
 */
public final class HadoopSettings {
    /** The setting of the seconds before which Hadoop's clients do not log in again by themselves. */
    public static final String MIN_RELOGIN = "hadoop.kerberos.min.seconds.before.relogin";

    /**
     * Timeouts and retries of NameNode calls. A NameNode whose machine does not respond is called three times for 20
     * seconds each. Hadoop's default is a quarter of an hour. A NameNode that refuses connections or is in safe mode is
     * called again for some seconds, which covers a quick restart. One that refuses a ticket is asked again once for
     * each of these calls, not five times. Clients never log in again by themselves: {@link HadoopLogin} does, and
     * keeps a ticket for which there is no new one.
     */
    private static final Map<String, String> WAITS = Map.of(
            "ipc.client.connect.max.retries.on.timeouts",
            "2",
            "ipc.client.connect.max.retries.on.sasl",
            "1",
            MIN_RELOGIN,
            Integer.toString(Integer.MAX_VALUE),
            "dfs.client.retry.policy.enabled",
            "true",
            "dfs.client.retry.policy.spec",
            "1000,3");

    private static final Property<Boolean> SYNCED = new Property<>(
            "skep.commit.hdfs-sync",
            PropertyType.flag(),
            "false",
            "Whether DataNodes force the files of writes to their disks before a write is acknowledged. Without "
                    + "it, a write to HDFS may be lost when all machines with a replica of a block lose power at "
                    + "once.");

    public static final List<Property<?>> PROPERTIES = List.of(SYNCED);

    private HadoopSettings() {}

    /**
     * @param site the settings of core-site.xml, hdfs-site.xml and hive-site.xml
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION
     */
    public static Configuration of(Map<String, String> site) {
        Configuration configuration = new Configuration();
        WAITS.forEach(configuration::set);
        site.forEach(configuration::set);
        SettingsReader own = new SettingsReader(site);
        if (own.read(SYNCED)) {
            configuration.setClass("fs.hdfs.impl", SyncedHdfs.class, FileSystem.class);
        }
        own.finish();
        return configuration;
    }
}
