package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;

/**
 * Counts what names of views, macros and common tables bring into a statement. Each of them may name another one twice, so that a
 * few lines can stand for more than any memory holds. One for each statement.
 */
final class Expansion {
    /** In nodes of syntax trees. */
    static final int MAX_NODES = 500_000;

    /** What a use costs beside its nodes: the view or macro is looked up, and its text is parsed. */
    private static final int USE_NODES = 100;

    /** What planning an operator costs in comparison. */
    private static final int OPERATOR_NODES = 20;

    private final Set<String> openMacros = new HashSet<>();
    private long nodes;

    /** A macro's body is being analyzed until {@link #close}; a failure ends the whole analysis. */
    void open(SyntaxNode where, String macro) {
        if (!openMacros.add(macro)) {
            throw SemanticErrors.semantic(where, "macro '" + macro + "' calls itself");
        }
    }

    void close(String macro) {
        openMacros.remove(macro);
    }

    /** A macro's body is about to be analyzed with these arguments, each of which may stand in it in many places. */
    void add(SyntaxNode where, SyntaxNode body, List<RexNode> arguments) {
        long before = nodes;
        add(where, body);
        long largest = arguments.stream().mapToLong(RexNode::nodeCount).max().orElse(0);
        add(where, Math.max(0, largest - 1) * (nodes - before - USE_NODES));
    }

    /** A view's text is about to be analyzed in the place of its name. */
    void add(SyntaxNode where, SyntaxNode text) {
        long count = USE_NODES;
        Deque<SyntaxNode> open = new ArrayDeque<>();
        open.push(text);
        while (!open.isEmpty() && nodes + count <= MAX_NODES) {
            count++;
            open.pop().children().forEach(open::push);
        }
        add(where, count);
    }

    /** A common table's operators, which all its uses share, stand in one more place. */
    void add(SyntaxNode where, RelNode shared) {
        long count = 0;
        Deque<RelNode> open = new ArrayDeque<>();
        open.push(shared);
        while (!open.isEmpty() && nodes + count <= MAX_NODES) {
            count += OPERATOR_NODES;
            open.pop().getInputs().forEach(open::push);
        }
        add(where, count);
    }

    private void add(SyntaxNode where, long count) {
        nodes += count;
        if (nodes > MAX_NODES) {
            throw new SkepException(
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            "the views, macros and common tables of the statement stand for too large a query")
                    .withHint("make a table of what is used again and again, for example with CREATE TEMPORARY TABLE")
                    .at(where.position());
        }
    }
}
