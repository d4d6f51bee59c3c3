package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.ListBucketFolders;
import io.skep.ql.execution.AttemptSource;
import io.skep.ql.execution.QueryAttemptId;
import io.skep.ql.execution.QueryRun;
import io.skep.ql.execution.RunListener;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statistics.GatheredStatistics;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.write.WrittenFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hive.common.FileUtils;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Runs a writing plan, and plans how its files become the table's. The table does not change before the commit. Exactly
 * the files of the last attempt are committed.
 */
final class TableWriter implements AttemptSource {
    private final Destination destination;
    private final String staging;
    private final WritePlan plan;
    private final StatementContext context;
    private final QueryRun run;
    private final ReplacedFiles replaced;
    private final PartitionFormats formats;
    private final ConstraintEnforcement constraints;
    private final TransactionScope scope;
    private final Optional<TransactionalWrite> transactional;
    private final StagedRows staged = new StagedRows();
    private final Map<String, String> locations = new LinkedHashMap<>();
    private final Map<String, Set<String>> arrived = new HashMap<>();
    private Runnable whenListed = () -> {};

    /** @param transactional present for a transactional table, with the statement's scope */
    TableWriter(
            Destination destination,
            String staging,
            WritePlan plan,
            ConstraintEnforcement constraints,
            TransactionScope scope,
            Optional<TransactionalWrite> transactional,
            StatementContext context) {
        this.destination = destination;
        this.staging = staging;
        this.plan = plan;
        this.context = context;
        this.run = context.services().runs().of(this);
        this.replaced = new ReplacedFiles(destination, plan.fromSources(), context);
        this.formats = new PartitionFormats(destination, partition -> known(destination.table(), partition));
        this.constraints = constraints;
        this.scope = scope;
        this.transactional = transactional;
    }

    QueryRun run() {
        return run;
    }

    PhysicalPlan plan() {
        return plan.plan();
    }

    /** Returns the scope of the statement's transaction. */
    TransactionScope scope() {
        return scope;
    }

    /** Sets what each attempt calls when its files have been listed. Called before the first attempt. */
    void whenListed(Runnable called) {
        whenListed = called;
    }

    @Override
    public QueryAttemptId begin() {
        staged.clear();
        return plan.listed().begin();
    }

    @Override
    public StageGraphRun list(QueryAttemptId attempt) {
        replaced.look();
        formats.look();
        StageGraphRun run = plan.listed().list(attempt);
        whenListed.run();
        StageGraph graph = formats.in(run.graph());
        return new StageGraphRun(
                run.queryId(), transactional.map(write -> write.in(graph)).orElse(graph), run.splits(), run.settings());
    }

    /** Writes all files into the staging folder. */
    void write(RunListener listener) {
        context.services().commits().checkPlace(staging);
        SessionFiles ofUser = context.access().ofSession().files();
        if (ofUser.isImpersonated()) {
            // Otherwise the first file would make the folder of a new table, and it would stay the server's.
            String location = destination.table().storage().location();
            ofUser.requireWritable(location);
            ofUser.giveFolders(
                    List.of(location), () -> context.services().files().makeDirectory(location));
        }
        context.services().commits().folders().note(staging);
        run.start(listener);
        collect();
    }

    private void collect() {
        for (Optional<Batch> batch = run.nextRows(); batch.isPresent(); batch = run.nextRows()) {
            staged.add(batch.get());
        }
    }

    /**
     * Whether a commit has failed because other statements changed the files that were read, or because the format of a
     * partition differs.
     */
    boolean isOutdated() {
        return replaced.haveChanged() || formats.haveChanged();
    }

    /**
     * Reads and writes all rows again after a failed commit.
     *
     * @return false when that failure is final
     */
    boolean writeAgain(SkepException failure) {
        boolean isAllowed = run.runAgain(failure);
        if (isAllowed) {
            collect();
        }
        return isAllowed;
    }

    private GatheredStatistics gathered(String partition) {
        List<FieldSchema> columns = destination.table().columns();
        if (!InsertPlanning.gathersStatistics(destination, context)
                || transactional.filter(TransactionalWrite::isChange).isPresent()) {
            return GatheredStatistics.NONE;
        }
        return staged.summaries(partition)
                .map(found -> GatheredStatistics.of(columns, found, context))
                .orElseGet(() -> GatheredStatistics.empty(columns));
    }

    Table table() {
        return destination.table();
    }

    long rows() {
        return staged.rowCount();
    }

    /** Plans the changes that make the files the table's, based on the state while no other statement changes it. */
    void plan(CommitPlan commit) {
        if (destination.isDirectory()) {
            DirectoryDestination.requireSameOwner(destination, context);
        }
        Table table = destination.table();
        DynamicPartitions.requireFew(destination, staged.files().size(), context);
        KeptPartitions.requireAbsent(destination, context);
        if (destination.dynamicColumns().isEmpty()) {
            staged.include(destination.staticPath());
        } else if (destination.replacesAll()) {
            context.catalog().partitionNames(table).forEach(staged::include);
        }
        locations.clear();
        arrived.clear();
        transactional.ifPresent(write -> write.moves().clear());
        staged.files().keySet().forEach(name -> locations.put(name, location(table, name)));
        replaced.requireUnchanged(locations.values());
        formats.requireUnchanged(locations.keySet(), commit);
        constraints.requireUnchanged();
        staged.files().forEach((partition, files) -> {
            String location = locations.getOrDefault(partition, "");
            if (transactional.isPresent()) {
                TransactionalWrite write = transactional.get();
                write.plan(partition, location, files, new Arrivals(staging, context, commit, write.moves()));
            } else {
                arrived.put(partition, arrive(partition, files, location, commit));
            }
        });
        inCatalog()
                .ifPresent(changed ->
                        locations.forEach((partition, location) -> change(commit, changed, partition, location)));
        commit.remove(staging);
    }

    private Set<String> arrive(String partition, List<WrittenFile> files, String location, CommitPlan commit) {
        if (destination.overwrite()) {
            commit.retire(location, destination.changed().orElse(destination.table()));
        }
        String written = partition.isEmpty() ? staging : staging + "/" + partition;
        Map<String, FileNamer> names = new HashMap<>();
        Arrivals arrivals = new Arrivals(staging, context, commit);
        Set<String> targets = new HashSet<>();
        for (WrittenFile file : files) {
            // Folders of list buckets are below that of the partition or table.
            String folder = location
                    + file.path().substring(written.length(), file.path().lastIndexOf('/'));
            String target = names.computeIfAbsent(folder, path -> new FileNamer(path, commit.takenNames(path)))
                    .written(file.path());
            arrivals.add(file.path(), location, target);
            targets.add(target);
        }
        return targets;
    }

    private void change(CommitPlan commit, Table table, String partition, String location) {
        if (partition.isEmpty()) {
            commit.change(table);
        } else {
            Optional<Partition> before = known(table, partition);
            Optional<Partition> after = before.map(formats::after);
            if (before.equals(after)) {
                commit.change(table, partition, location, before.isEmpty());
            } else {
                commit.change(
                        table,
                        partition,
                        location,
                        before.orElseThrow().storage().format(),
                        after.orElseThrow().storage().format());
            }
        }
    }

    boolean isIntoFolder() {
        return destination.isDirectory();
    }

    /** Returns the table of the catalog whose rows change. Empty for temporary tables and folders of no table. */
    Optional<Table> inCatalog() {
        return destination.changed().filter(changed -> !TableStore.isTemporary(changed, context));
    }

    private String location(Table table, String partition) {
        if (partition.isEmpty()) {
            return table.storage().location();
        }
        return known(table, partition)
                .map(partitionNow ->
                        BucketedRows.requireSame(table, partitionNow).storage().location())
                .orElse(table.storage().location() + "/" + partition);
    }

    /**
     * Returns the partition of a name. A table that is created with the commit has no partitions yet, but a temporary
     * one may hide another table of its name.
     */
    private Optional<Partition> known(Table table, String partition) {
        boolean isCreated = destination.syntax().is(HiveParser.TOK_CREATETABLE);
        String location = table.storage().location();
        return context.session()
                .table(table.database(), table.name())
                .filter(now -> !isCreated || now.storage().location().equals(location))
                .flatMap(now -> context.catalog().partition(table, values(partition)));
    }

    private static List<String> values(String partition) {
        List<String> values = new ArrayList<>();
        for (String part : partition.split("/")) {
            values.add(FileUtils.unescapePathName(part.substring(part.indexOf('=') + 1)));
        }
        return values;
    }

    /** Returns the moves that {@link #plan} has planned for a transactional table. */
    Optional<TransactionalMoves> moves() {
        return transactional.map(TransactionalWrite::moves);
    }

    /** Records the files in the catalog, after they have been moved into place. */
    void recordInCatalog() {
        Table table = destination.table();
        if (destination.isDirectory()) {
            String location = table.storage().location();
            context.access()
                    .ofSession()
                    .files()
                    .giveFolders(
                            List.of(location), () -> context.services().files().makeDirectory(location));
            destination.owner().ifPresent(this::recordUncounted);
            return;
        }
        StatisticsProperties stats = new StatisticsProperties(context);
        if (table.partitionKeys().isEmpty()) {
            if (transactional.isPresent()) {
                Table now = asItIs(table);
                StatisticsProperties.Recorded after = stats.ofTransaction(
                        now.properties(),
                        written("", destination.overwrite()),
                        gathered(""),
                        columns -> context.catalog().tableStatistics(now, columns));
                context.catalog().recordWrite(Revision.properties(now, after.properties()), after.statistics());
            } else {
                Table now = withoutCommit(asItIs(table));
                stats.recordTable(
                        now.withStorage(located(now.storage())), written("", destination.overwrite()), gathered(""));
            }
            return;
        }
        recordPartitions(table, stats);
    }

    /** Records files that were written with another layout than the table's, so that it may have other rows. */
    private void recordUncounted(Table owner) {
        Table now = context.catalog().table(owner.database(), owner.name()).orElse(owner);
        Map<String, String> properties = new StatisticsProperties(context)
                .ofUncounted(now.properties(), now.storage().location());
        TableStore.replace(now, Revision.properties(now, properties), false, context);
    }

    /** Makes a table that was created with its rows an ordinary one, which no recovery removes any more. */
    void finishCreation() {
        if (destination.isDirectory()) {
            return;
        }
        Table now = asItIs(destination.table());
        if (now.properties().containsKey(CommitRequest.CREATED_BY)) {
            TableStore.replace(now, withoutCommit(now), false, context);
        }
    }

    private StatisticsProperties.Written written(String partition, boolean replaced) {
        List<WrittenFile> files = staged.files(partition);
        return new StatisticsProperties.Written(
                transactional.isPresent() ? TransactionalWrite.counted(files, staging) : files,
                arrived.getOrDefault(partition, Set.of()),
                replaced);
    }

    private void recordPartitions(Table table, StatisticsProperties stats) {
        List<Partition> fresh = new ArrayList<>();
        List<Partition> changed = new ArrayList<>();
        Map<String, List<ColumnStatistics>> statistics = new HashMap<>();
        locations.forEach((name, location) -> {
            Optional<Partition> known = context.catalog().partition(table, values(name));
            Partition before = known.map(formats::after).orElseGet(() -> partition(table, name, location));
            StatisticsProperties.Written written = written(name, destination.overwrite() || known.isEmpty());
            StatisticsProperties.Recorded after = transactional.isPresent()
                    ? stats.ofTransaction(
                            before.properties(),
                            written,
                            gathered(name),
                            columns -> statisticsOf(table, before, columns))
                    : stats.with(
                            before.properties(),
                            written,
                            before.storage().location(),
                            gathered(name),
                            columns -> statisticsOf(table, before, columns));
            Partition recorded = before.withStorage(located(before.storage()));
            (known.isPresent() ? changed : fresh).add(Revision.properties(recorded, after.properties()));
            statistics.put(PartitionName.of(table, before.values()), after.statistics());
        });
        if (!fresh.isEmpty()) {
            context.catalog().addPartitions(table, fresh, true);
        }
        if (!changed.isEmpty()) {
            context.catalog().alterPartitions(table, changed);
        }
        transactional.ifPresent(write -> write.addPartitions(locations.keySet()));
        statistics.values().removeIf(List::isEmpty);
        if (!statistics.isEmpty()) {
            context.catalog().putPartitionStatistics(table, statistics);
        }
    }

    /** Returns the storage with the folders of its list buckets, and removes those that the commit has emptied. */
    private StorageDescriptor located(StorageDescriptor storage) {
        if (destination.overwrite()) {
            ListBucketFolders.removeEmpty(storage, context.services().files());
        }
        return ListBucketFolders.located(storage, context.services().files());
    }

    /** Removes the commit's property, which makes a table created by the commit an ordinary table. */
    private static Table withoutCommit(Table table) {
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.remove(CommitRequest.CREATED_BY);
        return table.withProperties(properties);
    }

    /** Returns the present definition, since another statement may have committed rows after this one was compiled. */
    private Table asItIs(Table table) {
        return context.session().table(table.database(), table.name()).orElse(table);
    }

    private List<ColumnStatistics> statisticsOf(Table table, Partition partition, List<String> columns) {
        String name = PartitionName.of(table, partition.values());
        return context.catalog()
                .partitionStatistics(table, List.of(name), columns)
                .getOrDefault(name, List.of());
    }

    private Partition partition(Table table, String name, String location) {
        StorageDescriptor storage = table.storage();
        List<FieldSchema> columns = storage.columns();
        long now = context.services().clock().instant().getEpochSecond();
        StorageDescriptor own = new StorageDescriptor(
                columns,
                location,
                storage.format(),
                storage.compressed(),
                storage.buckets(),
                storage.bucketColumns(),
                storage.sortColumns(),
                storage.skew());
        return new Partition(values(name), now, 0, own, new TreeMap<>());
    }

    /** Called when nothing was committed. A task may still write into the staging folder. */
    void abandon() {
        run.close();
        context.services().commits().folders().abandon(staging);
    }

    /** Deletes leftovers, since the table may have been dropped or renamed meanwhile, or does not exist yet. */
    void forget() {
        if (!destination.isDirectory() && inCatalog().isPresent()) {
            ExclusiveTables.deleteIfForgotten(destination.table(), List.of(), context);
        }
    }
}
