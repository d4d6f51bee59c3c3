package io.skep.ql.analyze;

import com.google.common.collect.ImmutableList;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes queries inside expressions: scalar, IN, EXISTS, and comparisons with ANY and ALL. */
final class SubqueryExpressions {
    private final Environment environment;
    private final ExpressionAnalyzer expressions;

    SubqueryExpressions(Environment environment, ExpressionAnalyzer expressions) {
        this.environment = environment;
        this.expressions = expressions;
    }

    /** Analyzes TOK_SUBQUERY_EXPR: the operator, the query, and the value on the left if present. */
    RexNode analyze(SyntaxNode node) {
        SyntaxNode operator = node.child(0);
        Relation query = environment.analyze(node.child(1), Optional.of(expressions.resolver()));
        if (operator.childCount() == 0 || !operator.child(0).is(HiveParser.KW_EXISTS)) {
            refuseCorrelatedWindows(node.child(1), query);
        }
        if (operator.childCount() == 0) {
            oneColumn(node, query);
            return RexSubQuery.scalar(query.rel());
        }
        return switch (operator.child(0).type()) {
            case HiveParser.KW_EXISTS -> RexSubQuery.exists(query.rel());
            case HiveParser.KW_IN -> in(node, query);
            case HiveParser.KW_SOME, HiveParser.KW_ANY -> quantified(node, query, operator.child(1), false);
            case HiveParser.KW_ALL -> quantified(node, query, operator.child(1), true);
            default ->
                throw SemanticErrors.notSupported(
                        node, "a subquery with " + operator.child(0).text());
        };
    }

    /** Refuses, as Hive does, windows in the SELECT list of a correlated subquery that gives values. */
    private void refuseCorrelatedWindows(SyntaxNode node, Relation query) {
        boolean windows = node.children().stream()
                .filter(block -> block.is(HiveParser.TOK_INSERT))
                .flatMap(block -> block.children().stream())
                .filter(clause -> clause.is(HiveParser.TOK_SELECT) || clause.is(HiveParser.TOK_SELECTDI))
                .anyMatch(
                        select -> !select.descendants(HiveParser.TOK_WINDOWSPEC).isEmpty());
        Set<CorrelationId> own = expressions.resolver().scope().correlation();
        if (windows && !Collections.disjoint(RelOptUtil.getVariablesUsed(query.rel()), own)) {
            throw CompileErrors.at(
                            node,
                            StandardErrorCode.NOT_SUPPORTED,
                            ErrorMsg.UNSUPPORTED_SUBQUERY_EXPRESSION,
                            "Only Correlated Exists/Not exists Sub Queries can contain Windowing clauses.")
                    .withHint("compute the window in a subquery of FROM");
        }
    }

    private static void oneColumn(SyntaxNode node, Relation query) {
        if (query.columns().size() != 1) {
            ErrorMsg error = ErrorMsg.INVALID_SUBQUERY_EXPRESSION;
            throw SemanticErrors.plain(
                    node, error, error.getMsg() + " SubQuery can contain only 1 item in Select List.");
        }
    }

    private RexNode in(SyntaxNode node, Relation query) {
        oneColumn(node, query);
        RexNode value = expressions.analyze(node.child(2));
        SqlType type = commonType(node, value, query);
        return RexSubQuery.in(
                converted(environment.factory(), query.rel(), type),
                ImmutableList.of(expressions.rex().cast(value, type)));
    }

    private static SqlType commonType(SyntaxNode node, RexNode value, Relation query) {
        SqlType left = ExpressionAnalyzer.type(value);
        SqlType right = ExpressionAnalyzer.type(column(query.rel()));
        return TypeRules.comparison(left, right)
                .orElseThrow(() -> SemanticErrors.wrongOperands(
                        node, "a value of type " + left + " cannot be compared with a subquery of type " + right));
    }

    private static RexNode column(RelNode rel) {
        return rel.getCluster().getRexBuilder().makeInputRef(rel, 0);
    }

    private static RelNode converted(RelFactory factory, RelNode rel, SqlType type) {
        RexNode column = column(rel);
        RexNode cast = factory.rex().cast(column, type);
        return cast.equals(column)
                ? rel
                : LogicalProject.create(
                        rel, List.of(), List.of(cast), rel.getRowType().getFieldNames(), Set.of());
    }

    /** Analyzes a comparison with ANY or ALL. {@code x > ALL q} is {@code NOT x <= ANY q}. */
    private RexNode quantified(SyntaxNode node, Relation query, SyntaxNode comparison, boolean all) {
        oneColumn(node, query);
        RexNode value = expressions.analyze(node.child(2));
        SqlType type = commonType(node, value, query);
        RelNode rel = converted(environment.factory(), query.rel(), type);
        HiveRexBuilder rex = expressions.rex();
        ImmutableList<RexNode> operand = ImmutableList.of(rex.cast(value, type));
        SqlKind kind = all ? kind(comparison).negateNullSafe() : kind(comparison);
        RexNode some =
                kind == SqlKind.EQUALS ? RexSubQuery.in(rel, operand) : RexSubQuery.some(rel, operand, some(kind));
        return all ? rex.makeCall(SqlStdOperatorTable.NOT, some) : some;
    }

    private static SqlKind kind(SyntaxNode comparison) {
        return switch (comparison.type()) {
            case HiveParser.EQUAL -> SqlKind.EQUALS;
            case HiveParser.NOTEQUAL -> SqlKind.NOT_EQUALS;
            case HiveParser.LESSTHAN -> SqlKind.LESS_THAN;
            case HiveParser.LESSTHANOREQUALTO -> SqlKind.LESS_THAN_OR_EQUAL;
            case HiveParser.GREATERTHAN -> SqlKind.GREATER_THAN;
            case HiveParser.GREATERTHANOREQUALTO -> SqlKind.GREATER_THAN_OR_EQUAL;
            default -> throw SemanticErrors.notSupported(comparison, comparison.text() + " with ANY or ALL");
        };
    }

    private static SqlQuantifyOperator some(SqlKind kind) {
        return SqlStdOperatorTable.some(kind);
    }
}
