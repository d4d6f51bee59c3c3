package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.log.ProcessLog;
import io.skep.llap.server.process.DaemonOptions;
import io.skep.llap.server.process.DaemonProcess;
import io.skep.llap.server.process.ShutdownHook;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * A daemon in a container. It runs like any other daemon, and also announces to the application master that it accepts
 * tasks.
 */
public final class ContainerMain {
    private static final String ANNOUNCE = "--announce";

    private ContainerMain() {}

    /** @param arguments the options of a daemon, and {@code --announce} with the application's folder */
    public static void main(String[] arguments) throws InterruptedException {
        ProcessLog.start();
        try {
            List<String> options = new ArrayList<>(List.of(arguments));
            int at = options.indexOf(ANNOUNCE);
            String folder = options.get(at + 1);
            options.subList(at, at + 2).clear();
            DaemonProcess daemon = DaemonProcess.start(DaemonOptions.parse(options.toArray(String[]::new)));
            ShutdownHook end = ShutdownHook.of(daemon);
            DaemonAnnouncement.in(System.getenv(), folder)
                    .ifPresent(master -> master.ready(
                            daemon.endpoint().host(),
                            daemon.endpoint().port(),
                            URI.create(daemon.uiUrl()).getPort()));
            end.await();
        } catch (SkepException e) {
            System.err.println("skep: " + e.fullMessage());
            System.exit(1);
        }
    }
}
