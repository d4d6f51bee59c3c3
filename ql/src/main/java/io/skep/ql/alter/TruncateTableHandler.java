package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.ListBucketFolders;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.handler.VersionedTables;
import io.skep.ql.insert.TransactionalTruncation;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** TRUNCATE TABLE name [PARTITION (...)] [COLUMNS (...)] [FORCE]. Removes all files; partitions stay. */
public final class TruncateTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0);
        TableName name = TableName.asWritten(target.child(0), context);
        Table table = context.table(name);
        refuse(table, statement, name);
        if (target.has(HiveParser.TOK_PARTSPEC) && table.partitionKeys().isEmpty()) {
            ErrorMsg error = ErrorMsg.PARTSPEC_FOR_NON_PARTITIONED_TABLE;
            throw CompileErrors.plain(
                    name.position(), StandardErrorCode.INVALID_PARTITION, error, error.format(table.name()));
        }
        Optional<PartitionSpec> spec =
                target.first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        spec.filter(PartitionSpec::isComplete).ifPresent(complete -> complete.partition(context));
        Optional<SyntaxNode> columns = statement.first(HiveParser.TOK_TABCOLNAME);
        if (columns.isPresent()) {
            return ColumnTruncation.compile(table, spec, columns.get(), context);
        }
        Predicate<List<String>> wanted = values -> spec.isEmpty() || spec.get().matches(values);
        return CommandStatement.changing(
                "TRUNCATETABLE",
                table.isTransactional()
                        ? run -> TransactionalTruncation.run(table, wanted, run, context)
                        : run -> truncate(name, wanted, context, run));
    }

    private static void refuse(Table table, SyntaxNode statement, TableName name) {
        HandlerRules.refuse(table, ErrorMsg.TRUNCATE_FOR_NON_NATIVE_TABLE, name.position());
        VersionedTables.refuse(table);
        boolean force = statement.has(HiveParser.TOK_FORCE);
        boolean purged = "true".equalsIgnoreCase(table.properties().get("external.table.purge"));
        boolean managed = table.kind() == Table.TableKind.MANAGED_TABLE;
        if (!managed && !(table.kind() == Table.TableKind.EXTERNAL_TABLE && (force || purged))) {
            throw CompileErrors.plain(
                    name.position(),
                    StandardErrorCode.NOT_A_TABLE,
                    ErrorMsg.TRUNCATE_FOR_NON_MANAGED_TABLE,
                    ErrorMsg.TRUNCATE_FOR_NON_MANAGED_TABLE.format(table.name()));
        }
    }

    /** Truncates a table. Its folder and partitions are looked up again under the table's lease. */
    private static void truncate(
            TableName name, Predicate<List<String>> wanted, StatementContext context, CommandRun run) {
        Table compiled = context.table(name);
        TransactionalChange.requirePlain(compiled);
        List<Partition> partitions = new ArrayList<>();
        context.services()
                .commits()
                .commit(CommitRequest.of(
                                context.nextName(),
                                compiled,
                                TableStore.isTemporary(compiled, context),
                                plan -> {
                                    Table table = context.table(name);
                                    partitions.clear();
                                    if (!table.partitionKeys().isEmpty()) {
                                        partitions.addAll(context.catalog().partitions(table, wanted));
                                    }
                                    plan(plan, table, partitions, context);
                                },
                                () -> record(context.table(name), partitions, context))
                        .withGate(context.gate(run::beginCommit)));
    }

    private static void plan(CommitPlan plan, Table table, List<Partition> partitions, StatementContext context) {
        boolean isInCatalog = !TableStore.isTemporary(table, context);
        if (table.partitionKeys().isEmpty()) {
            plan.retire(table.storage().location(), table);
            if (isInCatalog) {
                plan.change(table);
            }
        }
        for (Partition partition : partitions) {
            Interruption.check();
            String location = partition.storage().location();
            plan.retire(location, table);
            if (isInCatalog) {
                plan.change(table, PartitionName.of(table, partition.values()), location, false);
            }
        }
    }

    private static void record(Table table, List<Partition> partitions, StatementContext context) {
        StatisticsProperties stats = new StatisticsProperties(context);
        if (table.partitionKeys().isEmpty()) {
            ListBucketFolders.removeEmpty(table.storage(), context.services().files());
            Map<String, String> properties = stats.ofEmpty(table.properties());
            TableStore.replace(table, Revision.properties(table, properties), false, context);
        } else if (!partitions.isEmpty()) {
            for (Partition partition : partitions) {
                ListBucketFolders.removeEmpty(
                        partition.storage(), context.services().files());
            }
            context.catalog()
                    .alterPartitions(
                            table,
                            partitions.stream()
                                    .map(partition ->
                                            Revision.properties(partition, stats.ofEmpty(partition.properties())))
                                    .toList());
        }
    }
}
