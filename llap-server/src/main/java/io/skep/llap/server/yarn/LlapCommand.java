package io.skep.llap.server.yarn;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.llap.client.zookeeper.RegistryConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.security.UserGroupInformation;

/** {@code bin/skep llap start|status|resize|restart|stop}. */
public final class LlapCommand {
    private static final int WAIT_SECONDS = 300;

    /** How long an application takes to stop, in addition to the time of its daemons. */
    private static final Duration MASTER_END = Duration.ofSeconds(60);

    private final Path home;
    private final List<Path> classPath;
    private final String daemonMain;
    private final Map<String, String> environment;
    private final Consumer<String> out;

    /**
     * @param home Skep's own folder
     * @param classPath class path of this process, and of the daemons
     * @param daemonMain class of a daemon's main method
     * @param environment environment of this process
     * @param out receives lines for people
     */
    public LlapCommand(
            Path home, List<Path> classPath, String daemonMain, Map<String, String> environment, Consumer<String> out) {
        this.home = home;
        this.classPath = List.copyOf(classPath);
        this.daemonMain = daemonMain;
        this.environment = Map.copyOf(environment);
        this.out = out;
    }

    /** @throws SkepException when the command fails */
    public void run(String... arguments) {
        if (arguments.length == 0) {
            throw LlapOptions.invalid("a command is missing: start, status, resize, restart or stop");
        }
        List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
        switch (arguments[0]) {
            case "start" -> start(options(rest, "--instances", "--memory", "--cores", "--queue", "--wait"));
            case "status" -> with(options(rest), LlapApplication::status);
            case "resize" -> {
                LlapOptions options = options(rest, "--instances", "--wait");
                int instances = options.instances();
                with(options, one -> one.resize(instances, options.waitSeconds(WAIT_SECONDS)));
            }
            case "restart" -> restart(options(rest, "--rolling", "--memory", "--cores", "--wait"));
            case "stop" -> stop(options(rest));
            default -> throw LlapOptions.invalid("there is no command llap " + arguments[0]);
        }
    }

    private static LlapOptions options(List<String> arguments, String... known) {
        List<String> all = new ArrayList<>(List.of(known));
        boolean rolling = all.remove("--rolling");
        all.addAll(List.of("--name", "--conf"));
        return LlapOptions.parse(arguments, all, rolling ? List.of("--rolling") : List.of());
    }

    private void start(LlapOptions options) {
        int instances = options.instances();
        LlapYarnConfig config = LlapYarnConfig.of(site(options).skep());
        String queue = options.text("--queue").orElse(config.queue());
        DaemonTerms terms = terms(options);
        with(options, one -> one.start(terms, instances, queue, options.waitSeconds(WAIT_SECONDS)));
    }

    private void restart(LlapOptions options) {
        if (!options.has("--rolling")) {
            throw LlapOptions.invalid("restart needs --rolling: daemons are restarted one by one");
        }
        DaemonTerms terms = terms(options);
        with(options, one -> one.restart(terms, options.waitSeconds(WAIT_SECONDS)));
    }

    private void stop(LlapOptions options) {
        Duration longest = DaemonTimeouts.of(site(options).skep()).end().plus(MASTER_END);
        with(options, one -> one.stop(longest));
    }

    private DaemonTerms terms(LlapOptions options) {
        ClusterSettings site = site(options);
        // Without a registry, clients could not find daemons on any free port of any node.
        RegistryConfig.of(new SettingsReader(site.skep())).zooKeeper().requiredFor("LLAP on YARN");
        LlapYarnConfig config = LlapYarnConfig.of(site.skep());
        ContainerMemory memory =
                ContainerMemory.divide(options.memory().orElse(config.container()), config.heap(), config.cache());
        return new DaemonTerms(
                memory,
                options.cores().orElse(config.cores()),
                classPath,
                home,
                site,
                options.text("--name").orElse(config.name()),
                daemonMain,
                user(),
                config.javaHome().orElse(""));
    }

    private void with(LlapOptions options, Consumer<LlapApplication> action) {
        ClusterSettings site = site(options);
        String name =
                options.text("--name").orElse(LlapYarnConfig.of(site.skep()).name());
        try (LlapApplication application = LlapApplication.connect(name, site.configuration(), out)) {
            action.accept(application);
        }
    }

    private ClusterSettings site(LlapOptions options) {
        return ClusterSettings.read(Optional.ofNullable(environment.get("HADOOP_CONF_DIR")), options.text("--conf"));
    }

    private static String user() {
        try {
            return UserGroupInformation.getCurrentUser().getShortUserName();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
