package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** TRUNCATE TABLE ... COLUMNS: makes columns of a table or of one partition null, by rewriting its RCFiles. */
final class ColumnTruncation {
    /** What precedes the reason in Hive's errors. */
    private static final String SEMANTIC_EXCEPTION = "org.apache.hadoop.hive.ql.parse.SemanticException: ";

    private ColumnTruncation() {}

    static SqlStatement compile(
            Table table, Optional<PartitionSpec> spec, SyntaxNode columns, StatementContext context) {
        TableStore.refuseTransactional(table, columns.position());
        if (spec.isEmpty() && !table.partitionKeys().isEmpty()) {
            throw refused(
                    columns,
                    "org.apache.hadoop.hive.ql.metadata.Table$ValidationFailureSemanticException: "
                            + table.qualifiedName() + " table is partitioned but partition spec is not specified");
        }
        Optional<Partition> partition = spec.map(each -> each.partition(context));
        StorageDescriptor storage = partition.map(Partition::storage).orElse(table.storage());
        if (!storage.format().inputFormat().toLowerCase(Locale.ROOT).endsWith("rcfileinputformat")) {
            throw refused(columns, SEMANTIC_EXCEPTION + ErrorMsg.TRUNCATE_COLUMN_NOT_RC.getMsg());
        }
        Set<String> names = new TreeSet<>();
        for (SyntaxNode column : columns.children()) {
            names.add(name(column, table, storage));
        }
        String text = RewritingStatement.of(table, partition, names);
        return QueryHandler.rewriting(new HiveSqlParser(context.settings().explicit()).parse(text), context);
    }

    private static String name(SyntaxNode column, Table table, StorageDescriptor storage) {
        String name = SyntaxText.identifier(column);
        refuseIfAmong(name, storage.bucketColumns(), column, ErrorMsg.TRUNCATE_BUCKETED_COLUMN);
        refuseIfAmong(name, storage.skew().columns(), column, ErrorMsg.TRUNCATE_LIST_BUCKETED_COLUMN);
        if (table.columns().stream().map(FieldSchema::name).noneMatch(name::equals)) {
            throw refused(column, SEMANTIC_EXCEPTION + ErrorMsg.INVALID_COLUMN.getMsg() + " " + name);
        }
        return name;
    }

    private static void refuseIfAmong(String name, List<String> columns, SyntaxNode where, ErrorMsg error) {
        if (columns.contains(name)) {
            throw refused(where, SEMANTIC_EXCEPTION + error.getMsg() + " " + name);
        }
    }

    private static SkepException refused(SyntaxNode where, String text) {
        return CompileErrors.plain(where.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.GENERIC_ERROR, text);
    }
}
