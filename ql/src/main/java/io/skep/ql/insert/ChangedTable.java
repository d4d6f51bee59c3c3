package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The table that an UPDATE, DELETE or MERGE changes.
 *
 * @param alias the name by which the statement's expressions call it
 */
record ChangedTable(Table table, String alias, SyntaxNode name) {
    /**
     * @param name TOK_TABNAME
     * @param alias the alias that the statement gives; empty for the table's own name
     * @throws SkepException when rows of the table cannot be changed, with Hive's number
     */
    static ChangedTable of(SyntaxNode name, Optional<String> alias, StatementContext context) {
        ChangedTable changed = target(name, alias, context);
        Table table = changed.table();
        if (!table.isTransactional()) {
            throw refused(name, StandardErrorCode.NOT_SUPPORTED, ErrorMsg.ACID_OP_ON_NONACID_TABLE, table.name());
        }
        if (table.isInsertOnly()) {
            throw refused(
                    name, StandardErrorCode.NOT_SUPPORTED, ErrorMsg.ACID_OP_ON_INSERTONLYTRAN_TABLE, table.name());
        }
        return changed;
    }

    /** Like the other, for a statement that only adds rows, which tables without row identifiers take too. */
    static ChangedTable target(SyntaxNode name, Optional<String> alias, StatementContext context) {
        Table table = context.queriedTable(name);
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW || table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw refused(name, StandardErrorCode.NOT_A_TABLE, ErrorMsg.UPDATE_DELETE_VIEW, "");
        }
        return new ChangedTable(table, alias.orElse(table.name()), name);
    }

    boolean hasRowIds() {
        return table.isTransactional() && !table.isInsertOnly();
    }

    private static SkepException refused(SyntaxNode where, StandardErrorCode code, ErrorMsg error, String argument) {
        return CompileErrors.plain(
                where.position(), code, error, argument.isEmpty() ? error.getMsg() : error.format(argument));
    }

    SyntaxNode rowId() {
        return column(VirtualColumn.ROW_ID.column().name());
    }

    SyntaxNode column(String column) {
        return ChangeSyntax.column(alias, column);
    }

    /** Returns the data columns and the partition columns. */
    List<FieldSchema> columns() {
        return Stream.concat(table.columns().stream(), table.partitionKeys().stream())
                .toList();
    }

    /**
     * Returns the new values that a SET clause has, by their columns. The last value of a column counts, as in Hive.
     *
     * @param clause TOK_SET_COLUMNS_CLAUSE
     * @throws SkepException for a column that cannot be set
     */
    Map<String, SyntaxNode> assignments(SyntaxNode clause, StatementContext context) {
        Map<String, SyntaxNode> values = new LinkedHashMap<>();
        DefaultValues defaults = new DefaultValues(table, context);
        for (SyntaxNode assignment : clause.children()) {
            SyntaxNode target = assignment.child(0);
            String column = SyntaxText.identifier(target.child(0));
            if (table.partitionKeys().stream().anyMatch(key -> key.name().equals(column))) {
                throw refused(target, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.UPDATE_CANNOT_UPDATE_PART_VALUE, "");
            }
            if (table.storage().bucketColumns().contains(column)) {
                throw refused(
                        target, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.UPDATE_CANNOT_UPDATE_BUCKET_VALUE, column);
            }
            requireColumn(column, target);
            values.put(column, defaults.inPlace(assignment.child(1), column));
        }
        return values;
    }

    private void requireColumn(String column, SyntaxNode where) {
        if (columns().stream().noneMatch(one -> one.name().equals(column))) {
            ErrorMsg error = ErrorMsg.INVALID_TARGET_COLUMN_IN_SET_CLAUSE;
            throw CompileErrors.plain(
                    where.position(),
                    StandardErrorCode.COLUMN_NOT_FOUND,
                    error,
                    error.format(column, table.qualifiedName()));
        }
    }

    /**
     * Returns the values that an INSERT of a MERGE has for all columns.
     *
     * @param insert TOK_INSERT
     */
    List<SyntaxNode> inserted(SyntaxNode insert, StatementContext context) {
        SyntaxNode row = insert.first(HiveParser.TOK_FUNCTION).orElseThrow();
        List<SyntaxNode> given = row.children().subList(1, row.childCount());
        List<String> all = columns().stream().map(FieldSchema::name).toList();
        Optional<SyntaxNode> list = insert.first(HiveParser.TOK_TABCOLNAME);
        List<String> named = list.map(names -> names(names, all)).orElse(all);
        if (named.size() != given.size()) {
            throw mismatch(list.orElse(insert), list.isPresent(), named.size(), given.size());
        }
        DefaultValues defaults = new DefaultValues(table, context);
        List<SyntaxNode> values = new ArrayList<>();
        for (String column : all) {
            int at = named.indexOf(column);
            values.add(at < 0 ? defaults.syntax(column) : defaults.inPlace(given.get(at), column));
        }
        return values;
    }

    private List<String> names(SyntaxNode list, List<String> all) {
        Set<String> names = new LinkedHashSet<>();
        for (SyntaxNode node : list.children()) {
            String name = SyntaxText.identifier(node);
            if (!names.add(name)) {
                throw listed(
                        node,
                        "Duplicate column name detected in " + table.qualifiedName() + " table schema specification");
            }
            if (!all.contains(name)) {
                throw listed(
                                node,
                                "'" + name + "' in insert schema specification is not found among regular columns of "
                                        + table.qualifiedName() + " nor dynamic partition columns.")
                        .withHint("columns are " + String.join(", ", all));
            }
        }
        return List.copyOf(names);
    }

    private static SkepException listed(SyntaxNode name, String words) {
        return CompileErrors.near(name, StandardErrorCode.COLUMN_NOT_FOUND, words);
    }

    private SkepException mismatch(SyntaxNode where, boolean isListed, int columns, int values) {
        if (isListed) {
            return CompileErrors.plain(
                    where.position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    "Column schema must have the same length as values (" + columns + " vs " + values + ")");
        }
        return CompileErrors.at(
                name,
                StandardErrorCode.SEMANTIC_ERROR,
                ErrorMsg.TARGET_TABLE_COLUMN_MISMATCH,
                "Table insclause-0 has " + columns + " columns, but query has " + values + " columns");
    }
}
