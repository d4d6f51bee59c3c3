package io.skep.ql.statement;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Locale;

/** A table's name in a statement, resolved against the current database, in lower case. */
public record TableName(String database, String table, TextPosition position) {
    /** @param node TOK_TABNAME */
    public static TableName of(SyntaxNode node, StatementContext context) {
        String last = SyntaxText.identifier(node.child(node.childCount() - 1));
        String database = node.childCount() > 1
                ? SyntaxText.identifier(node.child(node.childCount() - 2))
                : context.session().currentDatabase();
        return new TableName(database, last.toLowerCase(Locale.ROOT), node.position());
    }

    public String qualified() {
        return database + "." + table;
    }

    public SkepException notFound(List<String> others) {
        SkepException error =
                new SkepException(StandardErrorCode.TABLE_NOT_FOUND, "Table not found '" + table + "'").at(position);
        List<String> near = DidYouMean.of(table, others);
        return near.isEmpty() ? error : error.withHint("did you mean " + String.join(", ", near) + "?");
    }
}
