package io.skep.ql.parse;

import io.skep.common.error.TextPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node of a statement's syntax tree. Types are the token types of {@link org.apache.hadoop.hive.ql.parse.HiveParser}.
 *
 * @param text the token's text
 * @param offset the start of the source in the statement's text, or -1
 * @param span the range of {@link #source}; a copy of the text for each node would take quadratic space in the
 *     statement's length
 */
public record SyntaxNode(
        int type, String text, List<SyntaxNode> children, TextPosition position, int offset, SourceSpan span) {
    /**
     * The type of a parameter node, which no grammar creates. Its text is the parameter's number. It wraps a constant
     * that may have other values.
     */
    public static final int PARAMETER = -101;

    /** Like {@link #PARAMETER}, but wraps the constants of an IN. Their number may differ as well. */
    public static final int LIST_PARAMETER = -102;

    /**
     * The type of the clause of ALTER TABLE that sets or drops a row filter, which Hive's grammar does not have. Its
     * child is the expression; DROP has none.
     */
    public static final int ROW_FILTER = -103;

    /** The type of the clause that sets or drops a column mask: the column, then the expression if it is set. */
    public static final int MASK = -104;

    /** A range of a text. */
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

    /** Creates a node that covers its own text. */
    public SyntaxNode(
            int type, String text, List<SyntaxNode> children, TextPosition position, int offset, String source) {
        this(type, text, children, position, offset, SourceSpan.of(source));
    }

    /**
     * Returns the part of the statement's text that the node covers. Empty for nodes that the grammar created itself.
     */
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

    /** Returns the first child of a type. */
    public Optional<SyntaxNode> first(int tokenType) {
        return children.stream().filter(child -> child.type == tokenType).findFirst();
    }

    public boolean has(int tokenType) {
        return first(tokenType).isPresent();
    }

    /** Returns all children of a type. */
    public List<SyntaxNode> all(int tokenType) {
        return children.stream().filter(child -> child.type == tokenType).toList();
    }

    public SyntaxNode withChildren(List<SyntaxNode> newChildren) {
        return new SyntaxNode(type, text, newChildren, position, offset, span);
    }

    /**
     * Returns the same tree without the rest of the statement's text, for callers that keep it while the statement is
     * open.
     */
    public SyntaxNode withoutStatementText() {
        return new SyntaxNode(
                type,
                text,
                children.stream().map(SyntaxNode::withoutStatementText).toList(),
                position,
                offset,
                "");
    }

    /**
     * Returns the tree without its positions, as text. It is equal for expressions that are written alike, ignoring the
     * letter case of names.
     */
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

    /** Returns the text of the last leaf, which names the whole expression in Hive's errors. */
    public String lastToken() {
        return lastLeaf().text;
    }

    public SyntaxNode lastLeaf() {
        return children.isEmpty() ? this : children.getLast().lastLeaf();
    }

    /** Returns all nodes of a type in this tree, in the order of the text. */
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

    /** Returns the tree with parentheses, as EXPLAIN AST and tests print it. */
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
