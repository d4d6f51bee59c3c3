package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.llap.server.process.DaemonConfig;
import io.skep.storage.file.HadoopSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The settings of the site's files. A later file overrides an earlier one.
 *
 * @param hadoop settings of the cluster
 * @param skep settings of Hive and Skep
 */
record ClusterSettings(Map<String, String> hadoop, Map<String, String> skep) {
    private static final List<String> HADOOP = List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml");
    private static final List<String> SKEP = List.of("hive-site.xml", "hiveserver2-site.xml", "skep-site.xml");

    ClusterSettings {
        hadoop = Map.copyOf(hadoop);
        skep = Map.copyOf(skep);
    }

    /**
     * Reads Hadoop's folder of settings, then the given one.
     *
     * @throws SkepException INVALID_CONFIGURATION for a folder that does not exist
     */
    static ClusterSettings read(Optional<String> hadoopFolder, Optional<String> conf) {
        Map<String, String> hadoop = new TreeMap<>();
        Map<String, String> skep = new TreeMap<>();
        for (Optional<String> folder : List.of(hadoopFolder, conf)) {
            folder.ifPresent(path -> {
                if (!Files.isDirectory(Path.of(path))) {
                    throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "there is no folder " + path);
                }
                HADOOP.forEach(name -> hadoop.putAll(settings(Path.of(path, name))));
                SKEP.forEach(name -> skep.putAll(settings(Path.of(path, name))));
            });
        }
        return new ClusterSettings(hadoop, skep);
    }

    private static Map<String, String> settings(Path file) {
        Map<String, String> settings = new TreeMap<>();
        if (Files.exists(file)) {
            Configuration configuration = new Configuration(false);
            configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
            configuration.forEach(entry -> settings.put(entry.getKey(), configuration.get(entry.getKey())));
        }
        return settings;
    }

    /** Returns the settings in the form that Hadoop's clients use. */
    YarnConfiguration configuration() {
        return new YarnConfiguration(HadoopSettings.of(all()));
    }

    /** Returns with which principal daemons and their master log in, where Hadoop has Kerberos. */
    Optional<ServicePrincipal> login() {
        return DaemonConfig.login(all());
    }

    /** Hive's files may name the cluster too. */
    private Map<String, String> all() {
        Map<String, String> all = new TreeMap<>(hadoop);
        all.putAll(skep);
        return all;
    }

    /** Converts settings to the text of a site file. */
    static String xml(Map<String, String> settings) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        new TreeMap<>(settings)
                .forEach((name, value) -> xml.append("  <property><name>")
                        .append(escaped(name))
                        .append("</name><value>")
                        .append(escaped(value))
                        .append("</value></property>\n"));
        return xml.append("</configuration>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
