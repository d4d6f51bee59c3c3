package io.skep.llap.server.yarn;

import io.skep.llap.server.process.DaemonConfig;
import java.time.Duration;
import java.util.Map;

/**
 * How long the master waits for daemons.
 *
 * @param end time for a daemon that was asked to leave; it drains and then releases its resources
 * @param silence time without contact after which a daemon is given up
 */
record DaemonTimeouts(Duration end, Duration silence) {
    /** The time that a daemon needs to close, in addition to draining. */
    private static final Duration CLOSE = Duration.ofSeconds(15);

    static DaemonTimeouts of(Map<String, String> settings) {
        return new DaemonTimeouts(
                DaemonConfig.drainTimeout(settings).plus(CLOSE),
                LlapYarnConfig.of(settings).longestSilence());
    }
}
