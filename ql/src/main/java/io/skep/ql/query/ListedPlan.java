package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.system.RowContext;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.CompiledTables;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.execution.AttemptSource;
import io.skep.ql.execution.QueryAttemptId;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.rel.TableSample;
import io.skep.ql.result.ResultRequest;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementServices;
import io.skep.ql.statement.TableStore;
import io.skep.ql.system.SystemReader;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Split;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A plan together with the files that its scans read, those of one snapshot where tables are transactional. */
public final class ListedPlan implements AttemptSource {
    private final StatementContext context;
    private final TransactionScope scope;
    private PhysicalPlan plan;

    /** The time at which the last listing began. */
    private long listedMillis;

    private boolean mayBeCached = true;

    /** The plan with views, as long as it is the one that runs. */
    private Optional<ViewedPlan> viewed;

    /** @param scope gets the transactional tables of the plan; the first listing begins its transaction */
    public ListedPlan(PhysicalPlan plan, StatementContext context, TransactionScope scope) {
        this(plan, Optional.empty(), context, scope);
        use(transactional(plan).stream());
    }

    private ListedPlan(
            PhysicalPlan plan, Optional<ViewedPlan> viewed, StatementContext context, TransactionScope scope) {
        this.plan = plan;
        this.viewed = viewed;
        this.context = context;
        this.scope = scope;
    }

    /** Returns a plan with views, which runs from the views' sources if the views have become outdated. */
    public static ListedPlan of(ViewedPlan viewed, StatementContext context, TransactionScope scope) {
        ListedPlan listed = new ListedPlan(viewed.plan(), Optional.of(viewed), context, scope);
        Stream<Table> both =
                Stream.concat(transactional(viewed.plan()).stream(), transactional(viewed.fromSources()).stream());
        Stream<Table> sources = viewed.views().stream().flatMap(view -> view.sources().stream());
        listed.use(Stream.concat(both, sources));
        return listed;
    }

    private void use(Stream<Table> tables) {
        scope.use(tables.distinct()
                .map(table -> TableUse.of(table, TableAccess.READ))
                .toList());
    }

    /** Keeps the rows out of the cache of results, and does not take them from there. */
    void computeRows() {
        mayBeCached = false;
    }

    /** Returns the plan of the last listing. */
    PhysicalPlan plan() {
        return plan;
    }

    private static List<Table> transactional(PhysicalPlan plan) {
        return plan.scans().stream()
                .map(ScanAssignment::table)
                .filter(Table::isTransactional)
                .distinct()
                .toList();
    }

    @Override
    public QueryAttemptId begin() {
        return context.nextAttempt();
    }

    @Override
    public StageGraphRun list(QueryAttemptId attempt) {
        scope.begin();
        listedMillis = context.services().clock().millis();
        Map<Integer, List<Split>> splits = viewed.isPresent() ? listedWithViews(viewed.get()) : listed();
        return new StageGraphRun(
                attempt.name(), plan.graph(), splits, context.settings().forRun());
    }

    @Override
    public Optional<ResultRequest> cacheable(StageGraphRun run) {
        return mayBeCached ? ResultCaching.request(plan, run, listedMillis, context) : Optional.empty();
    }

    /** Returns the lines of EXPLAIN about the plan's result. */
    String explainedResult() {
        return ResultCaching.explained(plan, context);
    }

    private Map<Integer, List<Split>> listedWithViews(ViewedPlan views) {
        try {
            Map<Integer, List<Split>> splits = listed();
            if (views.isOf(scope.transaction(), context)) {
                return splits;
            }
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.TABLE_NOT_FOUND && e.code() != StandardErrorCode.TABLE_CHANGED) {
                throw e;
            }
            // A view was dropped or replaced. If it was one of the tables, the other plan fails in the same way.
        }
        viewed = Optional.empty();
        plan = views.fromSources();
        return listed();
    }

    private Map<Integer, List<Split>> listed() {
        List<Table> transactional = transactional(plan);
        if (!transactional.isEmpty()) {
            StatementServices services = context.services();
            services.transactions().refresh(scope.transaction(), transactional, services.catalog()::invalidate);
        }
        // All scans see the files as they were at one point between commits.
        Map<Integer, List<Split>> splits =
                context.services().commits().listConsistently(tables(false), tables(true), this::allSplits);
        plan.scans().stream()
                .filter(scan -> !scan.table().hasFiles())
                .forEach(scan -> splits.put(scan.scan(), writtenRows(scan)));
        return splits;
    }

    /** Writes the rows of a table without files to one, anew for each attempt. */
    private List<Split> writtenRows(ScanAssignment scan) {
        StatementServices services = context.services();
        StagingFolders folders = services.commits().folders();
        String folder = services.warehouse() + "/" + StagingFolders.PREFIX + context.nextName();
        folders.note(folder);
        scope.whenRead(() -> folders.delete(folder));
        ScanRequest request = node(scan).request();
        try {
            return scan.table().isSystem()
                    ? services.system().splits(scan.table(), request, systemReader(), folder)
                    : handlerRows(scan, request, folder);
        } finally {
            if (scope.isClosed()) {
                // The folder may have been made after it was deleted.
                folders.delete(folder);
            }
        }
    }

    private SystemReader systemReader() {
        RowContext shown = new RowContext(
                context.settings().timeZone(), context.settings().rules().secrets());
        return new SystemReader(context.access().ofSession(), context.catalog(), shown);
    }

    private List<Split> handlerRows(ScanAssignment scan, ScanRequest request, String folder) {
        if (context.access().ofSession().files().isImpersonated()) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    scan.table().qualifiedName() + " has a storage handler, which reads with the rights of the server"
                            + " and not with those of the session's user (hive.server2.enable.doAs)");
        }
        List<Split> all = context.services()
                .handlers()
                .splits(scan.table(), request, folder, context.settings().timeZone());
        return sampled(scan, all);
    }

    private PlanNode.Scan node(ScanAssignment scan) {
        List<PlanNode.Scan> found = new ArrayList<>();
        plan.graph()
                .fragments()
                .forEach(fragment -> fragment.root().walk(node -> {
                    if (node instanceof PlanNode.Scan one && one.id() == scan.scan()) {
                        found.add(one);
                    }
                }));
        return found.getFirst();
    }

    private List<Table> tables(boolean temporary) {
        return plan.scans().stream()
                .map(ScanAssignment::table)
                .filter(table -> table.hasFiles() && TableStore.isTemporary(table, context) == temporary)
                .toList();
    }

    private Map<Integer, List<Split>> allSplits(SplitEnumerator.Seen seen) {
        CompiledTables.requireSamePlace(tables(false), context.catalog());
        Map<Integer, List<Split>> splits = new HashMap<>();
        for (ScanAssignment scan : plan.scans()) {
            if (scan.table().hasFiles()) {
                splits.put(scan.scan(), splits(scan, seen));
            }
        }
        return splits;
    }

    private List<Split> splits(ScanAssignment scan, SplitEnumerator.Seen seen) {
        List<Split> all =
                ReaderSettings.apply(allSplits(scan, seen), context.settings().explicit());
        return sampled(scan, all);
    }

    private static List<Split> sampled(ScanAssignment scan, List<Split> all) {
        return scan.sample().orElse(null) instanceof TableSample.Blocks blocks ? SampledSplits.of(blocks, all) : all;
    }

    private List<Split> allSplits(ScanAssignment scan, SplitEnumerator.Seen seen) {
        Table table = scan.table();
        TableFiles files = context.services().files();
        Optional<TableSnapshot> snapshot =
                scope.snapshot(table, readsRowIds(scan)).map(all -> snapshot(scan, all));
        if (table.partitionKeys().isEmpty()) {
            List<StorageDescriptor> place = List.of(table.storage());
            return readable(place, needed(scan, place, files.splits(table, snapshot, seen)));
        }
        List<Partition> partitions = context.pruner(table).partitions(scan, context.catalog());
        List<StorageDescriptor> places =
                partitions.stream().map(Partition::storage).toList();
        return readable(places, needed(scan, places, files.splits(table, partitions, snapshot, seen)));
    }

    private static TableSnapshot snapshot(ScanAssignment scan, TableSnapshot all) {
        return scan.sample().orElse(null) instanceof TableSample.Removed removed
                ? all.removedSince(removed.seen())
                : all.from(scan.minWriteId());
    }

    private List<Split> needed(ScanAssignment scan, List<StorageDescriptor> places, List<Split> splits) {
        if (scan.sample().orElse(null) instanceof TableSample.Writes writes) {
            return WrittenSplits.of(
                    writes, places.stream().map(StorageDescriptor::location).toList(), splits);
        }
        return context.settings().getBoolean(ListBucketPruning.PRUNING.name())
                ? ListBucketPruning.needed(scan, places, splits, context.pruner(scan.table()))
                : splits;
    }

    /** Returns the splits if the user may read them. */
    private List<Split> readable(List<StorageDescriptor> places, List<Split> splits) {
        SessionFiles ofUser = context.access().ofSession().files();
        if (ofUser.isImpersonated()) {
            ofUser.requireReadable(
                    places.stream().map(StorageDescriptor::location).toList(), splits);
        }
        return splits;
    }

    private boolean readsRowIds(ScanAssignment scan) {
        return plan.graph().fragments().stream()
                .anyMatch(fragment -> fragment.root()
                        .anyMatch(node -> node instanceof PlanNode.Scan found
                                && found.id() == scan.scan()
                                && found.request()
                                        .columns()
                                        .contains(found.request().table().ordinal(VirtualColumn.ROW_ID))));
    }
}
