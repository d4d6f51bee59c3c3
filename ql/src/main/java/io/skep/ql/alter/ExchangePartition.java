package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * EXCHANGE PARTITION (...) WITH TABLE other. Moves partitions of the other table to this one, including their files.
 */
final class ExchangePartition {
    private final TableName sourceName;
    private final TableName targetName;
    private final SyntaxNode clause;
    private final StatementContext context;

    private ExchangePartition(TableName sourceName, TableName targetName, SyntaxNode clause, StatementContext context) {
        this.sourceName = sourceName;
        this.targetName = targetName;
        this.clause = clause;
        this.context = context;
    }

    static Consumer<CommandRun> prepare(Alteration alteration) {
        StatementContext context = alteration.context();
        TableName target = new TableName(
                alteration.table().database(),
                alteration.table().name(),
                alteration.clause().position());
        TableName source = TableName.asWritten(alteration.clause().child(1), context);
        ExchangePartition exchange = new ExchangePartition(source, target, alteration.clause(), context);
        exchange.moved();
        return exchange::exchange;
    }

    /** Checks everything, and returns the partitions that are moved. */
    private List<Partition> moved() {
        Table source = context.table(sourceName);
        Table target = context.table(targetName);
        if (source.isTransactional() || target.isTransactional()) {
            throw CompileErrors.plain(
                    clause.position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    ErrorMsg.EXCHANGE_PARTITION_NOT_ALLOWED_WITH_TRANSACTIONAL_TABLES);
        }
        refuseHidden(source);
        if (!source.columns().equals(target.columns())
                || !source.partitionKeys().equals(target.partitionKeys())) {
            throw CompileErrors.plain(
                    clause.position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.TABLES_INCOMPATIBLE_SCHEMAS,
                    "The tables have different schemas. Their partitions cannot be exchanged.");
        }
        PartitionSpec spec = PartitionSpec.of(source, clause.child(0), context);
        if (!spec.isPrefix()) {
            throw CompileErrors.plain(
                    clause.position(),
                    StandardErrorCode.INVALID_PARTITION,
                    ErrorMsg.PARTITION_VALUE_NOT_CONTINUOUS,
                    ErrorMsg.PARTITION_VALUE_NOT_CONTINUOUS.getMsg() + " " + spec.shown());
        }
        List<Partition> moved = spec.partitions(context);
        if (moved.isEmpty()) {
            throw CompileErrors.plain(
                    clause.position(),
                    StandardErrorCode.PARTITION_NOT_FOUND,
                    ErrorMsg.INVALID_PARTITION,
                    "no partition of " + source.qualifiedName() + " matches");
        }
        for (Partition partition : moved) {
            refuseTaken(target, partition);
        }
        return moved;
    }

    /** Rows that are moved are not filtered, and their new table has no masks. */
    private void refuseHidden(Table source) {
        if (!PolicyProperties.of(source).isEmpty() && !context.mayChange(source)) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "the partitions of " + source.qualifiedName()
                                    + ", which has a row filter or masks, can be moved by its owner alone")
                    .withHint("INSERT ... SELECT copies what this user sees")
                    .at(sourceName.position());
        }
    }

    private void refuseTaken(Table target, Partition partition) {
        Interruption.check();
        String name = PartitionName.of(target, partition.values());
        if (context.catalog().partition(target, partition.values()).isPresent()) {
            throw CompileErrors.task(
                    clause.position(),
                    StandardErrorCode.PARTITION_EXISTS,
                    ErrorMsg.PARTITION_EXISTS,
                    "Partition already exists: " + name);
        }
        String folder = location(target, partition);
        if (!context.services().files().files(folder).isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PATH,
                            "the folder of partition " + name + " holds files that are of no partition: " + folder)
                    .withHint("MSCK REPAIR TABLE makes them a partition; else move or delete them")
                    .at(clause.position());
        }
    }

    private void exchange(CommandRun run) {
        Table source = context.table(sourceName);
        Table target = context.table(targetName);
        List<Partition> moved = new ArrayList<>();
        context.services()
                .commits()
                .commit(CommitRequest.of(
                                context.nextName(),
                                List.of(source, target),
                                plan -> {
                                    moved.clear();
                                    moved.addAll(moved());
                                    plan(plan, moved);
                                },
                                () -> record(moved))
                        .withGate(context.gate(run::beginCommit)));
    }

    private void record(List<Partition> moved) {
        Table source = context.table(sourceName);
        Table target = context.table(targetName);
        List<Partition> arrived = new ArrayList<>();
        for (Partition partition : moved) {
            String to = location(target, partition);
            arrived.add(Revision.storage(partition, Revision.location(partition.storage(), to)));
        }
        context.catalog().addPartitions(target, arrived, false);
        // This is the last step. An interrupted exchange is completed if this step was done, and rolled back otherwise.
        context.catalog()
                .dropPartitions(source, moved.stream().map(Partition::values).toList(), DroppedFiles.KEPT);
        if (source.ownsFiles()) {
            // Only empty folders are deleted. A server that lost its lease may still be running, and the files may have
            // been moved back.
            moved.forEach(partition ->
                    context.services().files().deleteEmpty(partition.storage().location()));
        }
    }

    private static String location(Table target, Partition partition) {
        return target.storage().location() + "/" + PartitionName.of(target, partition.values());
    }

    private void plan(CommitPlan plan, List<Partition> moved) {
        Table source = context.table(sourceName);
        Table target = context.table(targetName);
        for (Partition partition : moved) {
            Interruption.check();
            String from = partition.storage().location();
            String to = location(target, partition);
            for (TableFiles.TableFile file : context.services().files().files(from)) {
                String below = file.path().substring(from.length() + 1);
                if (!plan.takenNames(to).add(below)) {
                    throw new SkepException(StandardErrorCode.INVALID_PATH, to + "/" + below + " is there already")
                            .at(clause.position());
                }
                plan.arrive(file.path(), to + "/" + below);
            }
            String name = PartitionName.of(target, partition.values());
            plan.change(target, name, to, true);
            plan.drop(source, name, from);
        }
    }
}
