package io.skep.ql.reuse;

import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * A literal that a plan can leave open.
 *
 * @param index the index among the literals of the statement's shape
 * @param written the literal in the tree of the statement that was compiled first; for a list, its first literal
 * @param isRows whether it is the number or the offset of a LIMIT
 */
record LiftedLiteral(int index, SyntaxNode written, boolean isRows) {
    /** Returns this literal as written in another statement of the shape. A list has one node per literal. */
    List<SyntaxNode> in(StatementShape shape) {
        return shape.literals().get(index).texts().stream()
                .map(text -> rewritten(written, text))
                .toList();
    }

    private static SyntaxNode rewritten(SyntaxNode node, String text) {
        return node.is(HiveParser.MINUS)
                ? node.withChildren(List.of(rewritten(node.child(0), text)))
                : new SyntaxNode(node.type(), text, List.of(), node.position(), node.offset(), text);
    }
}
