package io.skep.ql.analyze;

import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The replacement of a name in a query's text by its resolved form. A view stores the edited text, so that it keeps its
 * meaning later and in other databases.
 *
 * @param offset the offset in the statement's text
 * @param length the length of the replaced text
 */
record TextEdit(int offset, int length, String replacement) {
    static TextEdit of(SyntaxNode node, String replacement) {
        return new TextEdit(node.offset(), node.source().length(), replacement);
    }

    static String quoted(String name) {
        return HiveSqlParser.quoted(name);
    }

    /** Returns the text of a node with the edits inside it applied. */
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
