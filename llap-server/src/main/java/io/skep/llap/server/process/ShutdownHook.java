package io.skep.llap.server.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a process that runs a daemon. A signal may ask the process to stop, or a client may ask the daemon over RPC.
 * The daemon then drains, and the process ends with it. A daemon that does not stop in time is terminated. A daemon in
 * which no query can make progress terminates itself, so that another can replace it.
 */
public final class ShutdownHook {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);

    /** In addition to the time for draining. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(25);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LOOKS_BEFORE_END = 60;
    private static final int CUT_OFF = 70;
    private static final int EXHAUSTED = 71;

    private final CountDownLatch stopped = new CountDownLatch(1);

    private ShutdownHook() {}

    /** Installs the hook. Must be called once per process. */
    public static ShutdownHook of(DaemonProcess daemon) {
        ShutdownHook end = new ShutdownHook();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            haltAfter(daemon.drainTimeout().plus(LONGEST_CLOSE));
                            daemon.drain();
                            daemon.close();
                            end.stopped.countDown();
                        },
                        "stop"));
        Thread.ofPlatform().daemon().name("exhaustion-watch").start(() -> watch(daemon));
        var _ = daemon.askedToLeave()
                .thenRunAsync(
                        () -> System.exit(0),
                        exit -> Thread.ofPlatform().daemon().name("leave").start(exit));
        return end;
    }

    private static void haltAfter(Duration time) {
        Thread.ofPlatform().daemon().name("cut-off").start(() -> {
            if (slept(time)) {
                LOG.error("The daemon has not ended within {} s: the process is cut off", time.toSeconds());
                Runtime.getRuntime().halt(CUT_OFF);
            }
        });
    }

    private static void watch(DaemonProcess daemon) {
        int looks = 0;
        while (slept(LOOK)) {
            looks = daemon.exhausted() ? looks + 1 : 0;
            if (looks == LOOKS_BEFORE_END) {
                LOG.error("All executors have been in functions that do not return for {} s: the process ends", looks);
                Runtime.getRuntime().halt(EXHAUSTED);
            }
        }
    }

    /** Sleeps. Returns false when the thread is interrupted first. */
    private static boolean slept(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Waits until the daemon has stopped. */
    public void await() throws InterruptedException {
        stopped.await();
    }
}
