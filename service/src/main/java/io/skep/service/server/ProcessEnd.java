package io.skep.service.server;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Terminates a process that cannot serve clients, immediately. Its exit releases all resources. */
public final class ProcessEnd {
    /** The exit status of a process that terminated itself because it did not respond. */
    public static final int NOT_ALIVE = 4;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);
    private static final Duration LOG_TIME = Duration.ofSeconds(5);

    private ProcessEnd() {}

    /** Logs all threads, as far as that is possible within seconds, and terminates the process. */
    public static void now(String why) {
        CountDownLatch logged = new CountDownLatch(1);
        try {
            Thread.ofPlatform().name("last-words").daemon().start(() -> {
                LOG.error("The process ends itself: {}\n{}", why, threads());
                logged.countDown();
            });
            boolean inTime = logged.await(LOG_TIME.toMillis(), TimeUnit.MILLISECONDS);
            if (!inTime) {
                System.err.println("skep: the process ends itself: " + why);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(NOT_ALIVE);
        }
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            text.append(thread);
        }
        return text.toString();
    }
}
