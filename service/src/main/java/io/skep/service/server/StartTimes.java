package io.skep.service.server;

import java.lang.management.ManagementFactory;
import java.util.StringJoiner;

/**
 * The times at which the parts of a server were ready, in milliseconds since its process began. Owned by one thread.
 */
final class StartTimes {
    private final long begun = ManagementFactory.getRuntimeMXBean().getStartTime();
    private final StringJoiner times = new StringJoiner(", ");

    void reached(String part) {
        times.add(part + " " + (System.currentTimeMillis() - begun));
    }

    @Override
    public String toString() {
        return times + " ms after the process began";
    }
}
