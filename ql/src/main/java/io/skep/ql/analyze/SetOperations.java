package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
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
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** UNION, INTERSECT, EXCEPT: columns by position, in a type that both sides go into. */
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
        List<SyntaxNode> branches = new ArrayList<>();
        flatten(node, node.type(), branches);
        List<Relation> relations = new ArrayList<>();
        branches.forEach(branch -> relations.add(environment.analyze(branch, outer)));
        List<SqlType> types = types(node, branches, relations);
        List<RelNode> inputs = relations.stream()
                .map(relation -> converted(relation.rel(), types))
                .toList();
        return relations.getFirst().over(create(node.type(), inputs));
    }

    /** A chain of UNION ALL is one operation. */
    private static void flatten(SyntaxNode node, int type, List<SyntaxNode> branches) {
        for (SyntaxNode child : node.children()) {
            if (child.is(type) && type == HiveParser.TOK_UNIONALL) {
                flatten(child, type, branches);
            } else {
                branches.add(child);
            }
        }
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

    private static List<SqlType> types(SyntaxNode node, List<SyntaxNode> branches, List<Relation> relations) {
        List<SqlType> types = new ArrayList<>(
                TypeMapping.columnTypes(relations.getFirst().rel().getRowType()));
        for (int i = 1; i < relations.size(); i++) {
            List<SqlType> other = TypeMapping.columnTypes(relations.get(i).rel().getRowType());
            if (other.size() != types.size()) {
                throw SemanticErrors.semantic(
                        branches.get(i),
                        "the branches of a set operation have " + types.size() + " and " + other.size() + " columns");
            }
            for (int column = 0; column < types.size(); column++) {
                SqlType left = types.get(column);
                SqlType right = other.get(column);
                String name = relations.getFirst().columns().get(column).name();
                types.set(
                        column,
                        TypeRules.union(left, right)
                                .orElseThrow(() -> SemanticErrors.error(
                                                StandardErrorCode.TYPE_MISMATCH,
                                                node,
                                                "column '" + name + "' of the set operation is of type " + left
                                                        + " on one side and " + right + " on the other")
                                        .withHint("CAST one of them")));
            }
        }
        return types;
    }

    private RelNode converted(RelNode rel, List<SqlType> types) {
        if (TypeMapping.columnTypes(rel.getRowType()).equals(types)) {
            return rel;
        }
        List<RexNode> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            values.add(factory.rex().cast(factory.column(rel, i), types.get(i)));
        }
        return LogicalProject.create(rel, List.of(), values, rel.getRowType().getFieldNames(), Set.of());
    }
}
