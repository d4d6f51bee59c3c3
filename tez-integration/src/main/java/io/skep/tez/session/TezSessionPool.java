package io.skep.tez.session;

import com.google.common.util.concurrent.Uninterruptibles;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tez sessions that are kept warm between queries. A query gets an idle session. When there is none, another session is
 * started, up to a total limit. A waiting query gets the session that is available first, whether released or new. A
 * session that a query has found broken, or that is too old, is not used again. Sessions are started and stopped in
 * threads of their own. All other state is guarded by the pool itself.
 */
public final class TezSessionPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TezSessionPool.class);

    /** The pause after a failed start, for starts that no query waits for. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final TezMasters masters;
    private final SessionPoolConfig config;
    private final Function<TezSession, Instant> replacement;
    private final InstantSource clock;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    @GuardedBy("this")
    private final Deque<Idle> idle = new ArrayDeque<>();

    @GuardedBy("this")
    private final List<Waiting> waiting = new ArrayList<>();

    /** By queue: the number of sessions, used or idle, including those that are starting. */
    @GuardedBy("this")
    private final Map<String, Integer> sessions = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> starting = new HashMap<>();

    /** By queue: the time before which no session is started that no query waits for, because the last start failed. */
    @GuardedBy("this")
    private final Map<String, Long> pauses = new HashMap<>();

    private volatile boolean closed;

    private record Idle(TezSession session, long sinceNanos) {}

    /** @param queues any of them will do */
    private record Waiting(List<String> queues, CompletableFuture<TezSession> session) {}

    public TezSessionPool(TezMasters masters, SessionPoolConfig config) {
        this(masters, config, TezSession::replacement, InstantSource.system());
    }

    /** @param replacement when a session has to be replaced */
    TezSessionPool(
            TezMasters masters,
            SessionPoolConfig config,
            Function<TezSession, Instant> replacement,
            InstantSource clock) {
        this.masters = masters;
        this.config = config;
        this.replacement = replacement;
        this.clock = clock;
    }

    /**
     * Acquires a session for one query, to be returned with {@link #release}. A caller that does not need it any more
     * cancels the future.
     *
     * @param queue of YARN; when empty, any queue in which sessions are kept
     */
    public synchronized CompletableFuture<TezSession> acquire(Optional<String> queue) {
        if (closed) {
            return CompletableFuture.failedFuture(ended());
        }
        List<String> queues = config.queuesFor(queue);
        for (Idle one : idle) {
            if (queues.contains(one.session().queue())) {
                idle.remove(one);
                return CompletableFuture.completedFuture(one.session());
            }
        }
        Waiting request = new Waiting(queues, new CompletableFuture<>());
        waiting.add(request);
        startForWaiting();
        return request.session();
    }

    private static SkepException ended() {
        return new SkepException(StandardErrorCode.TEZ_ERROR, "the Tez sessions are closed");
    }

    /** Starts as many sessions as queries wait, within the limit. */
    @GuardedBy("this")
    private void startForWaiting() {
        waiting.removeIf(request -> request.session().isDone());
        Map<String, Integer> promised = new HashMap<>(starting);
        for (Waiting request : waiting) {
            Optional<String> coming = request.queues().stream()
                    .filter(queue -> promised.getOrDefault(queue, 0) > 0)
                    .findFirst();
            if (coming.isPresent()) {
                promised.merge(coming.get(), -1, Integer::sum);
            } else {
                start(emptiest(request.queues()));
            }
        }
    }

    @GuardedBy("this")
    private String emptiest(List<String> queues) {
        Map<String, Integer> present = sessions;
        return queues.stream()
                .min(Comparator.comparingInt(queue -> present.getOrDefault(queue, 0)))
                .orElseThrow();
    }

    @GuardedBy("this")
    private void start(String queue) {
        if (closed || !hasRoom()) {
            return;
        }
        sessions.merge(queue, 1, Integer::sum);
        starting.merge(queue, 1, Integer::sum);
        run(() -> begin(queue));
    }

    /** Whether another session may be started. An idle session, which no query waits for, is stopped to make room. */
    @GuardedBy("this")
    private boolean hasRoom() {
        int all = sessions.values().stream().mapToInt(Integer::intValue).sum();
        if (all < config.maxSessions()) {
            return true;
        }
        Idle oldest = idle.pollLast();
        if (oldest == null) {
            return false;
        }
        end(oldest.session());
        return true;
    }

    private void begin(String queue) {
        try {
            TezSession session = masters.start(queue, () -> closed);
            synchronized (this) {
                starting.merge(queue, -1, Integer::sum);
                offer(session);
            }
        } catch (RuntimeException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            LOG.warn("No Tez session could be started in queue {}: {}", queue, reason);
            synchronized (this) {
                pauses.put(queue, System.nanoTime() + PAUSE_NANOS);
                starting.merge(queue, -1, Integer::sum);
                sessions.merge(queue, -1, Integer::sum);
                fail(queue, e);
            }
        }
    }

    /**
     * Fails one request for each session that could not be started. The other requests have their own sessions
     * starting.
     */
    @GuardedBy("this")
    private void fail(String queue, RuntimeException failure) {
        for (Waiting request : List.copyOf(waiting)) {
            if (request.queues().contains(queue)) {
                waiting.remove(request);
                if (request.session().completeExceptionally(failure)) {
                    return;
                }
            }
        }
    }

    /** Passes a session to the query that has waited longest, or keeps it. */
    @GuardedBy("this")
    private void offer(TezSession session) {
        if (closed) {
            end(session);
            return;
        }
        for (Waiting request : List.copyOf(waiting)) {
            if (request.queues().contains(session.queue())) {
                waiting.remove(request);
                if (request.session().complete(session)) {
                    return;
                }
            }
        }
        idle.push(new Idle(session, System.nanoTime()));
        // An idle session may block one in another queue.
        startForWaiting();
    }

    /** @param healthy whether it may serve another query */
    public synchronized void release(TezSession session, boolean healthy) {
        if (healthy && !isOutdated(session)) {
            offer(session);
        } else {
            end(session);
            startForWaiting();
        }
    }

    private boolean isOutdated(TezSession session) {
        return !clock.instant().isBefore(replacement.apply(session));
    }

    @GuardedBy("this")
    private void end(TezSession session) {
        sessions.merge(session.queue(), -1, Integer::sum);
        run(() -> {
            try {
                session.close();
            } catch (RuntimeException e) {
                LOG.warn("The Tez session {} could not be ended: {}", session.name(), e.getMessage());
            }
        });
    }

    private void run(Runnable work) {
        Thread thread = Thread.ofVirtual().name("tez-session").unstarted(() -> {
            try {
                work.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** Starts sessions up to the number to keep in each queue. */
    public synchronized void startKept() {
        for (String queue : config.queues()) {
            Long pause = pauses.get(queue);
            if (pause != null && System.nanoTime() - pause < 0) {
                continue;
            }
            for (int i = sessions.getOrDefault(queue, 0);
                    i < config.kept(queue) && count() < config.maxSessions();
                    i++) {
                start(queue);
            }
        }
    }

    /** Removes sessions that have died or are too old, and excess sessions that have been idle for long. */
    public void tidy() {
        int count;
        synchronized (this) {
            count = idle.size();
        }
        for (int i = 0; i < count; i++) {
            Idle one;
            synchronized (this) {
                // Removed from the queue, so that no query uses it meanwhile.
                one = idle.poll();
            }
            if (one == null) {
                return;
            }
            boolean alive = one.session().isAlive();
            if (!alive) {
                LOG.info("The Tez session {} has ended by itself", one.session().name());
            }
            synchronized (this) {
                boolean surplus = sessions.getOrDefault(one.session().queue(), 0)
                                > config.kept(one.session().queue())
                        && System.nanoTime() - one.sinceNanos() > config.idle().toNanos();
                if (!alive || surplus || isOutdated(one.session())) {
                    end(one.session());
                } else {
                    putBack(one);
                }
                startForWaiting();
            }
        }
    }

    @GuardedBy("this")
    private void putBack(Idle one) {
        if (closed
                || waiting.stream()
                        .anyMatch(request ->
                                request.queues().contains(one.session().queue()))) {
            offer(one.session());
        } else {
            idle.addLast(one);
        }
    }

    /** Returns how many sessions exist or are starting. */
    synchronized int count() {
        return sessions.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Stops the sessions that are idle or starting, and waits for them. The other sessions end when their queries
     * release them.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            idle.forEach(one -> end(one.session()));
            idle.clear();
            waiting.forEach(request -> request.session().completeExceptionally(ended()));
            waiting.clear();
        }
        for (Thread thread : List.copyOf(threads)) {
            Uninterruptibles.joinUninterruptibly(thread);
        }
        masters.close();
    }
}
