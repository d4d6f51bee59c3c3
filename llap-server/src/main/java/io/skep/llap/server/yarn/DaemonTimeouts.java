package io.skep.llap.server.yarn;

import io.skep.llap.server.process.DaemonConfig;
import java.time.Duration;
import java.util.Map;

/**
 * How long daemons are waited for.
 *
 * @param end of one that was asked to leave: it drains, and then gives back what it has
 * @param silence after which one is given up
 */
record DaemonTimeouts(Duration end, Duration silence) {
    /** A daemon's own time for its end, besides draining. */
    private static final Duration CLOSE = Duration.ofSeconds(15);

    static DaemonTimeouts of(Map<String, String> settings) {
        return new DaemonTimeouts(
                DaemonConfig.drainTimeout(settings).plus(CLOSE),
                LlapYarnConfig.of(settings).longestSilence());
    }
}
