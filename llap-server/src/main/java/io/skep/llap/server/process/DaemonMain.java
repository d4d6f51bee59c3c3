package io.skep.llap.server.process;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.common.log.ProcessLog;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Starts a daemon in the foreground. Prints one line when the daemon is ready, and drains and stops it on request. */
@Command(
        name = "bin/skep llap start --standalone",
        description =
                "Starts a daemon in a process of its own, in the foreground. A server uses it if skep.llap.daemons in"
                        + " its settings names it, or the registry that it is in.")
public final class DaemonMain implements Callable<Integer> {
    @Mixin
    HelpOption help = new HelpOption();

    @Mixin
    private DaemonArguments arguments = new DaemonArguments();

    private DaemonMain() {}

    public static void main(String[] arguments) {
        ProcessLog.start();
        int status = CommandRunner.run(new CommandLine(new DaemonMain()), arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        DaemonProcess daemon = DaemonProcess.start(DaemonOptions.of(arguments));
        ShutdownHook end = ShutdownHook.of(daemon);
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.println("ready: llap://" + daemon.endpoint() + " " + daemon.uiUrl() + " (" + millis + " ms)");
        end.await();
        return 0;
    }
}
