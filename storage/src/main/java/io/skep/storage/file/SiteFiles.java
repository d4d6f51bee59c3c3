package io.skep.storage.file;

import io.skep.common.config.RenamedSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Reads a site's settings from files in Hadoop's XML format. */
public final class SiteFiles {
    /** The files of a server and of the processes that share its settings. Later ones override earlier ones. */
    public static final List<String> OF_SERVERS = List.of(
            "core-site.xml",
            "hdfs-site.xml",
            "yarn-site.xml",
            "tez-site.xml",
            "hive-site.xml",
            "hiveserver2-site.xml",
            "skep-site.xml");

    private SiteFiles() {}

    /**
     * Returns the settings in the files of a folder. Later files override earlier ones. A missing file is ignored.
     * Settings have their present names.
     *
     * @throws SkepException INVALID_CONFIGURATION when the folder does not exist
     */
    public static Map<String, String> read(Path folder, List<String> names) {
        if (!Files.isDirectory(folder)) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "there is no folder " + folder);
        }
        Map<String, String> settings = new HashMap<>();
        for (String name : names) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                Configuration configuration = new Configuration(false);
                configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
                configuration.forEach(entry -> settings.put(entry.getKey(), configuration.get(entry.getKey())));
            }
        }
        return RenamedSettings.withPresentNames(settings);
    }
}
