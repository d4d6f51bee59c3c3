package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.insert.ConcatenatedFiles;
import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * ALTER TABLE ... CONCATENATE. Replaces the files of a table or of one partition: RCFiles by one with the same row
 * groups, others by the few files that a single task writes of their rows. If other files, for example of an INSERT,
 * have been added meanwhile, the statement reads again, and in the end fails without a change.
 */
final class Concatenation {
    private static final String RCFILE = "rcfileinputformat";

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
        StorageDescriptor storage = partition.map(Partition::storage).orElse(table.storage());
        check(alteration, storage);
        return format(storage).endsWith(RCFILE)
                ? CommandStatement.changing("ALTERTABLE", run -> {
                    if (!ConcatenatedFiles.replace(table, partition, run, context)) {
                        QueryHandler.run(rewriting(table, partition, context), run);
                    }
                })
                : rewriting(table, partition, context);
    }

    private static SqlStatement rewriting(Table table, Optional<Partition> partition, StatementContext context) {
        // LIMIT brings the rows to one task, in the order of the files.
        String text = RewritingStatement.of(table, partition, Set.of()) + " limit " + Long.MAX_VALUE;
        return QueryHandler.rewriting(new HiveSqlParser(context.settings().explicit()).parse(text), context);
    }

    private static String format(StorageDescriptor storage) {
        return storage.format().inputFormat().toLowerCase(Locale.ROOT);
    }

    private static void check(Alteration alteration, StorageDescriptor storage) {
        String format = format(storage);
        if (!format.endsWith(RCFILE) && !format.endsWith("orcinputformat")) {
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
