package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalIntersect;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes UNION, INTERSECT and EXCEPT. Columns match by position, in a type that both sides convert to. */
final class SetOperations {
    private final Environment environment;
    private final RelFactory factory;

    SetOperations(Environment environment) {
        this.environment = environment;
        this.factory = environment.factory();
    }

    static boolean isSetOperation(SyntaxNode node) {
        return switch (node.type()) {
            case HiveParser.TOK_UNIONALL,
                    HiveParser.TOK_UNIONDISTINCT,
                    HiveParser.TOK_INTERSECTALL,
                    HiveParser.TOK_INTERSECTDISTINCT,
                    HiveParser.TOK_EXCEPTALL,
                    HiveParser.TOK_EXCEPTDISTINCT -> true;
            default -> false;
        };
    }

    Relation analyze(SyntaxNode node, Optional<Resolver> outer) {
        if (!isUnion(node)) {
            environment.requireCostBasedOptimizer(
                    node,
                    "EXCEPT and INTERSECT operations are only supported with Cost Based Optimizations enabled."
                            + " Please set 'hive.cbo.enable' to true!");
        }
        List<SyntaxNode> branches = branches(node);
        List<Relation> relations = new ArrayList<>();
        branches.forEach(branch -> relations.add(environment.analyze(branch, outer)));
        List<List<SqlType>> types = types(node, branches, relations);
        List<RelNode> inputs = new ArrayList<>();
        for (int i = 0; i < relations.size(); i++) {
            inputs.add(converted(relations.get(i).rel(), types.subList(i, types.size())));
        }
        return relations.getFirst().distinctNames().over(create(node.type(), inputs));
    }

    /** Flattens a chain of unions into one operation. If the final result is distinct, its inputs need not be. */
    private static List<SyntaxNode> branches(SyntaxNode node) {
        List<SyntaxNode> branches = new ArrayList<>();
        SyntaxNode first = node;
        do {
            branches.add(first.child(1));
            first = first.child(0);
        } while (node.is(first.type()) && isUnion(node)
                || node.is(HiveParser.TOK_UNIONDISTINCT) && first.is(HiveParser.TOK_UNIONALL));
        branches.add(first);
        return branches.reversed();
    }

    private static boolean isUnion(SyntaxNode node) {
        return node.is(HiveParser.TOK_UNIONALL) || node.is(HiveParser.TOK_UNIONDISTINCT);
    }

    private RelNode create(int type, List<RelNode> inputs) {
        return switch (type) {
            case HiveParser.TOK_UNIONALL -> LogicalUnion.create(inputs, true);
            case HiveParser.TOK_UNIONDISTINCT -> LogicalUnion.create(inputs, false);
            case HiveParser.TOK_INTERSECTALL -> counted(inputs).intersect(inputs.getFirst(), inputs.getLast());
            case HiveParser.TOK_INTERSECTDISTINCT -> LogicalIntersect.create(inputs, false);
            case HiveParser.TOK_EXCEPTALL -> counted(inputs).except(inputs.getFirst(), inputs.getLast());
            default -> LogicalMinus.create(inputs, false);
        };
    }

    private CountedRows counted(List<RelNode> inputs) {
        return new CountedRows(factory, inputs.getFirst().getRowType().getFieldCount());
    }

    /** Returns the column types of the first branch, then of the first two branches, and so on. */
    private static List<List<SqlType>> types(SyntaxNode node, List<SyntaxNode> branches, List<Relation> relations) {
        List<SqlType> types = TypeMapping.columnTypes(relations.getFirst().rel().getRowType());
        List<List<SqlType>> steps = new ArrayList<>(List.of(types));
        for (int i = 1; i < relations.size(); i++) {
            types = new ArrayList<>(types);
            List<SqlType> other = TypeMapping.columnTypes(relations.get(i).rel().getRowType());
            if (other.size() != types.size()) {
                throw SemanticErrors.plain(branches.get(i), "Schema of both sides of union should match.")
                        .withHint("one has " + types.size() + " columns, the other " + other.size());
            }
            for (int column = 0; column < types.size(); column++) {
                SqlType left = types.get(column);
                SqlType right = other.get(column);
                String name = relations.getFirst().columns().get(column).name();
                types.set(
                        column,
                        TypeRules.union(left, right)
                                .orElseThrow(() -> CompileErrors.plain(
                                                node.position(),
                                                StandardErrorCode.TYPE_MISMATCH,
                                                ErrorMsg.GENERIC_ERROR,
                                                "Schema of both sides of union should match: Column " + name
                                                        + " is of type " + left.displayName()
                                                        + " on first table and type " + right.displayName()
                                                        + " on second table.")
                                        .withHint("CAST one of them")));
            }
            steps.add(types.equals(steps.getLast()) ? steps.getLast() : types);
        }
        return steps;
    }

    /**
     * Converts a branch through the types of all steps, as Hive 4.0.1 does. An INT that is first united with a FLOAT
     * and then with a DOUBLE is rounded.
     */
    private RelNode converted(RelNode rel, List<List<SqlType>> steps) {
        List<SqlType> types = TypeMapping.columnTypes(rel.getRowType());
        List<RexNode> values = factory.columns(rel);
        for (List<SqlType> step : steps) {
            if (!step.equals(types)) {
                values = cast(values, step);
                types = step;
            }
        }
        if (values.equals(factory.columns(rel))) {
            return rel;
        }
        return LogicalProject.create(rel, List.of(), values, rel.getRowType().getFieldNames(), Set.of());
    }

    private List<RexNode> cast(List<RexNode> values, List<SqlType> types) {
        List<RexNode> cast = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            cast.add(factory.rex().cast(values.get(i), types.get(i)));
        }
        return cast;
    }
}
