package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * ALTER TABLE ... CONCATENATE. Rewrites the rows of a table or of one partition into the few files that a single task
 * writes. These replace the files that were read. Nothing changes if other files, for example of an INSERT, have been
 * added meanwhile.
 */
final class Concatenation {
    private Concatenation() {}

    static SqlStatement compile(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        Optional<PartitionSpec> spec = alteration.partition().map(node -> PartitionSpec.of(table, node, context));
        if (spec.isEmpty() && !table.partitionKeys().isEmpty()) {
            throw CompileErrors.plain(
                    alteration.clause().position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    "source table hive." + table.qualifiedName() + " is partitioned but no partition desc found.");
        }
        Optional<Partition> partition = spec.map(each -> each.partition(context));
        check(alteration, partition.map(Partition::storage).orElse(table.storage()));
        // LIMIT brings the rows to one task, in the order of the files.
        String text = RewritingStatement.of(table, partition, Set.of()) + " limit " + Long.MAX_VALUE;
        return QueryHandler.rewriting(new HiveSqlParser(context.settings().explicit()).parse(text), context);
    }

    private static void check(Alteration alteration, StorageDescriptor storage) {
        String format = storage.format().inputFormat().toLowerCase(Locale.ROOT);
        if (!format.endsWith("rcfileinputformat") && !format.endsWith("orcinputformat")) {
            throw refused(alteration, ErrorMsg.CONCATENATE_UNSUPPORTED_FILE_FORMAT);
        }
        if (storage.buckets() > 0) {
            throw refused(alteration, ErrorMsg.CONCATENATE_UNSUPPORTED_TABLE_BUCKETED);
        }
        if (alteration.table().kind() != Table.TableKind.MANAGED_TABLE) {
            throw refused(alteration, ErrorMsg.CONCATENATE_UNSUPPORTED_TABLE_NOT_MANAGED);
        }
    }

    private static SkepException refused(Alteration alteration, ErrorMsg error) {
        return CompileErrors.plain(alteration.clause().position(), StandardErrorCode.SEMANTIC_ERROR, error);
    }
}
