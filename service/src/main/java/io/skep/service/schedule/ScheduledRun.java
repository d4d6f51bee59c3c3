package io.skep.service.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.schedule.DueQuery;
import io.skep.metastore.schedule.ExecutionReport;
import io.skep.metastore.schedule.ExecutionReport.Progress;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.metastore.schedule.ScheduledQueryStore.Answer;
import io.skep.service.authentication.Transport;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Operation;
import io.skep.service.session.SessionClient;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a scheduled query, on one thread, in a session of its owner. Rows of a query are computed and not
 * kept. Another thread reports about it, and cancels it when the metastore says that the execution has timed out:
 * another server may run the next one by then.
 */
final class ScheduledRun implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledRun.class);
    private static final Duration FOREVER = Duration.ofDays(365);
    private static final int PAGE_ROWS = 1000;

    private final DueQuery due;
    private final ScheduledQueryStore store;
    private final ClientSessions sessions;
    private final String host;

    /** Orders the reports. It is apart, so that a cancellation does not wait for the metastore. */
    private final Object reporting = new Object();

    @GuardedBy("reporting")
    private boolean ended;

    /** The host and the id of the query, as Hive stores it. */
    @GuardedBy("this")
    private String query;

    @GuardedBy("this")
    private @Nullable String cancelled;

    @GuardedBy("this")
    private @Nullable ClientSession session;

    /** @param host the name of this server's machine */
    ScheduledRun(DueQuery due, ScheduledQueryStore store, ClientSessions sessions, String host) {
        this.due = due;
        this.store = store;
        this.sessions = sessions;
        this.host = host;
        this.query = host + "/";
    }

    @Override
    public void run() {
        LOG.info("scheduled query {} begins as execution {}", due.name(), due.execution());
        Optional<String> error;
        try {
            report();
            execute();
            error = Optional.empty();
        } catch (SkepException e) {
            error = Optional.of(e.fullMessage());
        } catch (RuntimeException | Error e) {
            LOG.warn("execution {} of scheduled query {} failed", due.execution(), due.name(), e);
            error = Optional.of(String.valueOf(e));
        }
        end(error);
    }

    private void execute() {
        // A session has the settings of the server alone, and the database default.
        ClientSession opened = sessions.open(
                new SessionClient(
                        due.user(),
                        due.user(),
                        InetAddress.getLoopbackAddress().getHostAddress(),
                        Transport.SCHEDULE,
                        false),
                Map.of());
        try {
            enter(opened);
            Operation operation = opened.execute(due.statement(), true);
            begun(operation);
            operation.await(FOREVER);
            if (operation.schema().isPresent()) {
                while (operation.fetch(PAGE_ROWS).hasMore()) {
                    checkCancelled();
                }
            }
            operation.failure().ifPresent(failure -> {
                throw failure;
            });
        } finally {
            leave();
            sessions.close(opened.id());
        }
    }

    private synchronized void enter(ClientSession opened) {
        checkCancelled();
        session = opened;
    }

    private synchronized void leave() {
        session = null;
    }

    private void begun(Operation operation) {
        synchronized (this) {
            query = host + "/" + operation.queryId().value();
            if (cancelled != null) {
                operation.cancel(cancelled);
            }
        }
        report();
    }

    private synchronized void checkCancelled() {
        if (cancelled != null) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, cancelled);
        }
    }

    /** Cancels the statement, unless it commits. */
    void cancel(String why) {
        ClientSession running;
        synchronized (this) {
            cancelled = cancelled == null ? why : cancelled;
            running = session;
        }
        if (running != null) {
            sessions.cancelAll(running.id(), why);
        }
    }

    /**
     * Reports that the execution goes on, unless it has ended.
     *
     * @throws SkepException METASTORE_ERROR
     */
    void report() {
        Answer answer;
        synchronized (reporting) {
            if (ended) {
                return;
            }
            answer = store.report(new ExecutionReport(due.execution(), Progress.RUNNING, query(), Optional.empty()));
        }
        if (answer == Answer.HAS_ENDED) {
            cancel("the execution has timed out, since its server sent no report in time");
        }
    }

    private synchronized String query() {
        return query;
    }

    private void end(Optional<String> error) {
        Progress how = error.isEmpty() ? Progress.FINISHED : Progress.FAILED;
        try {
            Answer answer;
            synchronized (reporting) {
                ended = true;
                answer = store.report(new ExecutionReport(due.execution(), how, query(), error));
            }
            LOG.info(
                    "scheduled query {} has {} as execution {}{}{}",
                    due.name(),
                    how,
                    due.execution(),
                    error.map(reason -> ": " + reason).orElse(""),
                    answer == Answer.RECORDED ? "" : "; the metastore does not record it: " + answer);
        } catch (SkepException e) {
            LOG.warn(
                    "that execution {} of scheduled query {} has {} could not be reported, it will time out: {}",
                    due.execution(),
                    due.name(),
                    how,
                    e.fullMessage());
        }
    }
}
