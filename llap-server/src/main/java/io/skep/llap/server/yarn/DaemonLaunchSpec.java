package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.yarn.PackageUpload;
import io.skep.llap.client.yarn.PackagedSettings;
import io.skep.llap.server.process.DaemonConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The contents and size of daemons, and the environment of the command itself.
 *
 * @param classPath jars and folders of classes
 * @param home Skep's own folder, with bin/jvm.flags and conf/log4j.properties
 * @param site the settings, also for the daemons
 * @param name name under which they register
 * @param main class of a daemon's main method
 * @param user user whose files they read
 * @param javaHome empty for that of the nodes
 */
record DaemonLaunchSpec(
        ContainerMemory memory,
        int cores,
        List<Path> classPath,
        Path home,
        ClusterSettings site,
        String name,
        String main,
        String user,
        String javaHome) {
    private static final String BIND_HOST = "skep.llap.bind-host";
    private static final String EVERYWHERE = "0.0.0.0";

    DaemonLaunchSpec {
        classPath = List.copyOf(classPath);
        checkSecret(site.skep());
        DaemonConfig.checkPages(site.skep(), site.skep().getOrDefault(BIND_HOST, EVERYWHERE));
    }

    /** Uploads the package to the cluster's file system. */
    DaemonPackage contents(PackageUpload upload) {
        Map<String, String> environment = new HashMap<>(Map.of("HADOOP_USER_NAME", user));
        if (!javaHome.isEmpty()) {
            environment.put("JAVA_HOME", javaHome);
        }
        return new DaemonPackage(upload.send(classPath, conf()), PackagedSettings.jvmFlags(home), main, environment);
    }

    private Map<String, byte[]> conf() {
        Map<String, byte[]> conf = new TreeMap<>();
        // Each of Hadoop's files overrides only Hadoop's defaults of the same part, so all settings are written to all
        // of them.
        for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
            conf.put(file, xml(site.hadoop()));
        }
        Map<String, String> own = PackagedSettings.pack(site.skep(), conf);
        own.put(LlapYarnConfig.HOSTS, "@" + name);
        own.put(LlapYarnConfig.CACHE, Long.toString(memory.cache()));
        own.putIfAbsent(BIND_HOST, EVERYWHERE);
        conf.put("skep-site.xml", xml(own));
        conf.put("log4j.properties", PackagedSettings.bytes(home.resolve("conf/log4j.properties")));
        return conf;
    }

    private static void checkSecret(Map<String, String> settings) {
        String host = settings.getOrDefault(BIND_HOST, EVERYWHERE);
        boolean alone = host.startsWith("127.") || host.equals("localhost");
        if (!alone && settings.getOrDefault(RpcConfig.SECRET_FILE.name(), "").isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "daemons on YARN listen for other machines, so they need a secret, and "
                                    + RpcConfig.SECRET_FILE.name()
                                    + " is not set")
                    .withHint("write a long random text into a file that only you can read, and name it there, for the "
                            + "servers too");
        }
    }

    private static byte[] xml(Map<String, String> settings) {
        return ClusterSettings.xml(settings).getBytes(StandardCharsets.UTF_8);
    }
}
