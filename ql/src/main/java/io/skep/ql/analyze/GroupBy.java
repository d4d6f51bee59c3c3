package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The GROUP BY clause of a query block.
 *
 * @param keys the grouped expressions
 * @param sets the positions of the keys of each grouping set; a plain GROUP BY has one set with all of them
 * @param grouped whether the clause has grouping sets
 * @param inSets the keys as the clause repeats them in its sets
 */
record GroupBy(List<SyntaxNode> keys, List<ImmutableBitSet> sets, boolean grouped, List<SyntaxNode> inSets) {
    private static final int MAX_CUBE_KEYS = 12;

    static final GroupBy NONE = new GroupBy(List.of(), List.of(ImmutableBitSet.of()), false, List.of());

    /** @param block TOK_INSERT */
    static Optional<GroupBy> of(SyntaxNode block) {
        for (SyntaxNode clause : block.children()) {
            switch (clause.type()) {
                case HiveParser.TOK_GROUPBY -> {
                    return Optional.of(plain(clause.children()));
                }
                case HiveParser.TOK_ROLLUP_GROUPBY -> {
                    return Optional.of(rollup(clause.children()));
                }
                case HiveParser.TOK_CUBE_GROUPBY -> {
                    return Optional.of(cube(clause));
                }
                case HiveParser.TOK_GROUPING_SETS -> {
                    return Optional.of(groupingSets(clause));
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    static GroupBy plain(List<SyntaxNode> keys) {
        return new GroupBy(keys, List.of(ImmutableBitSet.range(keys.size())), false, List.of());
    }

    private static GroupBy rollup(List<SyntaxNode> keys) {
        List<ImmutableBitSet> sets = new ArrayList<>();
        for (int size = keys.size(); size >= 0; size--) {
            sets.add(ImmutableBitSet.range(size));
        }
        return new GroupBy(keys, sets, true, List.of());
    }

    private static GroupBy cube(SyntaxNode clause) {
        List<SyntaxNode> keys = clause.children();
        if (keys.size() > MAX_CUBE_KEYS) {
            throw SemanticErrors.error(
                    StandardErrorCode.SEMANTIC_ERROR, clause, "CUBE over " + keys.size() + " expressions is too large");
        }
        List<ImmutableBitSet> sets = new ArrayList<>();
        ImmutableBitSet.range(keys.size()).powerSet().forEach(sets::add);
        return new GroupBy(keys, sets, true, List.of());
    }

    private static GroupBy groupingSets(SyntaxNode clause) {
        List<SyntaxNode> keys = clause.children().stream()
                .filter(child -> !child.is(HiveParser.TOK_GROUPING_SETS_EXPRESSION))
                .toList();
        List<String> shapes = keys.stream().map(SyntaxNode::shape).toList();
        List<ImmutableBitSet> sets = new ArrayList<>();
        List<SyntaxNode> inSets = new ArrayList<>();
        for (SyntaxNode set : clause.all(HiveParser.TOK_GROUPING_SETS_EXPRESSION)) {
            ImmutableBitSet.Builder positions = ImmutableBitSet.builder();
            for (SyntaxNode key : set.children()) {
                int position = shapes.indexOf(key.shape());
                if (position < 0) {
                    ErrorMsg error = ErrorMsg.HIVE_GROUPING_SETS_EXPR_NOT_IN_GROUPBY;
                    throw CompileErrors.near(
                            key,
                            StandardErrorCode.NOT_IN_GROUP_BY,
                            "[Error " + error.getErrorCode() + "]: " + error.getMsg());
                }
                positions.set(position);
                inSets.add(key);
            }
            sets.add(positions.build());
        }
        return new GroupBy(keys, sets, true, inSets);
    }
}
