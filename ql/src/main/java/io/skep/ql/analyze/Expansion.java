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
 * Limits what references to views, macros and common tables add to a statement. Each of them may refer to another one
 * twice, so a few lines can expand beyond any memory. Each statement has one instance.
 */
final class Expansion {
    /** The limit, in nodes of syntax trees. */
    static final int MAX_NODES = 500_000;

    /** The cost of a use in addition to its nodes: looking up the view or macro and parsing its text. */
    private static final int USE_NODES = 100;

    /** The cost of planning an operator, in nodes. */
    private static final int OPERATOR_NODES = 20;

    private final Set<String> openMacros = new HashSet<>();
    private long nodes;

    /**
     * Marks the start of the analysis of a macro's body, which lasts until {@link #close}. A failure stops the whole
     * analysis.
     */
    void open(SyntaxNode where, String macro) {
        if (!openMacros.add(macro)) {
            throw SemanticErrors.semantic(where, "macro '" + macro + "' calls itself");
        }
    }

    void close(String macro) {
        openMacros.remove(macro);
    }

    /**
     * Counts a macro's body before it is analyzed with these arguments. Each argument may occur in the body many times.
     */
    void add(SyntaxNode where, SyntaxNode body, List<RexNode> arguments) {
        long before = nodes;
        add(where, body);
        long largest = arguments.stream().mapToLong(RexNode::nodeCount).max().orElse(0);
        add(where, Math.max(0, largest - 1) * (nodes - before - USE_NODES));
    }

    /** Counts a view's text before it is analyzed in place of the view's name. */
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

    /** Counts one more use of a common table's operators, which all its uses share. */
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
