package io.skep.service.server;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the server a probe every few seconds on one thread, and checks on another thread whether answers arrive. When
 * neither an answer nor any work of executors for clients' queries was seen for the timeout, the process cannot serve
 * clients and is terminated.
 *
 * <p>Time is counted in ticks of the watching thread, each of which takes at least its length. Therefore time in which
 * the process was stopped or the machine was asleep does not count as silence. A tick in which other processes used the
 * processors counts as a tenth. Such a process is slow, and would be slow after a restart too. An error does not count
 * as an answer. Two kinds of errors do count as answers. The first has a cause outside of the process, which a restart
 * cannot fix. The second occurs when clients have used up the resources reserved for them. Clients must not be able to
 * stop the server in this way.
 */
public final class LivenessWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LivenessWatch.class);

    private static final Set<StandardErrorCode> REFUSALS =
            EnumSet.of(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, StandardErrorCode.QUEUE_FULL);
    private static final Duration MAX_TICK = Duration.ofSeconds(1);
    private static final int TICKS = 20;

    /** The weight of a silent tick. */
    private static final int SILENCE = 10;

    private static final int SILENCE_IN_SHORTAGE = 1;

    private final LivenessConfig config;
    private final Probe probe;
    private final LongSupplier progress;
    private final BooleanSupplier shortage;
    private final Consumer<String> end;
    private final long tickNanos;
    private final AtomicLong answers = new AtomicLong();
    private final Thread asking =
            Thread.ofPlatform().name("liveness-probe").daemon().unstarted(this::ask);
    private final Thread watching =
            Thread.ofPlatform().name("liveness-watch").daemon().unstarted(this::watch);
    private volatile boolean closed;

    /** A probe of the server. */
    @FunctionalInterface
    public interface Probe {
        /** Returns when the server has answered. */
        void ask() throws InterruptedException, ExecutionException;

        /** Returns the current stage of the probe, for the log. */
        default String stage() {
            return "a query";
        }
    }

    /**
     * @param progress a number that changes while executors work for clients' queries, and only then
     * @param shortage whether other processes used the processors since the last call; called once per tick, after half
     *     of the timeout has passed
     * @param end terminates the process; receives the reason
     */
    public LivenessWatch(
            LivenessConfig config, Probe probe, LongSupplier progress, BooleanSupplier shortage, Consumer<String> end) {
        this.config = config;
        this.probe = probe;
        this.progress = progress;
        this.shortage = shortage;
        this.end = end;
        long tick = config.timeout().toNanos() / TICKS;
        this.tickNanos = Math.max(1, Math.min(tick, MAX_TICK.toNanos()));
    }

    public void start() {
        if (config.isEnabled()) {
            asking.start();
            watching.start();
        }
    }

    /** Returns the number of probes that were answered. */
    public long answers() {
        return answers.get();
    }

    private void ask() {
        while (!closed) {
            try {
                if (isAnswered()) {
                    answers.incrementAndGet();
                }
                Thread.sleep(config.interval());
            } catch (InterruptedException e) {
                return;
            } catch (Error e) {
                LOG.warn("the server could not answer itself: {}", e.toString());
                LockSupport.parkNanos(tickNanos);
            }
        }
    }

    private boolean isAnswered() throws InterruptedException {
        try {
            probe.ask();
            return true;
        } catch (RuntimeException | ExecutionException e) {
            LOG.info("the server answered itself with an error: {}", e.toString());
            return e instanceof SkepException known && isAnswer(known.code());
        }
    }

    private static boolean isAnswer(StandardErrorCode code) {
        return code.kind() == ErrorKind.EXTERNAL || REFUSALS.contains(code);
    }

    private void watch() {
        long limit = SILENCE * (config.timeout().toNanos() / tickNanos);
        long seen = progressMarker();
        long silent = 0;
        while (!closed) {
            LockSupport.parkNanos(tickNanos);
            long now = progressMarker();
            silent = now != seen
                    ? 0
                    : silent + (silent > limit / 2 && shortage.getAsBoolean() ? SILENCE_IN_SHORTAGE : SILENCE);
            seen = now;
            if (silent >= limit && !closed) {
                end.accept("no answer to " + probe.stage() + " and no progress of any query for " + config.timeout());
                return;
            }
        }
    }

    /** A failure to read the progress is not a sign of life. */
    private long progressMarker() {
        try {
            return 31 * answers.get() + progress.getAsLong();
        } catch (RuntimeException | Error e) {
            LOG.debug("progress cannot be seen: {}", e.toString());
            return answers.get();
        }
    }

    @Override
    public void close() {
        closed = true;
        asking.interrupt();
        LockSupport.unpark(watching);
    }
}
