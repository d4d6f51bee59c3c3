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
 * Asks the server a question every few seconds on one thread and watches from another whether answers come. When
 * neither an answer nor any work of executors for clients' queries was seen for the time-out, the process cannot serve
 * any more and is ended.
 *
 * <p>Time is counted in ticks of the watching thread, each of which takes at least its length: a process that was
 * stopped, or a machine that was asleep, has not been silent meanwhile. A tick in which other processes had the
 * processors counts as a tenth: such a process is slow, and its next start would be too. An error is no answer, unless
 * something outside of the process is the cause, where another start cures nothing, or clients have taken all that
 * there is for them: none of them may stop the server.
 */
public final class LivenessWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LivenessWatch.class);

    private static final Set<StandardErrorCode> REFUSALS =
            EnumSet.of(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, StandardErrorCode.QUEUE_FULL);
    private static final Duration MAX_TICK = Duration.ofSeconds(1);
    private static final int TICKS = 20;

    /** What a silent tick counts. */
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

    /** A question to the server. */
    @FunctionalInterface
    public interface Probe {
        /** Returns when the server has answered. */
        void ask() throws InterruptedException, ExecutionException;

        /** What is asked at the moment, for the log. */
        default String stage() {
            return "a query";
        }
    }

    /**
     * @param progress a figure that changes as long as executors work for queries of clients, and by nothing else
     * @param shortage whether other processes had the processors since it was asked last; asked once a tick, when half
     *     of the time-out has passed
     * @param end ends the process; told why
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

    /** Questions that were answered. */
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
        long seen = sign();
        long silent = 0;
        while (!closed) {
            LockSupport.parkNanos(tickNanos);
            long now = sign();
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

    /** A failure to look is no sign of life. */
    private long sign() {
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
