package io.skep.llap.server.yarn;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.llap.client.zookeeper.RegistryConfig;
import io.skep.llap.server.yarn.LlapOptions.Instances;
import io.skep.llap.server.yarn.LlapOptions.Size;
import io.skep.llap.server.yarn.LlapOptions.Target;
import io.skep.llap.server.yarn.LlapOptions.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bin/skep llap start|status|resize|restart|stop}. */
@Command(
        name = "llap",
        description =
                "Daemons as an application of YARN; with --standalone after the command, a daemon in a process of its"
                        + " own on this machine (start, status, stop).",
        synopsisSubcommandLabel = "COMMAND")
public final class LlapCommand {
    /** How long an application takes to stop, in addition to the time of its daemons. */
    private static final Duration MASTER_END = Duration.ofSeconds(60);

    @Mixin
    HelpOption help = new HelpOption();

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

    /** @throws SkepException when the command fails, or INVALID_CONFIGURATION for wrong usage */
    public void run(String... arguments) {
        CommandRunner.call(new CommandLine(this), arguments);
    }

    @Command(name = "start", description = "Starts daemons, and waits until they are ready.")
    void start(
            @Mixin HelpOption help,
            @Mixin Instances instances,
            @Mixin Size size,
            @Option(names = "--queue", paramLabel = "Q", description = "YARN queue (default).") @Nullable String queue,
            @Mixin Wait wait,
            @Mixin Target target) {
        String used =
                queue != null ? queue : LlapYarnConfig.of(site(target).skep()).queue();
        with(target, size, (one, spec) -> one.start(spec, instances.count, used, wait.seconds));
    }

    @Command(name = "status", description = "Shows the state of the daemons.")
    void status(@Mixin HelpOption help, @Mixin Target target) {
        with(target, LlapApplication::status);
    }

    @Command(name = "resize", description = "Changes the number of daemons.")
    void resize(@Mixin HelpOption help, @Mixin Instances instances, @Mixin Wait wait, @Mixin Target target) {
        with(target, one -> one.resize(instances.count, wait.seconds));
    }

    @Command(name = "restart", description = "Replaces the daemons, with the current package, settings and size.")
    void restart(
            @Mixin HelpOption help,
            @Option(names = "--rolling", required = true, description = "One by one, which is the only way.")
                    boolean rolling,
            @Mixin Size size,
            @Mixin Wait wait,
            @Mixin Target target) {
        with(target, size, (one, spec) -> one.restart(spec, wait.seconds));
    }

    @Command(name = "stop", description = "Stops the daemons.")
    void stop(@Mixin HelpOption help, @Mixin Target target) {
        Duration longest = DaemonTimeouts.of(site(target).skep()).end().plus(MASTER_END);
        with(target, one -> one.stop(longest));
    }

    private DaemonLaunchSpec spec(ClusterSettings site, Target target, Size size) {
        // Without a registry, clients could not find daemons on any free port of any node.
        RegistryConfig.of(new SettingsReader(site.skep()), site.login())
                .zooKeeper()
                .requiredFor("LLAP on YARN");
        LlapYarnConfig config = LlapYarnConfig.of(site.skep());
        ContainerMemory memory =
                ContainerMemory.divide(size.wholeMegabytes().orElse(config.container()), config.heap(), config.cache());
        return new DaemonLaunchSpec(
                memory,
                size.cores().orElse(config.cores()),
                classPath,
                home,
                site,
                target.name.orElse(config.name()),
                daemonMain,
                user(),
                config.javaHome().orElse(""));
    }

    private void with(Target target, Consumer<LlapApplication> action) {
        ClusterSettings site = site(target);
        try (CommandLogin _ = CommandLogin.start(site)) {
            with(site, target, action);
        }
    }

    private void with(Target target, Size size, BiConsumer<LlapApplication, DaemonLaunchSpec> action) {
        ClusterSettings site = site(target);
        try (CommandLogin _ = CommandLogin.start(site)) {
            DaemonLaunchSpec spec = spec(site, target, size);
            with(site, target, one -> action.accept(one, spec));
        }
    }

    private void with(ClusterSettings site, Target target, Consumer<LlapApplication> action) {
        String name = target.name.orElse(LlapYarnConfig.of(site.skep()).name());
        try (LlapApplication application = LlapApplication.connect(name, site.configuration(), out)) {
            action.accept(application);
        }
    }

    private ClusterSettings site(Target target) {
        return ClusterSettings.read(Optional.ofNullable(environment.get("HADOOP_CONF_DIR")), target.conf);
    }

    private static String user() {
        try {
            return UserGroupInformation.getCurrentUser().getShortUserName();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
