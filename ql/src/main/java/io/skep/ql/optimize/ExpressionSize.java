package io.skep.ql.optimize;

import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/** Measures the expressions of a tree and the number of its operators with several inputs. */
final class ExpressionSize extends RelVisitor {
    private static final int CHARACTERS_OF_A_NODE = 64;
    private static final int MAX_LOOKED_AT = 10_000;

    /**
     * The limit in nodes for an expression in which each column is replaced by its definition. Calcite does this with
     * constants.
     */
    private static final long MAX_EXPANDED = 50_000;

    private final RelNode root;
    private long largest;
    private int branches;
    private int inputs;

    private ExpressionSize(RelNode root) {
        this.root = root;
    }

    static ExpressionSize of(RelNode root) {
        ExpressionSize size = new ExpressionSize(root);
        size.go(root);
        return size;
    }

    /**
     * Whether no operator's expressions exceed this number of nodes, and no more than this number of operators have
     * several inputs. At each level, the metadata of such an operator's rows is computed anew from the metadata of all
     * its inputs.
     */
    boolean isWithin(int nodes, int mostBranches) {
        return largest <= nodes && branches <= mostBranches && isBoundedExpanded(root);
    }

    /** Whether joins and set operations combine more than this number of relations. */
    boolean isWide(int most) {
        return inputs > most;
    }

    @Override
    public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        largest = Math.max(
                largest,
                switch (node) {
                    case Filter filter -> size(filter.getCondition());
                    case Join join -> size(join.getCondition());
                    case Project project ->
                        project.getProjects().stream()
                                .mapToLong(ExpressionSize::size)
                                .sum();
                    default -> 0;
                });
        branches += node.getInputs().size() > 1 ? 1 : 0;
        inputs += Math.max(0, node.getInputs().size() - 1);
        super.visit(node, ordinal, parent);
    }

    /**
     * Returns the number of nodes. A long text counts as several nodes, because Calcite renders each expression that it
     * simplifies as text, and its parts too.
     */
    private static long size(RexNode expression) {
        int nodes = expression.nodeCount();
        if (nodes > MAX_LOOKED_AT) {
            return nodes;
        }
        LiteralSize literals = new LiteralSize();
        expression.accept(literals);
        return nodes + literals.characters / CHARACTERS_OF_A_NODE;
    }

    private static final class LiteralSize extends RexVisitorImpl<Void> {
        private long characters;

        private LiteralSize() {
            super(true);
        }

        @Override
        public @Nullable Void visitLiteral(RexLiteral literal) {
            if (literal.getValue() instanceof NlsString text) {
                characters += text.getValue().length();
            }
            return null;
        }
    }

    private static boolean isBoundedExpanded(RelNode root) {
        return Arrays.stream(expanded(root)).allMatch(size -> size <= MAX_EXPANDED);
    }

    /**
     * Returns for each column the number of nodes of its expression, expanded down to the next operator that creates
     * its own rows.
     */
    private static long[] expanded(RelNode node) {
        List<long[]> inputs =
                node.getInputs().stream().map(ExpressionSize::expanded).toList();
        int columns = node.getRowType().getFieldCount();
        long[] given = inputs.stream().flatMapToLong(Arrays::stream).toArray();
        if (node instanceof Project project) {
            return project.getProjects().stream()
                    .mapToLong(expression -> expanded(expression, given))
                    .toArray();
        }
        boolean passes =
                (node instanceof Filter || node instanceof Sort || node instanceof Join) && given.length >= columns;
        long[] sizes = passes ? Arrays.copyOf(given, columns) : new long[columns];
        if (!passes) {
            // A union of large columns, or an aggregation by them, counts as equally large.
            Arrays.fill(
                    sizes,
                    Arrays.stream(given)
                            .filter(size -> size > MAX_EXPANDED)
                            .max()
                            .orElse(1));
        }
        return sizes;
    }

    private static long expanded(RexNode expression, long[] columns) {
        return switch (expression) {
            case RexInputRef column -> column.getIndex() < columns.length ? columns[column.getIndex()] : 1;
            case RexCall call -> {
                long size = 1;
                for (RexNode operand : call.getOperands()) {
                    size = Math.min(Integer.MAX_VALUE, size + expanded(operand, columns));
                }
                yield size;
            }
            default -> size(expression);
        };
    }
}
