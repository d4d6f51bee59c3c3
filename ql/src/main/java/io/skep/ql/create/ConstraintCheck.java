package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.Constraint;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TypeMapping;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Checks whether constraints are valid for a table: its columns exist, a DEFAULT has the column's type, a CHECK is a
 * condition.
 */
public final class ConstraintCheck {
    private final Table table;
    private final StatementContext context;

    public ConstraintCheck(Table table, StatementContext context) {
        this.table = table;
        this.context = context;
    }

    /** @param where the statement, for errors */
    public void check(List<Constraint> constraints, SyntaxNode where) {
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        columns.addAll(table.partitionKeys());
        ConstraintClauses.requireColumns(constraints, columns, where);
        for (Constraint constraint : constraints) {
            if (constraint instanceof Constraint.DefaultValue value) {
                checkDefault(value, columns, where);
            }
            if (constraint instanceof Constraint.Check check) {
                checkCondition(check, where);
            }
        }
    }

    private void checkDefault(Constraint.DefaultValue constraint, List<FieldSchema> columns, SyntaxNode where) {
        FieldSchema column = columns.stream()
                .filter(each -> each.name().equals(constraint.column()))
                .findFirst()
                .orElseThrow();
        SqlType type = TypeMapping.toSql(analyzer(new RelFactory())
                .analyzeConstant(parse(constraint.value()))
                .getType());
        if (!type.equals(column.type())) {
            throw ConstraintClauses.invalid("Invalid type: " + type.displayName() + " for default value: "
                            + constraint.value() + ". Please make sure that the type is compatible with column type: "
                            + column.type().displayName())
                    .withHint("write cast(" + constraint.value() + " as "
                            + column.type().displayName() + ")")
                    .at(where.position());
        }
    }

    private void checkCondition(Constraint.Check constraint, SyntaxNode where) {
        SyntaxNode expression = parse(constraint.expression());
        String what = "Invalid CHECK constraint expression: " + constraint.expression() + ". ";
        boolean query = !expression.descendants(HiveParser.TOK_SUBQUERY_EXPR).isEmpty();
        boolean window = !expression.descendants(HiveParser.TOK_WINDOWSPEC).isEmpty();
        if (query || window) {
            throw ConstraintClauses.invalid(
                            what + (query ? "Subqueries" : "Window functions") + " are not allowed in a CHECK")
                    .at(where.position());
        }
        SqlType type;
        try {
            RelFactory factory = new RelFactory();
            type = TypeMapping.toSql(analyzer(factory)
                    .analyzeExpression(expression, noRows(factory))
                    .getType());
        } catch (SkepException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONSTRAINT,
                            "Invalid Constraint syntax " + what + e.getMessage(),
                            e)
                    .at(where.position())
                    .as(CompileErrors.plainly(ErrorMsg.INVALID_CSTR_SYNTAX));
        }
        if (type != PrimitiveType.BOOLEAN) {
            throw ConstraintClauses.invalid(what + "Only boolean type is supported for CHECK constraint: "
                            + constraint.expression() + ". Found: " + type.displayName())
                    .at(where.position());
        }
    }

    private RelNode noRows(RelFactory factory) {
        List<String> names = table.columns().stream().map(FieldSchema::name).toList();
        List<SqlType> types = table.columns().stream().map(FieldSchema::type).toList();
        return factory.noRows(names, types);
    }

    private QueryAnalyzer analyzer(RelFactory factory) {
        return new QueryAnalyzer(new SessionAnalysisContext(context), factory);
    }

    private static SyntaxNode parse(String expression) {
        return new HiveSqlParser(Map.of()).parseExpression(expression);
    }
}
