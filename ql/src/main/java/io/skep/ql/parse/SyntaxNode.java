package io.skep.ql.parse;

import io.skep.common.error.TextPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node of a statement's syntax tree. Types are the token types of {@link org.apache.hadoop.hive.ql.parse.HiveParser}.
 *
 * @param text the token's text
 * @param offset where the source starts in the statement's text, or -1
 * @param span where {@link #source} is; a cut text for each node would take the square of the statement's length
 */
public record SyntaxNode(
        int type, String text, List<SyntaxNode> children, TextPosition position, int offset, SourceSpan span) {
    /** Types of nodes that no grammar makes: a parameter, whose text is its number, around a constant that may be another one. */
    public static final int PARAMETER = -101;

    /** As {@link #PARAMETER}, around the constants of an IN, of which there may also be more or fewer. */
    public static final int LIST_PARAMETER = -102;

    /** A part of a text. */
    public record SourceSpan(String text, int start, int end) {
        static final SourceSpan NONE = of("");

        public SourceSpan {
            if (start < 0 || start > end || end > text.length()) {
                throw new IllegalArgumentException(start + " to " + end + " of " + text.length());
            }
        }

        static SourceSpan of(String text) {
            return new SourceSpan(text, 0, text.length());
        }
    }

    public SyntaxNode {
        children = List.copyOf(children);
    }

    /** A node that covers a text of its own. */
    public SyntaxNode(
            int type, String text, List<SyntaxNode> children, TextPosition position, int offset, String source) {
        this(type, text, children, position, offset, SourceSpan.of(source));
    }

    /** The statement's text that the node covers; empty for nodes that the grammar made up. */
    public String source() {
        return span.text().substring(span.start(), span.end());
    }

    public boolean is(int tokenType) {
        return type == tokenType;
    }

    public SyntaxNode child(int index) {
        return children.get(index);
    }

    public int childCount() {
        return children.size();
    }

    /** The first child of a type. */
    public Optional<SyntaxNode> first(int tokenType) {
        return children.stream().filter(child -> child.type == tokenType).findFirst();
    }

    public boolean has(int tokenType) {
        return first(tokenType).isPresent();
    }

    /** All children of a type. */
    public List<SyntaxNode> all(int tokenType) {
        return children.stream().filter(child -> child.type == tokenType).toList();
    }

    public SyntaxNode withChildren(List<SyntaxNode> newChildren) {
        return new SyntaxNode(type, text, newChildren, position, offset, span);
    }

    /** The same tree without the rest of the statement's text, for those who keep it while the statement is open. */
    public SyntaxNode alone() {
        return new SyntaxNode(
                type, text, children.stream().map(SyntaxNode::alone).toList(), position, offset, "");
    }

    /** The same tree without where it stood: equal for expressions that are written alike, but for letter case of names. */
    public String shape() {
        StringBuilder shape = new StringBuilder();
        appendShape(shape);
        return shape.toString();
    }

    private void appendShape(StringBuilder shape) {
        boolean literal = text.startsWith("'") || text.startsWith("\"");
        shape.append(type).append(':').append(literal ? text : text.toLowerCase(java.util.Locale.ROOT));
        if (!children.isEmpty()) {
            shape.append('(');
            children.forEach(child -> {
                child.appendShape(shape);
                shape.append(' ');
            });
            shape.append(')');
        }
    }

    /** All nodes of a type in this tree, in the order of the text. */
    public List<SyntaxNode> descendants(int tokenType) {
        List<SyntaxNode> found = new ArrayList<>();
        collect(tokenType, found);
        return found;
    }

    private void collect(int tokenType, List<SyntaxNode> found) {
        if (type == tokenType) {
            found.add(this);
        }
        children.forEach(child -> child.collect(tokenType, found));
    }

    /** The tree with parentheses, as EXPLAIN AST and tests show it. */
    @Override
    public String toString() {
        if (children.isEmpty()) {
            return text;
        }
        StringBuilder tree = new StringBuilder("(").append(text);
        children.forEach(child -> tree.append(' ').append(child));
        return tree.append(')').toString();
    }
}
