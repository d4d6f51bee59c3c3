package io.skep.service.wire;

import io.skep.common.config.Property;
import java.time.Duration;
import java.util.Optional;

/** The times within which a client has to send a call and to receive its answer. */
final class CallLimits {
    private final ThriftConfig config;
    private final AnswerAccount answers;

    CallLimits(ThriftConfig config, AnswerAccount answers) {
        this.config = config;
        this.answers = answers;
    }

    /**
     * Returns the time limit that the client has exceeded, if any.
     *
     * @param connected the start of the login
     * @param mayIdle whether the client may stay without a call
     */
    Optional<String> overdue(ClientTransport stream, long connected, boolean mayIdle, long now) {
        ClientTransport.Phase phase = stream.phase();
        long start = phase == ClientTransport.Phase.LOGIN ? connected : stream.since();
        if (stream.phase() != phase) {
            return Optional.empty();
        }
        return switch (phase) {
            case LOGIN -> login(now - start);
            case READING -> passed(ThriftConfig.MESSAGE_TIMEOUT, config.messageTimeout(), now - start);
            case WRITING -> {
                boolean inTheWay =
                        !config.messageTimeout().isZero() && answers.blocksOthers(now, config.messageTimeout());
                yield inTheWay
                        ? Optional.of("others wait for the memory of its answer")
                        : passed(ThriftConfig.MESSAGE_TIMEOUT, config.messageTimeout(), now - start);
            }
            case IDLE ->
                mayIdle ? Optional.empty() : passed(ThriftConfig.IDLE_CONNECTION, config.idleConnection(), now - start);
            case WORKING -> Optional.empty();
        };
    }

    /** Returns the limit of a login that has taken this time, if it is exceeded. */
    Optional<String> login(long nanos) {
        return passed(ThriftConfig.LOGIN_TIMEOUT, config.loginTimeout(), nanos);
    }

    private static Optional<String> passed(Property<Duration> setting, Duration limit, long nanos) {
        return limit.isZero() || nanos < limit.toNanos()
                ? Optional.empty()
                : Optional.of(setting.name() + " has passed");
    }
}
