package io.skep.service.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.server.yarn.LlapYarnConfig;
import io.skep.storage.file.HadoopSettings;
import io.skep.tez.dag.TezRunner;
import io.skep.tez.session.TezSessionConfig;
import io.skep.tez.session.YarnMasterConfig;
import io.skep.tez.wire.ContainerConfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** Starts Tez for a server. */
final class ServerTez {
    private static final List<String> LOGIN_SETTINGS = List.of(
            "hadoop.security.authentication",
            "hadoop.security.auth_to_local",
            "hadoop.security.auth_to_local.mechanism",
            HadoopSettings.MIN_RELOGIN);

    private ServerTez() {}

    /** @param live the daemons that run queries */
    static TezRunner start(
            ServerOptions options, ServerConfig config, ServerDaemons daemons, Supplier<List<DaemonConnection>> live) {
        Map<String, String> tez = new HashMap<>();
        if (config.tez().local()) {
            tez.putAll(ofHadoopsLogin(options.site(), config));
        }
        options.site().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("tez."))
                .forEach(entry -> tez.put(entry.getKey(), entry.getValue()));
        int tasks = daemons.parallelTasks();
        TezSessionConfig settings =
                new TezSessionConfig(options.data().resolve("tez"), tasks, Math.max(1, tasks / 2), tez);
        boolean containers = ContainerConfig.inContainers(options.site());
        if (config.tez().local() && containers) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "the site's tasks are to run in containers, but tez.local.mode is true,"
                                    + " with which Tez does not run on YARN")
                    .withHint("set tez.local.mode=false, or hive.execution.mode=llap and hive.llap.execution.mode=all");
        }
        if (ContainerConfig.isUsed(options.site()) && config.login().isPresent()) {
            throw TezRunner.withKerberos();
        }
        if (config.tez().local()) {
            return TezRunner.local(live, settings);
        }
        boolean own = daemons.own().isPresent();
        if (own && !containers) {
            throw unreachable();
        }
        YarnMasterConfig yarn = new YarnMasterConfig(
                options.site(),
                classPath(),
                Path.of(System.getProperty("skep.home", "")),
                LlapYarnConfig.javaHome(options.site()));
        return TezRunner.onYarn(own ? List::of : live, settings, config.tez(), yarn);
    }

    /**
     * Returns the settings of Hadoop's login. A Tez session in this process sets the login of the whole process anew
     * with its own configuration, which without these would end Kerberos. The principal of a resource manager is asked
     * for even where there is none.
     */
    private static Map<String, String> ofHadoopsLogin(Map<String, String> site, ServerConfig config) {
        Map<String, String> settings = new HashMap<>();
        config.login().ifPresent(login -> {
            Configuration hadoop = HadoopSettings.of(site);
            for (String name : LOGIN_SETTINGS) {
                Optional.ofNullable(hadoop.get(name)).ifPresent(value -> settings.put(name, value));
            }
            settings.put("yarn.resourcemanager.principal", login.name());
        });
        return settings;
    }

    private static SkepException unreachable() {
        return new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        "tez.local.mode=false, but the server's daemon is in its own process, where application "
                                + "masters on YARN do not reach it")
                .withHint("start daemons with bin/skep llap start, and name them with "
                        + "hive.llap.daemon.service.hosts; or let tasks run in containers,"
                        + " hive.execution.mode=container");
    }

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }
}
