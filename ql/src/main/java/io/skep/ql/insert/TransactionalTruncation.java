package io.skep.ql.insert;

import io.skep.common.concurrent.Interruption;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.AcidWrite;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * TRUNCATE of a transactional table or of its partitions. Each gets a base without rows, with a file that says so to
 * Hive. It hides all older files once the transaction commits. Readers go on with their snapshots, and the older files
 * stay until they are cleaned.
 */
public final class TransactionalTruncation {
    private static final String MARKER = "_metadata_acid";
    private static final byte[] CONTENT =
            "{\"thisFileVersion\":\"0\",\"dataFormat\":\"truncated\"}".getBytes(StandardCharsets.UTF_8);

    private final Table table;
    private final Set<List<String>> values;
    private final StatementContext context;
    private final String staging;

    private TransactionalTruncation(Table table, Set<List<String>> values, StatementContext context) {
        this.table = table;
        this.values = values;
        this.context = context;
        this.staging = InsertPlanning.staging(table, context);
    }

    /**
     * Truncates the partitions that exist when it begins, or the table if it has none.
     *
     * @param wanted says by their values which partitions are truncated
     */
    public static void run(Table table, Predicate<List<String>> wanted, CommandRun run, StatementContext context) {
        boolean isPartitioned = !table.partitionKeys().isEmpty();
        Set<List<String>> values = isPartitioned
                ? context.catalog().partitions(table, wanted).stream()
                        .map(Partition::values)
                        .collect(Collectors.toSet())
                : Set.of();
        if (isPartitioned && values.isEmpty()) {
            return;
        }
        TransactionalTruncation truncation = new TransactionalTruncation(table, values, context);
        TransactionalChange.write(truncation.uses(), run, context, scope -> truncation.commit(scope, run));
    }

    private List<TableUse> uses() {
        return table.partitionKeys().isEmpty()
                ? List.of(TableUse.of(table, TableAccess.TRUNCATE))
                : values.stream()
                        .map(each -> PartitionName.of(table, each))
                        .sorted()
                        .map(name -> TableUse.ofPartition(table, TableAccess.TRUNCATE, name))
                        .toList();
    }

    private void commit(TransactionScope scope, CommandRun run) {
        AcidWrite write =
                new AcidWrite(AcidWrite.Kind.OVERWRITE, scope.transaction().writeId(table), 0);
        TableCommits commits = context.services().commits();
        commits.checkPlace(staging);
        commits.folders().note(staging);
        String name = context.nextName();
        List<Partition> partitions = new ArrayList<>();
        TransactionalMoves moves = new TransactionalMoves(context);
        AtomicReference<Optional<RuntimeException>> unknown = new AtomicReference<>(Optional.empty());
        boolean isCommitted = false;
        try {
            commits.commit(CommitRequest.of(
                            name,
                            table,
                            false,
                            plan -> {
                                partitions.clear();
                                partitions.addAll(partitions());
                                moves.clear();
                                plan(write, partitions, new Arrivals(staging, context, plan, moves), plan);
                            },
                            () -> unknown.set(
                                    TransactionalMoves.commit(List.of(moves), scope, () -> record(partitions))))
                    .withGate(context.gate(run::beginCommit)));
            unknown.get().ifPresent(failure -> {
                throw failure;
            });
            isCommitted = true;
        } finally {
            if (!isCommitted && !commits.isUnfinished(name)) {
                commits.folders().delete(staging);
            }
        }
    }

    private List<Partition> partitions() {
        return values.isEmpty() ? List.of() : context.catalog().partitions(table, values::contains);
    }

    private void plan(AcidWrite write, List<Partition> partitions, Arrivals arrivals, CommitPlan plan) {
        if (table.partitionKeys().isEmpty()) {
            arrive("table", table.storage().location(), write, arrivals);
            plan.change(table);
        }
        for (Partition partition : partitions) {
            String name = PartitionName.of(table, partition.values());
            String location = partition.storage().location();
            arrive(name, location, write, arrivals);
            plan.change(table, name, location, false);
        }
        plan.remove(staging);
    }

    private static void arrive(String place, String location, AcidWrite write, Arrivals arrivals) {
        String staged = String.join("/", arrivals.staging(), place, MARKER);
        Interruption.check();
        arrivals.files().create(staged, CONTENT);
        arrivals.add(staged, location, location + "/" + write.folder().name() + "/" + MARKER);
    }

    private void record(List<Partition> partitions) {
        StatisticsProperties stats = new StatisticsProperties(context);
        if (table.partitionKeys().isEmpty()) {
            Table now = context.session().table(table.database(), table.name()).orElse(table);
            TableStore.replace(now, Revision.properties(now, empty(stats, now.properties())), false, context);
        } else if (!partitions.isEmpty()) {
            context.catalog()
                    .alterPartitions(
                            table,
                            partitions.stream()
                                    .map(partition ->
                                            Revision.properties(partition, empty(stats, partition.properties())))
                                    .toList());
        }
    }

    private static Map<String, String> empty(StatisticsProperties stats, Map<String, String> properties) {
        return stats.ofTransaction(properties, new StatisticsProperties.Written(List.of(), Set.of(), true));
    }
}
