package io.skep.ql.insert;

import io.skep.common.vector.Datum;
import io.skep.metastore.Constraint;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The values for columns that an INSERT does not name, or for which it says DEFAULT: the value of the column's
 * constraint, or NULL.
 */
public final class DefaultValues {
    private static final String NULL = "null";

    private final Table table;
    private final StatementContext context;

    DefaultValues(Table table, StatementContext context) {
        this.table = table;
        this.context = context;
    }

    /** Returns the value for a column that the INSERT does not name. */
    RexNode of(FieldSchema column, HiveRexBuilder rex) {
        Optional<String> text = text(column.name());
        if (text.isEmpty()) {
            return rex.constant(Datum.NULL, column.type());
        }
        RexNode value = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                .analyzeConstant(parse(text.get()));
        return rex.cast(value, column.type());
    }

    private Optional<String> text(String column) {
        return TableStore.constraints(table, context).stream()
                .filter(one -> one.state().enabled())
                .filter(one -> one instanceof Constraint.DefaultValue value
                        && value.column().equals(column))
                .map(one -> ((Constraint.DefaultValue) one).value())
                .findFirst();
    }

    /** Returns the default of a column as an expression. */
    SyntaxNode syntax(String column) {
        return parse(text(column).orElse(NULL));
    }

    /** Returns the column's default in the place of the word DEFAULT, and other expressions as they are. */
    SyntaxNode inPlace(SyntaxNode value, String column) {
        return isDefault(value) ? syntax(column) : value;
    }

    private static SyntaxNode parse(String expression) {
        return new HiveSqlParser(Map.of()).parseExpression(expression);
    }

    /**
     * Returns the statement with values in place of DEFAULT in its rows of VALUES, or the statement itself if there is
     * no DEFAULT.
     */
    public static SyntaxNode inValues(SyntaxNode query, StatementContext context) {
        boolean any = query.descendants(HiveParser.TOK_TABLE_OR_COL).stream().anyMatch(DefaultValues::isDefault);
        List<SyntaxNode> destinations = query.descendants(HiveParser.TOK_TAB);
        if (!any || destinations.isEmpty()) {
            return query;
        }
        SyntaxNode insert = query.first(HiveParser.TOK_INSERT).orElseThrow().child(0);
        Destination destination = Destination.of(insert, context);
        List<String> columns = InsertPlanning.listed(
                destination, destination.wanted(), destination.wanted().size());
        return new DefaultValues(destination.table(), context).replaced(query, columns);
    }

    private static boolean isDefault(SyntaxNode node) {
        return node.is(HiveParser.TOK_TABLE_OR_COL) && node.child(0).is(HiveParser.TOK_DEFAULT_VALUE);
    }

    /** Replaces DEFAULT in each row of VALUES, which the grammar writes as {@code struct(...)}. */
    private SyntaxNode replaced(SyntaxNode node, List<String> columns) {
        boolean row = node.is(HiveParser.TOK_FUNCTION)
                && node.child(0).text().equalsIgnoreCase("struct")
                && node.children().stream().anyMatch(DefaultValues::isDefault);
        List<SyntaxNode> children = new ArrayList<>();
        for (int i = 0; i < node.childCount(); i++) {
            SyntaxNode child = node.child(i);
            boolean value = row && isDefault(child) && i <= columns.size();
            children.add(value ? parse(text(columns.get(i - 1)).orElse(NULL)) : replaced(child, columns));
        }
        return node.withChildren(children);
    }
}
