package io.skep.ql.create;

import io.skep.metastore.Constraint;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Formats constraints as text: the expressions that are stored, and the statements at the end of SHOW CREATE TABLE. */
public final class ConstraintText {
    private ConstraintText() {}

    /** Returns the source of an expression, with column names in back-ticks. */
    static String quoted(SyntaxNode expression) {
        List<SyntaxNode> names = expression.descendants(HiveParser.TOK_TABLE_OR_COL).stream()
                .map(node -> node.child(0))
                .sorted(Comparator.comparingInt(SyntaxNode::offset))
                .toList();
        String source = expression.source();
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (SyntaxNode name : names) {
            int start = name.offset() - expression.offset();
            text.append(source, at, start).append(quoted(SyntaxText.identifier(name)));
            at = start + name.source().length();
        }
        return text.append(source, at, source.length()).toString();
    }

    public static String quoted(String name) {
        return HiveSqlParser.quoted(name);
    }

    /**
     * Returns the statements that recreate the constraints, one per line. As in Hive, only constraints with RELY are
     * shown.
     */
    public static List<String> statements(Table table, List<Constraint> constraints) {
        List<String> lines = new ArrayList<>();
        String alter = "ALTER TABLE " + quoted(table.database()) + "." + quoted(table.name());
        constraints.stream()
                .filter(one -> one.state().relied())
                .sorted(Comparator.comparingInt(ConstraintText::rank).thenComparing(Constraint::name))
                .forEach(one -> lines.add(alter + clause(table, one) + state(one.state()) + ";"));
        return lines;
    }

    private static int rank(Constraint constraint) {
        return switch (constraint) {
            case Constraint.PrimaryKey key -> 0;
            case Constraint.ForeignKey key -> 1;
            case Constraint.Unique key -> 2;
            case Constraint.DefaultValue one -> 3;
            case Constraint.Check one -> 4;
            case Constraint.NotNull one -> 5;
        };
    }

    private static String clause(Table table, Constraint constraint) {
        String add = " ADD CONSTRAINT " + quoted(constraint.name());
        return switch (constraint) {
            case Constraint.PrimaryKey key -> add + " PRIMARY KEY " + list(key.columns());
            case Constraint.Unique key -> add + " UNIQUE " + list(key.columns());
            case Constraint.ForeignKey key ->
                add + " FOREIGN KEY " + list(key.columns()) + " REFERENCES " + quoted(key.parentDatabase()) + "."
                        + quoted(key.parentTable()) + list(key.parentColumns());
            case Constraint.Check one -> add + " CHECK (" + one.expression() + ")";
            case Constraint.DefaultValue one -> change(table, one.column(), one) + " DEFAULT " + one.value();
            case Constraint.NotNull one -> change(table, one.column(), one) + " NOT NULL";
        };
    }

    private static String change(Table table, String column, Constraint constraint) {
        Optional<FieldSchema> field = table.allColumns().stream()
                .filter(each -> each.name().equals(column))
                .findFirst();
        return " CHANGE COLUMN " + quoted(column) + " " + quoted(column) + " "
                + field.map(each -> each.type().displayName()).orElse("") + " CONSTRAINT " + quoted(constraint.name());
    }

    private static String list(List<String> columns) {
        return columns.stream().map(ConstraintText::quoted).collect(Collectors.joining(",", "(", ")"));
    }

    private static String state(Constraint.State state) {
        return (state.enabled() ? " ENABLE" : " DISABLE")
                + (state.validated() ? " VALIDATE" : " NOVALIDATE")
                + (state.relied() ? " RELY" : " NORELY");
    }
}
