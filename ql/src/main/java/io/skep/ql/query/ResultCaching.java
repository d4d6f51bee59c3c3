package io.skep.ql.query;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.metastore.Table;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.result.ResultKey;
import io.skep.ql.result.ResultRequest;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.storage.serde.SerdeColumns;
import java.util.List;
import java.util.Optional;

/** Decides which queries may get their rows from the cache of results, and may leave their rows there. */
public final class ResultCaching {
    private static final Property<Boolean> ENABLED = new Property<>(
            "hive.query.results.cache.enabled",
            PropertyType.flag(),
            "true",
            "Whether a query gets the rows of the same query over the same files, if a server still has them.");
    private static final Property<Boolean> MAY_WAIT = new Property<>(
            "hive.query.results.cache.wait.for.pending.results",
            PropertyType.flag(),
            "true",
            "Whether a query waits for the rows of the same query over the same files, if that is running.");
    private static final Property<Boolean> PLAIN_TABLES = new Property<>(
            "hive.query.results.cache.nontransactional.tables.enabled",
            PropertyType.flag(),
            "true",
            "Whether results of queries over tables that are not transactional are cached too. They are used as long"
                    + " as the versions of the tables' files are the same.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(ENABLED, MAY_WAIT, PLAIN_TABLES);

    private ResultCaching() {}

    /**
     * Returns what the cache needs to know of a run.
     *
     * @param listedMillis the time at which the listing of its files began
     */
    static Optional<ResultRequest> request(
            PhysicalPlan plan, StageGraphRun run, long listedMillis, StatementContext context) {
        SessionSettings settings = context.settings();
        boolean mayBeCached = settings.getBoolean(ENABLED.name())
                && plan.repeatable()
                && !plan.scans().isEmpty()
                // Classes of users may return what they want, and others in another session.
                && plan.graph().resources().isEmpty()
                && plan.scans().stream()
                        .map(ScanAssignment::table)
                        .allMatch(table -> mayBeCached(table, settings, context));
        return mayBeCached
                ? ResultKey.of(run, listedMillis)
                        .map(key -> new ResultRequest(key, settings.getBoolean(MAY_WAIT.name())))
                : Optional.empty();
    }

    /** A schema of Avro in a file has no version in a plan. Rows without files depend on the user and the time. */
    private static boolean mayBeCached(Table table, SessionSettings settings, StatementContext context) {
        return (table.isTransactional() || settings.getBoolean(PLAIN_TABLES.name()))
                && table.hasFiles()
                && !TableStore.isTemporary(table, context)
                && !table.properties().containsKey(SerdeColumns.SCHEMA_URL)
                && !table.storage().format().properties().containsKey(SerdeColumns.SCHEMA_URL);
    }

    /** Returns the lines of EXPLAIN about a plan's result. */
    static String explained(PhysicalPlan plan, StatementContext context) {
        boolean known = context.settings().getBoolean(ENABLED.name())
                && context.services().runs().results().stream().anyMatch(results -> results.knows(plan.graph()));
        return known ? "Cached result: used if the files of the tables are the same\n" : "";
    }
}
