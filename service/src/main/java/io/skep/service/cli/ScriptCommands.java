package io.skep.service.cli;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands that {@code bin/skep} runs without this tree: they start no JVM, or one with another class path. It asks
 * the tree for their help, and when it does not understand their arguments.
 */
final class ScriptCommands {
    private ScriptCommands() {}

    abstract static class ScriptCommand implements Callable<Integer> {
        @Mixin
        HelpOption help = new HelpOption();

        @Spec
        @Nullable
        CommandSpec spec;

        /** Reached when the script and this declaration disagree on what is right. */
        @Override
        public Integer call() {
            String name = spec == null ? "this command" : spec.qualifiedName();
            System.err.println(
                    "skep: " + name + " is run by the script bin/skep, which did not understand its arguments");
            return CommandRunner.USAGE;
        }
    }

    @Command(name = "demo", description = "Starts a server, makes sample data, runs reports and TPC-H, prints figures.")
    static final class Demo extends ScriptCommand {
        @Mixin
        DemoArguments arguments = new DemoArguments();
    }

    @Command(name = "beeline", description = "The released Apache Beeline, connected to the running server.")
    static final class Beeline extends ScriptCommand {
        @Option(names = "--data", paramLabel = "DIR", description = "Data folder of the server (data/).")
        Path data = Path.of("data");

        @Option(names = "--url", paramLabel = "URL", description = "Connect to this JDBC URL instead.")
        @Nullable
        String url;

        @Parameters(
                arity = "0..*",
                paramLabel = "OPTION",
                description = "Options of Beeline, such as -e 'SHOW TABLES'.")
        List<String> options = List.of();
    }

    @Command(
            name = "drain",
            description =
                    "Lets the server end after its last session; it accepts no new sessions and leaves ZooKeeper.")
    static final class Drain extends ScriptCommand {
        @Option(names = "--data", paramLabel = "DIR", description = "Data folder of the server (data/).")
        Path data = Path.of("data");

        @Option(names = "--within", paramLabel = "N", description = "End after N seconds even if sessions are open.")
        long within;
    }

    @Command(name = "stop", description = "Stops the server.")
    static final class Stop extends ScriptCommand {
        @Option(names = "--data", paramLabel = "DIR", description = "Data folder of the server (data/).")
        Path data = Path.of("data");
    }

    @Command(name = "package", description = "Makes a versioned tarball of server, clients and configuration in dist/.")
    static final class MakePackage extends ScriptCommand {
        @Option(names = "--as-is", description = "Take what dist/ holds, without a build and without a new SBOM.")
        boolean asIs;

        @Option(names = "--output", paramLabel = "DIR", description = "Folder of the tarball (dist/).")
        Path output = Path.of("dist");
    }
}
