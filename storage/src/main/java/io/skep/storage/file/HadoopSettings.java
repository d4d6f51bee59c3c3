package io.skep.storage.file;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Hadoop's configuration of a process. Hadoop keeps one client for a file system, with the settings of whoever asked first, so all
 * parts of a process take theirs from here.
 */
public final class HadoopSettings {
    /** How often a NameNode that does not answer is called again, each time for 20 seconds: a statement must end. */
    private static final int CALLS_WITHOUT_ANSWER = 2;

    private static final String WITHOUT_ANSWER = "ipc.client.connect.max.retries.on.timeouts";

    private HadoopSettings() {}

    /** @param site what core-site.xml, hdfs-site.xml and hive-site.xml say */
    public static Configuration of(Map<String, String> site) {
        Configuration configuration = new Configuration();
        if (isOfHadoop(configuration, WITHOUT_ANSWER)) {
            configuration.setInt(WITHOUT_ANSWER, CALLS_WITHOUT_ANSWER);
        }
        site.forEach(configuration::set);
        return configuration;
    }

    /** Whether nobody but Hadoop's own defaults gives the value. */
    private static boolean isOfHadoop(Configuration configuration, String name) {
        String[] sources = configuration.getPropertySources(name);
        return sources != null && sources.length > 0 && sources[0].equals("core-default.xml");
    }
}
