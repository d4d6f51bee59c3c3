package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.commit.DropRequest;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.PartitionCondition;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Adds, drops and touches partitions. */
final class AlterPartitions {
    private AlterPartitions() {}

    /** The clause's children: [if not exists], and partition specs, each with or without a location. */
    static Runnable add(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        boolean ifNotExists = alteration.clause().has(HiveParser.TOK_IFNOTEXISTS);
        List<Partition> partitions = new ArrayList<>();
        for (Spec spec : specs(alteration)) {
            Optional<String> location = spec.location().map(literal -> located(literal, table, context));
            partitions.add(partition(table, spec.values(), location, context));
        }
        return () -> context.catalog().addPartitions(table, partitions, ifNotExists);
    }

    private static Partition partition(
            Table table, List<String> values, Optional<String> location, StatementContext context) {
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW) {
            return ofView(table, values, context);
        }
        return location.map(folder -> found(table, values, folder, context))
                .orElseGet(() -> fresh(table, values, context));
    }

    /** @param location the literal with the partition's location */
    record Spec(List<String> values, Optional<SyntaxNode> location) {}

    /** Returns the partitions that an ADD PARTITION names. */
    static List<Spec> specs(Alteration alteration) {
        List<Spec> specs = new ArrayList<>();
        List<SyntaxNode> children = alteration.clause().children();
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).is(HiveParser.TOK_PARTSPEC)) {
                boolean located = i + 1 < children.size() && children.get(i + 1).is(HiveParser.TOK_PARTITIONLOCATION);
                List<String> values = PartitionSpec.of(alteration.table(), children.get(i), alteration.context())
                        .completeNew("partition spec is invalid; field %s does not exist or is empty");
                specs.add(new Spec(
                        values, located ? Optional.of(children.get(i + 1).child(0)) : Optional.empty()));
            }
        }
        return specs;
    }

    /** Creates a partition of a view. It contains no data; it only says that the underlying partitions exist. */
    private static Partition ofView(Table view, List<String> values, StatementContext context) {
        return new Partition(
                values,
                context.services().clock().instant().getEpochSecond(),
                0,
                view.storage(),
                new TreeMap<>(new StatisticsProperties(context).ofEmpty(Map.of())));
    }

    /** Returns the partition's location. A relative path is resolved against the table's location. */
    static String located(SyntaxNode literal, Table table, StatementContext context) {
        String path = SyntaxText.string(literal);
        boolean relative = !path.startsWith("/") && !path.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*");
        return context.services()
                .paths()
                .check(relative ? table.storage().location() + "/" + path : path, literal.position());
    }

    /** Creates a partition in the folder of its name. */
    static Partition fresh(Table table, List<String> values, StatementContext context) {
        String location = table.storage().location() + "/" + PartitionName.of(table, values);
        StatisticsProperties stats = new StatisticsProperties(context);
        boolean empty = context.services().files().files(location).isEmpty();
        return counted(
                table, values, location, empty ? stats.ofNew(table.columns()) : stats.ofFound(location), context);
    }

    /** Creates a partition in a folder that a statement has named, or that was found. */
    static Partition found(Table table, List<String> values, String location, StatementContext context) {
        return counted(table, values, location, new StatisticsProperties(context).ofFound(location), context);
    }

    private static Partition counted(
            Table table, List<String> values, String location, Map<String, String> counted, StatementContext context) {
        Interruption.check();
        Map<String, String> properties = table.isTransactional() ? StatisticsProperties.estimated(counted) : counted;
        return new Partition(
                values,
                context.services().clock().instant().getEpochSecond(),
                0,
                Revision.location(table.storage(), location),
                new TreeMap<>(properties));
    }

    /** Drops partitions, after looking them up again under the table's lease. */
    static Consumer<CommandRun> drop(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        SyntaxNode clause = alteration.clause();
        DroppedFiles files = DroppedFiles.by(clause.has(HiveParser.KW_PURGE));
        List<Partition> doomed = partitionsToDrop(alteration);
        if (TableStore.isTemporary(table, context)) {
            return run -> {
                run.beginCommit();
                context.catalog().dropPartitions(table, values(doomed), files);
            };
        }
        TableName name = new TableName(table.database(), table.name(), clause.position());
        List<TableUse> uses = doomed.stream()
                .flatMap(partition -> TransactionalChange.uses(
                        table, TableAccess.DEFINE_EXCLUSIVE, Optional.of(PartitionName.of(table, partition.values())))
                        .stream())
                .toList();
        return run -> TransactionalChange.define(
                uses,
                run,
                context,
                scope -> ExclusiveTables.dropping(name, run, context, drops -> {
                    Table now = context.table(name);
                    AlterTableHandler.check(now, table.kind() == Table.TableKind.VIRTUAL_VIEW, name);
                    if (!table.isTransactional()) {
                        TransactionalChange.requirePlain(now);
                    }
                    List<Partition> found = locked(partitionsToDrop(alteration.of(now)), now, uses);
                    if (!found.isEmpty()) {
                        TransactionalChange.changeRows(now, uses, scope);
                        drops.accept(DropRequest.ofPartitions(
                                now,
                                found,
                                files,
                                () -> context.catalog().dropPartitions(now, values(found), DroppedFiles.KEPT)));
                    }
                }));
    }

    /** Partitions that have been added to a transactional table after the locks were chosen stay. */
    private static List<Partition> locked(List<Partition> found, Table now, List<TableUse> uses) {
        if (!now.isTransactional()) {
            return found;
        }
        Set<String> locked =
                uses.stream().flatMap(use -> use.partition().stream()).collect(Collectors.toSet());
        return found.stream()
                .filter(partition -> locked.contains(PartitionName.of(now, partition.values())))
                .toList();
    }

    private static List<List<String>> values(List<Partition> partitions) {
        return partitions.stream().map(Partition::values).toList();
    }

    /** Returns the partitions to drop. Each appears once, even if several conditions match it. */
    private static List<Partition> partitionsToDrop(Alteration alteration) {
        StatementContext context = alteration.context();
        boolean ifExists = alteration.clause().has(HiveParser.TOK_IFEXISTS)
                || context.settings().getBoolean("hive.exec.drop.ignorenonexistent");
        Map<List<String>, Partition> doomed = new LinkedHashMap<>();
        for (SyntaxNode spec : alteration.clause().all(HiveParser.TOK_PARTSPEC)) {
            PartitionCondition condition = new PartitionCondition(alteration.table(), spec, context);
            List<Partition> matching = context.catalog().partitions(alteration.table(), condition);
            if (matching.isEmpty() && !ifExists) {
                throw CompileErrors.plain(
                        spec.position(),
                        StandardErrorCode.PARTITION_NOT_FOUND,
                        ErrorMsg.INVALID_PARTITION,
                        "Partition not found (" + spec.source() + ")");
            }
            matching.forEach(partition -> doomed.put(partition.values(), partition));
        }
        return List.copyOf(doomed.values());
    }

    /** Rewrites the definition, so that readers of the metastore's log notice it. */
    static Runnable touch(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        String now = Long.toString(context.services().clock().instant().getEpochSecond());
        if (alteration.clause().childCount() == 0) {
            Map<String, String> properties = new TreeMap<>(table.properties());
            properties.put(StatisticsProperties.DDL_TIME, now);
            return () -> TableStore.replace(table, Revision.properties(table, properties), false, context);
        }
        List<Partition> touched = new ArrayList<>();
        for (SyntaxNode spec : alteration.clause().all(HiveParser.TOK_PARTSPEC)) {
            Partition partition = PartitionSpec.of(table, spec, context).partition(context);
            Map<String, String> properties = new TreeMap<>(partition.properties());
            properties.put(StatisticsProperties.DDL_TIME, now);
            touched.add(Revision.properties(partition, properties));
        }
        return () -> context.catalog().alterPartitions(table, touched);
    }
}
