package io.skep.metastore.service;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.common.log.ProcessLog;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Starts Hive's metastore service in the foreground and prints one line when it serves. Exits when the process gets a
 * signal.
 */
@Command(
        name = "metastore",
        description = "Starts Hive's metastore service in the foreground, on the metastore database of a server. Spark,"
                + " Trino, Flink and Hive see the server's tables through it.",
        footer = "The server and the service need a database for several processes, such as PostgreSQL"
                + " (javax.jdo.option.ConnectionURL in --conf). The embedded database serves one of them at a time.")
public final class MetastoreMain implements Callable<Integer> {
    @Mixin
    HelpOption help = new HelpOption();

    @Mixin
    private MetastoreArguments arguments = new MetastoreArguments();

    public static void main(String[] arguments) {
        ProcessLog.start();
        CommandLine line = new CommandLine(new MetastoreMain()).setCommandName("bin/skep metastore");
        System.exit(CommandRunner.run(line, arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        MetastoreService service = MetastoreService.start(MetastoreServiceConfig.of(arguments));
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "stop"));
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.println("ready: " + service.uri() + " (" + millis + " ms)");
        service.await();
        return 0;
    }
}
