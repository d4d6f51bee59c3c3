package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
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
        String text = statement(table, partition);
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

    /** Returns the rewriting statement. LIMIT brings the rows to one task, in the order of the files. */
    private static String statement(Table table, Optional<Partition> partition) {
        String name = "`" + table.database() + "`.`" + table.name() + "`";
        String columns = table.columns().stream()
                .map(column -> "`" + column.name() + "`")
                .collect(Collectors.joining(", "));
        List<String> values = new ArrayList<>();
        for (int i = 0; partition.isPresent() && i < table.partitionKeys().size(); i++) {
            FieldSchema key = table.partitionKeys().get(i);
            String value = partition.get().values().get(i);
            values.add("`" + key.name() + "` = " + HiveSqlParser.literal(value));
        }
        String target = values.isEmpty() ? "" : " partition (" + String.join(", ", values) + ")";
        String condition = values.isEmpty() ? "" : " where " + String.join(" and ", values);
        return "insert overwrite table " + name + target + " select " + columns + " from " + name + condition
                + " limit " + Long.MAX_VALUE;
    }
}
