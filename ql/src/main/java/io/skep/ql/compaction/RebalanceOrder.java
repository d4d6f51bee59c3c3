package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.engine.plan.SortKey;
import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import io.skep.storage.table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The order that a rebalance gives the rows of each partition. It is kept in the queue as the text of an ORDER BY
 * clause, which Hive takes too.
 */
public record RebalanceOrder(List<Key> keys) {
    /** One column of the order. */
    public record Key(String column, boolean ascending, boolean nullsFirst) {
        private String text() {
            return HiveSqlParser.quoted(column) + (ascending ? " asc" : " desc") + " nulls "
                    + (nullsFirst ? "first" : "last");
        }
    }

    public RebalanceOrder {
        keys = List.copyOf(keys);
    }

    /**
     * Reads a clause.
     *
     * @param clause TOK_ORDERBY
     * @throws SkepException NOT_SUPPORTED when it orders by something else than columns
     */
    public static RebalanceOrder of(SyntaxNode clause) {
        return new RebalanceOrder(
                clause.children().stream().map(RebalanceOrder::key).toList());
    }

    /** Reads the text of a clause, as {@link #text()} returns it and Hive writes it. */
    static RebalanceOrder parse(String text) {
        SyntaxNode query = new HiveSqlParser(Map.of()).parse("select 1 from t " + text);
        List<SyntaxNode> clauses = query.descendants(HiveParser.TOK_ORDERBY);
        if (clauses.size() != 1) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "a rebalance with the order: " + text);
        }
        return of(clauses.getFirst());
    }

    private static Key key(SyntaxNode node) {
        boolean ascending = !node.is(HiveParser.TOK_TABSORTCOLNAMEDESC);
        SyntaxNode nulls = node.child(0);
        boolean isPlaced = nulls.is(HiveParser.TOK_NULLS_FIRST) || nulls.is(HiveParser.TOK_NULLS_LAST);
        SyntaxNode expression = isPlaced ? nulls.child(0) : nulls;
        if (!expression.is(HiveParser.TOK_TABLE_OR_COL)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "a rebalance orders rows by columns, and not by " + expression.source())
                    .at(expression.position())
                    .withHint("name columns; AND WAIT stands before ORDER BY");
        }
        String column = SyntaxText.identifier(expression.child(0)).toLowerCase(Locale.ROOT);
        return new Key(column, ascending, isPlaced ? nulls.is(HiveParser.TOK_NULLS_FIRST) : ascending);
    }

    /** Returns the text of the clause. */
    public String text() {
        return keys.stream().map(Key::text).collect(Collectors.joining(", ", "order by ", ""));
    }

    /**
     * Returns the keys as positions of columns. Partition columns are left out, since rows are ordered within a
     * partition.
     *
     * @throws SkepException COLUMN_NOT_FOUND, NOT_SUPPORTED when a column has no order
     */
    public List<SortKey> sortKeys(List<Column> columns, List<FieldSchema> partitionKeys) {
        List<SortKey> found = new ArrayList<>();
        for (Key key : keys) {
            int position = position(key.column(), columns);
            boolean isPartitionKey =
                    partitionKeys.stream().anyMatch(other -> other.name().equalsIgnoreCase(key.column()));
            if (position < 0 && !isPartitionKey) {
                throw new SkepException(
                                StandardErrorCode.COLUMN_NOT_FOUND,
                                "a rebalance cannot order by " + key.column() + ", which is no column of the table")
                        .withHint("the columns are "
                                + columns.stream().map(Column::name).collect(Collectors.joining(", ")));
            }
            if (position >= 0 && !isOrdered(columns.get(position).type())) {
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "a rebalance cannot order by " + key.column() + ", which is of type "
                                + columns.get(position).type().displayName());
            }
            if (position >= 0) {
                found.add(new SortKey(position, key.ascending(), key.nullsFirst()));
            }
        }
        return found;
    }

    private static boolean isOrdered(SqlType type) {
        return switch (type) {
            case PrimitiveType _, DecimalType _, CharType _, VarcharType _ -> true;
            case ArrayType _, MapType _, StructType _, UnionType _ -> false;
        };
    }

    private static int position(String name, List<Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
