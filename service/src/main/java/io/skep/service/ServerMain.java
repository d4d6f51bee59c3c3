package io.skep.service;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.common.log.ProcessLog;
import io.skep.service.server.LivenessWatch;
import io.skep.service.server.ProcessEnd;
import io.skep.service.server.ServerAddress;
import io.skep.service.server.ServerArguments;
import io.skep.service.server.ServerConfig;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Starts a server in the foreground and prints where it listens when it is ready. Exits when the process gets a signal
 * or the server is drained.
 */
@Command(
        name = "server",
        description = "Starts the embedded server in the foreground.",
        footer = {
            "SKEP_LOG_DIR=DIR writes the log to files in DIR (at most 10 of 64 MB)"
                    + " instead of standard error; with --restart DIR is by default the folder log in the data"
                    + " folder.",
            "SKEP_HEAP_DUMP=DIR writes the heap there when memory runs out."
        })
public final class ServerMain implements Callable<Integer> {
    @Mixin
    HelpOption help = new HelpOption();

    @Mixin
    private ServerArguments arguments = new ServerArguments();

    /** Read by {@code bin/skep}, which starts this process. */
    @Option(
            names = "--restart",
            description = "Start it again when it ends by itself; the pause grows from 1 s to 1 min.")
    boolean restart;

    public static void main(String[] arguments) {
        ProcessLog.start();
        // After a signal, this waits for the shutdown that is in progress. After a drain, it starts the shutdown.
        CommandLine line = new CommandLine(new ServerMain()).setCommandName("bin/skep server");
        System.exit(CommandRunner.run(line, arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        ServerOptions options = ServerOptions.of(arguments);
        SkepServer server = SkepServer.start(options);
        ServerAddress address = ServerAddress.of(server);
        address.write(options.data());
        LivenessWatch watch = server.livenessWatch(
                ServerConfig.of(options.site(), options.data()).liveness(), ProcessEnd::now);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            watch.close();
                            ServerAddress.remove(options.data());
                            server.close();
                            stopped.countDown();
                        },
                        "stop"));
        tell(address, options);
        watch.start();
        var _ = server.drained().thenRun(stopped::countDown);
        stopped.await();
        return 0;
    }

    private static void tell(ServerAddress address, ServerOptions options) {
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.println("ready: " + address.jdbcUrl() + " " + address.uiUrl() + " (" + millis + " ms)");
        Optional<String> logs = Optional.ofNullable(System.getProperty("skep.log.dir"));
        new StartNotice(address.jdbcUrl(), address.uiUrl(), options.data(), logs)
                .lines()
                .forEach(System.out::println);
    }
}
