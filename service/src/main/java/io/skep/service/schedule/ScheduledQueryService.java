package io.skep.service.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.concurrent.EventCount;
import io.skep.common.error.SkepException;
import io.skep.metastore.schedule.DueQuery;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.service.session.ClientSessions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduled queries that a server runs. One thread takes what is due from the metastore, which gives each execution
 * to one server. Each execution has a thread of its own, within a limit. Another thread reports about running
 * executions, ends those of lost servers, and deletes old records. Fields are guarded by this.
 */
public final class ScheduledQueryService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledQueryService.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(20);

    private final ScheduledQueryStore store;
    private final ClientSessions sessions;
    private final ScheduleConfig config;
    private final String host;

    @GuardedBy("this")
    private final List<Thread> threads = new ArrayList<>();

    @GuardedBy("this")
    private final Map<ScheduledRun, Thread> runs = new LinkedHashMap<>();

    @GuardedBy("this")
    private boolean closing;

    /** What may make a query due, or let one begin. */
    private final EventCount events = new EventCount();

    public ScheduledQueryService(ScheduledQueryStore store, ClientSessions sessions, ScheduleConfig config) {
        this.store = store;
        this.sessions = sessions;
        this.config = config;
        this.host = host();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /** Starts to run scheduled queries. Called once, when the server can run statements. */
    public synchronized void start() {
        if (!config.enabled() || closing) {
            return;
        }
        start("schedule-maintenance", this::maintain);
        if (config.isExecuting()) {
            store.whenChanged(events::advance);
            start("schedule-poller", this::poll);
        }
    }

    @GuardedBy("this")
    private void start(String name, Runnable work) {
        threads.add(Thread.ofPlatform().daemon().name(name).start(work));
    }

    private synchronized boolean mayTake() {
        return !closing && runs.size() < config.executors() && !sessions.isRefusing();
    }

    private void poll() {
        while (true) {
            long seen = events.read();
            attempt("look for scheduled queries that are due", this::takeAll);
            if (!events.await(seen, config.idle())) {
                return;
            }
        }
    }

    private void takeAll() {
        while (mayTake()) {
            Optional<DueQuery> due = store.poll(config.namespace());
            if (due.isEmpty()) {
                return;
            }
            begin(new ScheduledRun(due.get(), store, sessions, host));
        }
    }

    private synchronized void begin(ScheduledRun run) {
        if (closing) {
            run.cancel("the server is stopping");
        }
        Thread thread = Thread.ofVirtual().name("schedule-run").unstarted(() -> {
            try {
                run.run();
            } finally {
                ended(run);
            }
        });
        runs.put(run, thread);
        thread.start();
    }

    private synchronized void ended(ScheduledRun run) {
        runs.remove(run);
        events.advance();
    }

    private synchronized List<ScheduledRun> running() {
        return List.copyOf(runs.keySet());
    }

    private void maintain() {
        long begin = System.nanoTime();
        long nextMaintenance = 0;
        long nextReports = config.reports().toNanos();
        while (true) {
            long now = System.nanoTime() - begin;
            if (nextReports <= now) {
                running().forEach(run -> attempt("report about a scheduled query", run::report));
                nextReports = now + config.reports().toNanos();
            }
            if (nextMaintenance <= now) {
                attempt("end scheduled executions of lost servers", this::endSilent);
                attempt("delete old scheduled executions", this::deleteOld);
                nextMaintenance = now + config.maintenance().toNanos();
            }
            long next = Math.min(nextReports, nextMaintenance);
            if (!sleep(Duration.ofNanos(next - (System.nanoTime() - begin)))) {
                return;
            }
        }
    }

    private void endSilent() {
        int ended = store.endSilent(config.silence());
        if (ended > 0) {
            LOG.warn("{} scheduled executions have timed out", ended);
            events.advance();
        }
    }

    private void deleteOld() {
        if (!config.age().isNegative()) {
            store.deleteOlder(config.age());
        }
    }

    /** Waits, whatever happens meanwhile. Returns false when the service is closed. */
    private boolean sleep(Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        while (System.nanoTime() < end) {
            if (!events.await(events.read(), Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                return false;
            }
        }
        return isOpen();
    }

    private synchronized boolean isOpen() {
        return !closing;
    }

    private void attempt(String what, Runnable work) {
        try {
            work.run();
        } catch (SkepException e) {
            if (isOpen()) {
                LOG.warn("failed to {}, it is tried again: {}", what, e.fullMessage());
            }
        } catch (RuntimeException | Error e) {
            // A thread that ended would run nothing until the server starts again.
            if (isOpen()) {
                LOG.warn("failed to {}, it is tried again", what, e);
            }
        }
    }

    /** Cancels running scheduled queries, which are reported as failed. Waits for them for a bounded time. */
    @Override
    public void close() {
        List<Thread> open;
        synchronized (this) {
            closing = true;
            events.close();
            open = new ArrayList<>(threads);
            open.addAll(runs.values());
        }
        running().forEach(run -> run.cancel("the server is stopping"));
        long end = System.nanoTime() + LONGEST_CLOSE.toNanos();
        try {
            for (Thread thread : open) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
