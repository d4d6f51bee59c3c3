package io.skep.llap.server.process;

import io.skep.common.error.SkepException;
import io.skep.common.log.ProcessLog;
import java.lang.management.ManagementFactory;

/** Starts a daemon in the foreground. Prints one line when the daemon is ready, and drains and stops it on request. */
public final class DaemonMain {
    private DaemonMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ProcessLog.start();
        DaemonProcess daemon;
        try {
            daemon = DaemonProcess.start(DaemonOptions.parse(arguments));
        } catch (SkepException e) {
            System.err.println("skep: " + e.fullMessage());
            System.exit(1);
            return;
        }
        ShutdownHook end = ShutdownHook.of(daemon);
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.println("ready: llap://" + daemon.endpoint() + " " + daemon.uiUrl() + " (" + millis + " ms)");
        end.await();
    }
}
