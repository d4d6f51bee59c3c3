package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.statement.AlterTableHandler.Alteration;
import java.util.ArrayList;
import java.util.List;

/** EXCHANGE PARTITION (...) WITH TABLE other: partitions of the other table become this one's, files and all. */
final class ExchangePartition {
    private ExchangePartition() {}

    static Runnable prepare(Alteration alteration) {
        Table target = alteration.table();
        StatementContext context = alteration.context();
        Table source = context.table(TableName.of(alteration.clause().child(1), context));
        if (!source.columns().equals(target.columns())
                || !source.partitionKeys().equals(target.partitionKeys())) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR,
                            "The tables have different schemas. Their partitions cannot be exchanged.")
                    .at(alteration.clause().position());
        }
        List<Partition> moved =
                PartitionSpec.of(source, alteration.clause().child(0), context).partitions(context);
        if (moved.isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.PARTITION_NOT_FOUND,
                            "no partition of " + source.qualifiedName() + " matches")
                    .at(alteration.clause().position());
        }
        for (Partition partition : moved) {
            if (context.catalog().partition(target, partition.values()).isPresent()) {
                throw new SkepException(
                                StandardErrorCode.PARTITION_EXISTS,
                                "Partition already exists: " + PartitionName.of(target, partition.values()))
                        .at(alteration.clause().position());
            }
        }
        return () -> exchange(source, target, moved, context);
    }

    private static void exchange(Table source, Table target, List<Partition> moved, StatementContext context) {
        String name = context.queryId().value() + "-" + context.nextNumber();
        context.services().commits().commit(name, List.of(source, target), () -> steps(target, moved, context), () -> {
            List<Partition> arrived = new ArrayList<>();
            for (Partition partition : moved) {
                String to = location(target, partition);
                arrived.add(Revision.storage(partition, Revision.location(partition.storage(), to)));
            }
            context.catalog().addPartitions(target, arrived, false);
            context.catalog()
                    .dropPartitions(
                            source, moved.stream().map(Partition::values).toList(), DroppedFiles.PURGED);
        });
    }

    private static String location(Table target, Partition partition) {
        return target.storage().location() + "/" + PartitionName.of(target, partition.values());
    }

    private static List<TableCommits.Step> steps(Table target, List<Partition> moved, StatementContext context) {
        List<TableCommits.Step> steps = new ArrayList<>();
        for (Partition partition : moved) {
            String to = location(target, partition);
            context.services().files().makeDirectory(to);
            for (TableFiles.TableFile file :
                    context.services().files().files(partition.storage().location())) {
                String name = file.path().substring(file.path().lastIndexOf('/') + 1);
                steps.add(new TableCommits.Step.Move(file.path(), to + "/" + name));
            }
        }
        return steps;
    }
}
