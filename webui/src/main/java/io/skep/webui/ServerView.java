package io.skep.webui;

import java.util.List;
import java.util.Optional;

/** The data that a server's pages display. Every call returns the current state. Thread-safe. */
public interface ServerView {
    Overview overview();

    List<SessionView> sessions();

    /** Returns the running queries, then the last ones that ended, the newest first. */
    List<QueryView> queries();

    Optional<QueryDetail> query(String id);

    /** Returns metrics of memory, cache and executors. */
    List<FigureView> figures();

    List<SettingView> settings();

    /** General information about the server. */
    record Overview(
            String version, String jdbcUrl, long pid, String java, int cores, long startedMillis, long uptimeMillis) {}

    /** An open session. Times are milliseconds since the epoch. */
    record SessionView(
            String id,
            String user,
            String address,
            String database,
            long openedMillis,
            long lastUsedMillis,
            int operations) {}

    /**
     * A query.
     *
     * @param scheduler direct or tez; empty when no task ran
     * @param startedMillis since the epoch
     * @param rows read or written so far; -1 when the query has none
     */
    record QueryView(
            String id,
            String user,
            String text,
            String state,
            String scheduler,
            long startedMillis,
            long durationMillis,
            long rows,
            String error) {}

    /** A query with its plan, the time of each phase and its statistics. */
    record QueryDetail(
            QueryView query,
            String plan,
            List<FigureView> timings,
            List<FigureView> figures,
            List<FragmentView> fragments) {
        public QueryDetail {
            timings = List.copyOf(timings);
            figures = List.copyOf(figures);
            fragments = List.copyOf(fragments);
        }
    }

    /** The tasks of one fragment of a query's plan. */
    record FragmentView(int fragment, int tasks, int running, int finished, int failed, long outputRows) {}

    /** A number with its unit. */
    record FigureView(String group, String name, long value, Unit unit) {}

    /** The unit of a metric. */
    enum Unit {
        COUNT,
        BYTES,
        MICROSECONDS
    }

    /** The effective value of a setting, and its source. */
    record SettingView(String name, String value, String source) {}
}
