package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.schedule.DueQuery;
import io.skep.metastore.schedule.ExecutionReport;
import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.metastore.schedule.ScheduledQueryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.jdo.JDOHelper;
import javax.jdo.JDOObjectNotFoundException;
import javax.jdo.Query;
import org.apache.hadoop.hive.metastore.ObjectStore;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.AlreadyExistsException;
import org.apache.hadoop.hive.metastore.api.InvalidInputException;
import org.apache.hadoop.hive.metastore.api.InvalidOperationException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.QueryState;
import org.apache.hadoop.hive.metastore.api.ScheduledQueryKey;
import org.apache.hadoop.hive.metastore.api.ScheduledQueryMaintenanceRequest;
import org.apache.hadoop.hive.metastore.api.ScheduledQueryMaintenanceRequestType;
import org.apache.hadoop.hive.metastore.api.ScheduledQueryPollRequest;
import org.apache.hadoop.hive.metastore.api.ScheduledQueryPollResponse;
import org.apache.hadoop.hive.metastore.api.ScheduledQueryProgressInfo;
import org.apache.hadoop.hive.metastore.model.MScheduledQuery;
import org.jspecify.annotations.NullUnmarked;

/**
 * Reads and writes the tables SCHEDULED_QUERIES and SCHEDULED_EXECUTIONS by Hive's library. The library's poll locks
 * the rows that it finds due, so two servers on PostgreSQL never take the same execution. Derby has one server.
 */
@NullUnmarked
final class HiveScheduledQueries implements ScheduledQueryStore {
    private static final long MILLIS = 1000;

    private final StorePool stores;

    /** Held by the calls of a server on Derby, whose locks make concurrent calls wait for each other in a circle. */
    private final Optional<ReentrantLock> turn;

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    HiveScheduledQueries(StorePool stores) {
        this.stores = stores;
        this.turn =
                LibrarySettings.isDerby(stores.configuration()) ? Optional.of(new ReentrantLock()) : Optional.empty();
    }

    private <T> T write(String what, StorePool.Work<T> work) {
        return inTurn(() -> stores.write(what, work));
    }

    /** Calls the library, which has a transaction of its own. */
    private <T> T call(String what, StorePool.Work<T> work) {
        return inTurn(() -> stores.call(what, work));
    }

    private <T> T inTurn(Supplier<T> work) {
        turn.ifPresent(ReentrantLock::lock);
        try {
            return work.get();
        } finally {
            turn.ifPresent(ReentrantLock::unlock);
        }
    }

    @Override
    public Optional<ScheduledQuery> find(String namespace, String name) {
        return write("read scheduled query " + name, store -> find(store, namespace, name));
    }

    private static Optional<ScheduledQuery> find(RawStore store, String namespace, String name) {
        return ((ObjectStore) store)
                .getMScheduledQuery(new ScheduledQueryKey(name, namespace))
                .map(query -> new ScheduledQuery(
                        namespace, name, isEnabled(query), query.getSchedule(), query.getUser(), query.getQuery()));
    }

    /** The library has no method for this but one that fails for a query that is never due again. */
    private static boolean isEnabled(MScheduledQuery query) {
        Query<MScheduledQuery> state =
                JDOHelper.getPersistenceManager(query).newQuery(MScheduledQuery.class, "this == wanted");
        try {
            state.declareParameters("org.apache.hadoop.hive.metastore.model.MScheduledQuery wanted");
            state.setResult("enabled");
            state.setUnique(true);
            return (Boolean) state.execute(query);
        } finally {
            state.closeAll();
        }
    }

    @Override
    public void create(ScheduledQuery query) {
        write("create scheduled query " + query.name(), store -> {
            maintain(store, ScheduledQueryMaintenanceRequestType.CREATE, toHive(query));
            refuseAfter2038(store, query);
            return true;
        });
        listeners.forEach(Runnable::run);
    }

    @Override
    public void alter(String namespace, String name, UnaryOperator<ScheduledQuery> change) {
        write("alter scheduled query " + name, store -> {
            ScheduledQuery changed = change.apply(require(store, namespace, name));
            maintain(store, ScheduledQueryMaintenanceRequestType.ALTER, toHive(changed));
            refuseAfter2038(store, changed);
            return true;
        });
        listeners.forEach(Runnable::run);
    }

    @Override
    public void execute(String namespace, String name) {
        write("execute scheduled query " + name, store -> {
            var query = toHive(require(store, namespace, name));
            query.setNextExecution((int) (System.currentTimeMillis() / MILLIS));
            maintain(store, ScheduledQueryMaintenanceRequestType.ALTER, query);
            return true;
        });
        listeners.forEach(Runnable::run);
    }

    @Override
    public void drop(String namespace, String name) {
        write("drop scheduled query " + name, store -> {
            maintain(store, ScheduledQueryMaintenanceRequestType.DROP, toHive(require(store, namespace, name)));
            return true;
        });
    }

    private static ScheduledQuery require(RawStore store, String namespace, String name) {
        return find(store, namespace, name).orElseThrow(() -> notFound(namespace, name));
    }

    private static SkepException notFound(String namespace, String name) {
        return new SkepException(
                StandardErrorCode.SCHEDULED_QUERY_NOT_FOUND,
                "There is no scheduled query for: " + name + "@" + namespace);
    }

    private static org.apache.hadoop.hive.metastore.api.ScheduledQuery toHive(ScheduledQuery query) {
        var hive = new org.apache.hadoop.hive.metastore.api.ScheduledQuery();
        hive.setScheduleKey(new ScheduledQueryKey(query.name(), query.namespace()));
        hive.setEnabled(query.enabled());
        hive.setSchedule(query.schedule());
        hive.setUser(query.user());
        hive.setQuery(query.statement());
        return hive;
    }

    private static void maintain(
            RawStore store,
            ScheduledQueryMaintenanceRequestType type,
            org.apache.hadoop.hive.metastore.api.ScheduledQuery query)
            throws Exception {
        ScheduledQueryMaintenanceRequest request = new ScheduledQueryMaintenanceRequest();
        request.setType(type);
        request.setScheduledQuery(query);
        ScheduledQueryKey key = query.getScheduleKey();
        try {
            store.scheduledQueryMaintenance(request);
        } catch (AlreadyExistsException e) {
            throw new SkepException(StandardErrorCode.SCHEDULED_QUERY_EXISTS, e.getMessage(), e);
        } catch (NoSuchObjectException e) {
            throw notFound(key.getClusterNamespace(), key.getScheduleName());
        } catch (InvalidInputException e) {
            throw invalid(e.getMessage())
                    .withHint("a schedule is a Quartz expression, such as '0 30 4 * * ? *' for 4:30 of each day:"
                            + " seconds, minutes, hours, day of the month, month, day of the week, year");
        }
    }

    /** Hive finds it when the statement runs. */
    private static SkepException invalid(String message) {
        return new SkepException(StandardErrorCode.INVALID_ARGUMENT, message)
                .as(StandardErrorCode.SCHEDULED_QUERY_EXISTS.client());
    }

    /** The library has no room for later times, and takes them for times in the past, which are always due. */
    private static void refuseAfter2038(RawStore store, ScheduledQuery query) {
        Integer next = ((ObjectStore) store)
                .getMScheduledQuery(new ScheduledQueryKey(query.name(), query.namespace()))
                .orElseThrow()
                .getNextExecution();
        if (next != null && next < 0) {
            throw invalid("the schedule '" + query.schedule() + "' is due after January 2038, which the metastore"
                    + " cannot store");
        }
    }

    @Override
    public void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public Optional<DueQuery> poll(String namespace) {
        ScheduledQueryPollResponse due = call("look for a scheduled query that is due", store -> {
            ScheduledQueryPollRequest request = new ScheduledQueryPollRequest();
            request.setClusterNamespace(namespace);
            return store.scheduledQueryPoll(request);
        });
        if (!due.isSetExecutionId()) {
            return Optional.empty();
        }
        String name = due.getScheduleKey().getScheduleName();
        return Optional.of(new DueQuery(due.getExecutionId(), name, due.getUser(), withoutName(due.getQuery(), name)));
    }

    /** The library begins the text with a comment, which a name could end before its time. */
    private static String withoutName(String text, String name) {
        String comment = "/* schedule: " + name + " */";
        return text.startsWith(comment) ? text.substring(comment.length()) : text;
    }

    @Override
    public Answer report(ExecutionReport report) {
        ScheduledQueryProgressInfo info = new ScheduledQueryProgressInfo();
        info.setScheduledExecutionId(report.execution());
        info.setState(
                switch (report.progress()) {
                    case RUNNING -> QueryState.EXECUTING;
                    case FINISHED -> QueryState.FINISHED;
                    case FAILED -> QueryState.FAILED;
                });
        info.setExecutorQueryId(report.query());
        report.error().ifPresent(info::setErrorMessage);
        return call("report on scheduled execution " + report.execution(), store -> {
            try {
                store.scheduledQueryProgress(info);
                return Answer.RECORDED;
            } catch (JDOObjectNotFoundException e) {
                return Answer.UNKNOWN;
            } catch (InvalidOperationException e) {
                return Answer.HAS_ENDED;
            }
        });
    }

    @Override
    public int endSilent(Duration silence) {
        return call(
                "end scheduled executions of lost servers",
                store -> store.markScheduledExecutionsTimedOut(Math.toIntExact(silence.toSeconds())));
    }

    @Override
    public int deleteOlder(Duration age) {
        return call(
                "delete old scheduled executions",
                store -> store.deleteScheduledExecutions(Math.toIntExact(age.toSeconds())));
    }
}
