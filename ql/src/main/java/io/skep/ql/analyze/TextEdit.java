package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A name of a query's text, resolved: what a view keeps so that it means the same later and elsewhere.
 *
 * @param offset in the statement's text
 * @param length of what is replaced
 */
record TextEdit(int offset, int length, String replacement) {
    static TextEdit of(SyntaxNode node, String replacement) {
        return new TextEdit(node.offset(), node.source().length(), replacement);
    }

    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** The text of a node with the edits inside of it. */
    static String apply(SyntaxNode node, Collection<TextEdit> edits) {
        String text = node.source();
        StringBuilder edited = new StringBuilder();
        int at = 0;
        List<TextEdit> sorted =
                edits.stream().sorted(Comparator.comparingInt(TextEdit::offset)).toList();
        for (TextEdit edit : sorted) {
            int start = edit.offset() - node.offset();
            if (start >= at && start + edit.length() <= text.length()) {
                edited.append(text, at, start).append(edit.replacement());
                at = start + edit.length();
            }
        }
        return edited.append(text, at, text.length()).toString();
    }
}
