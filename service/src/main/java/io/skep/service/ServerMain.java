package io.skep.service;

import io.skep.common.error.SkepException;
import io.skep.common.log.ProcessLog;
import io.skep.service.server.LivenessWatch;
import io.skep.service.server.ProcessEnd;
import io.skep.service.server.ServerAddress;
import io.skep.service.server.ServerConfig;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Starts a server in the foreground and prints where it listens when it is ready. Exits when the process gets a signal or
 * the server is drained.
 */
public final class ServerMain {
    private ServerMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ProcessLog.start();
        ServerOptions options;
        SkepServer server;
        try {
            options = ServerOptions.parse(arguments);
            server = SkepServer.start(options);
        } catch (SkepException e) {
            System.err.println("skep: " + e.fullMessage());
            System.exit(1);
            return;
        }
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
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.println("ready: " + address.jdbcUrl() + " " + address.uiUrl() + " (" + millis + " ms)");
        Optional<String> logs = Optional.ofNullable(System.getProperty("skep.log.dir"));
        new StartNotice(address.jdbcUrl(), address.uiUrl(), options.data(), logs)
                .lines()
                .forEach(System.out::println);
        watch.start();
        var _ = server.drained().thenRun(stopped::countDown);
        stopped.await();
        // After a signal, this waits for the shutdown that is in progress. After a drain, it starts the shutdown.
        System.exit(0);
    }
}
