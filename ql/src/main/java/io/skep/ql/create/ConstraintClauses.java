package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Constraint;
import io.skep.metastore.Constraint.State;
import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Reads the constraints of a statement, which follow a column or stand on their own, as far as this is possible without
 * the table.
 */
public final class ConstraintClauses {
    private static final int LONGEST = 255;
    private static final Set<Integer> KINDS = Set.of(
            HiveParser.TOK_PRIMARY_KEY,
            HiveParser.TOK_FOREIGN_KEY,
            HiveParser.TOK_UNIQUE,
            HiveParser.TOK_NOT_NULL,
            HiveParser.TOK_DEFAULT_VALUE,
            HiveParser.TOK_CHECK_CONSTRAINT);

    /** Constraints that external tables have not even without enforcement, as in Hive. */
    private static final Set<Integer> OF_ROWS = Set.of(HiveParser.TOK_DEFAULT_VALUE, HiveParser.TOK_CHECK_CONSTRAINT);

    private final boolean external;
    private final StatementContext context;

    /** @param external whether the table is external, so that its rows may also be written outside Skep */
    public ConstraintClauses(boolean external, StatementContext context) {
        this.external = external;
        this.context = context;
    }

    /** Returns all constraints among the data columns and partition columns of CREATE TABLE. */
    List<Constraint> ofTable(SyntaxNode statement) {
        List<Constraint> found = new ArrayList<>();
        statement.first(HiveParser.TOK_TABCOLLIST).ifPresent(list -> found.addAll(ofColumns(list)));
        statement
                .first(HiveParser.TOK_TABLEPARTCOLS)
                .map(node -> node.has(HiveParser.TOK_TABCOLLIST) ? node.child(0) : node)
                .ifPresent(list -> found.addAll(ofPartitionColumns(list)));
        return found;
    }

    private List<Constraint> ofPartitionColumns(SyntaxNode list) {
        List<Constraint> found = ofColumns(list);
        for (Constraint one : found) {
            if (one.state().enabled()) {
                throw invalid("NOT NULL,DEFAULT and CHECK Constraints are not allowed with partition columns.")
                        .at(list.position());
            }
        }
        return found;
    }

    /** @param list TOK_TABCOLLIST: columns with their constraints, and constraints of the whole table */
    List<Constraint> ofColumns(SyntaxNode list) {
        List<Constraint> found = new ArrayList<>();
        for (SyntaxNode item : list.children()) {
            if (item.is(HiveParser.TOK_TABCOL)) {
                found.addAll(ofColumn(item, SyntaxText.identifier(item.child(0))));
            } else if (KINDS.contains(item.type())) {
                found.add(constraint(item, Optional.empty()));
            }
        }
        return found;
    }

    /** @param column TOK_TABCOL, or CHANGE COLUMN */
    public List<Constraint> ofColumn(SyntaxNode column, String name) {
        return column.children().stream()
                .filter(child -> KINDS.contains(child.type()))
                .map(child -> constraint(child, Optional.of(name)))
                .toList();
    }

    /** @param column the column that the clause follows; empty for a constraint of the whole table */
    public Constraint constraint(SyntaxNode clause, Optional<String> column) {
        String name = clause.first(HiveParser.TOK_CONSTRAINT_NAME)
                .map(node -> SyntaxText.identifier(node.child(0)))
                .orElse("");
        if (name.length() > LONGEST) {
            throw invalid("Constraint name '" + name + "' is longer than " + LONGEST + " characters")
                    .at(clause.position());
        }
        State state = state(clause);
        if (external && column.isPresent() && OF_ROWS.contains(clause.type())) {
            throw ofExternal().at(clause.position());
        }
        List<SyntaxNode> columnLists = clause.all(HiveParser.TOK_TABCOLNAME);
        return switch (clause.type()) {
            case HiveParser.TOK_PRIMARY_KEY -> new Constraint.PrimaryKey(name, keys(columnLists, column), state);
            case HiveParser.TOK_UNIQUE -> new Constraint.Unique(name, keys(columnLists, column), state);
            case HiveParser.TOK_FOREIGN_KEY -> foreignKey(clause, name, columnLists, state);
            case HiveParser.TOK_NOT_NULL ->
                new Constraint.NotNull(name, column.orElseThrow(() -> misplaced(clause)), state);
            case HiveParser.TOK_DEFAULT_VALUE ->
                new Constraint.DefaultValue(
                        name,
                        column.orElseThrow(() -> misplaced(clause)),
                        short255(clause.child(0), clause.child(0).source()),
                        state);
            default ->
                new Constraint.Check(
                        name, column, short255(clause.child(0), ConstraintText.quoted(clause.child(0))), state);
        };
    }

    private static SkepException misplaced(SyntaxNode clause) {
        return invalid("this constraint stands behind a column: " + clause.text())
                .at(clause.position());
    }

    private static List<String> keys(List<SyntaxNode> lists, Optional<String> column) {
        return lists.isEmpty() ? column.stream().toList() : names(lists.getFirst());
    }

    private static List<String> names(SyntaxNode list) {
        return list.children().stream().map(SyntaxText::identifier).toList();
    }

    private Constraint foreignKey(SyntaxNode clause, String name, List<SyntaxNode> lists, State state) {
        TableName parent =
                TableName.of(clause.first(HiveParser.TOK_TABNAME).orElseThrow(() -> misplaced(clause)), context);
        List<String> columns = names(lists.getFirst());
        List<String> parentColumns = names(lists.getLast());
        if (columns.size() != parentColumns.size()) {
            throw invalid("The number of foreign key columns should be same as number of parent key columns")
                    .at(clause.position());
        }
        return new Constraint.ForeignKey(name, columns, parent.database(), parent.table(), parentColumns, state);
    }

    private static String short255(SyntaxNode where, String text) {
        if (text.length() > LONGEST) {
            throw invalid("the expression of a constraint is at most " + LONGEST + " characters long, not "
                            + text.length())
                    .at(where.position());
        }
        return text;
    }

    /**
     * Returns the state of a constraint. Keys are never enforced, and nothing is validated. Enforcement requires that
     * only this server writes the rows.
     */
    private State state(SyntaxNode clause) {
        boolean enabled = true;
        boolean validated = false;
        boolean relied = true;
        for (SyntaxNode option : clause.children()) {
            switch (option.type()) {
                case HiveParser.TOK_ENABLE -> enabled = true;
                case HiveParser.TOK_DISABLE -> {
                    enabled = false;
                    relied = false;
                }
                case HiveParser.TOK_VALIDATE -> validated = true;
                case HiveParser.TOK_NOVALIDATE -> validated = false;
                case HiveParser.TOK_RELY -> relied = true;
                case HiveParser.TOK_NORELY -> relied = false;
                default -> {}
            }
        }
        boolean key = clause.is(HiveParser.TOK_PRIMARY_KEY)
                || clause.is(HiveParser.TOK_UNIQUE)
                || clause.is(HiveParser.TOK_FOREIGN_KEY);
        if (enabled && key) {
            throw invalid("ENABLE/ENFORCED feature not supported yet. Please use DISABLE/NOT ENFORCED instead.")
                    .at(clause.position());
        }
        if (validated) {
            throw invalid("VALIDATE feature not supported yet. Please use NOVALIDATE instead.")
                    .at(clause.position());
        }
        if (enabled && external) {
            throw ofExternal().withHint("write DISABLE behind the constraint").at(clause.position());
        }
        return new State(enabled, false, relied);
    }

    private static SkepException ofExternal() {
        return invalid("Constraints are disallowed with External tables. Only RELY is allowed.");
    }

    static SkepException invalid(String why) {
        return new SkepException(
                        StandardErrorCode.INVALID_CONSTRAINT, ErrorMsg.INVALID_CSTR_SYNTAX.getMsg() + " " + why)
                .as(CompileErrors.plainly(ErrorMsg.INVALID_CSTR_SYNTAX));
    }

    /** Requires that the columns of the constraints exist. */
    static void requireColumns(List<Constraint> constraints, List<FieldSchema> columns, SyntaxNode where) {
        List<String> names = columns.stream().map(FieldSchema::name).toList();
        for (Constraint one : constraints) {
            for (String column : one.columns()) {
                if (!names.contains(column)) {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_CONSTRAINT,
                                    "InvalidObjectException(message:Parent column not found: " + column + ")")
                            .withHint("columns are " + String.join(", ", names))
                            .at(where.position());
                }
            }
        }
    }
}
