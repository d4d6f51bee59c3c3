package io.skep.ql.statement;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * A table's name in a statement, resolved against the current database, in lower case.
 *
 * @param shown the name in errors: qualified, or as it is written, which depends on the statement in Hive
 */
public record TableName(String database, String table, TextPosition position, String shown) {
    public TableName(String database, String table, TextPosition position) {
        this(database, table, position, database + "." + table);
    }

    /** @param node TOK_TABNAME */
    public static TableName of(SyntaxNode node, StatementContext context) {
        String last = SyntaxText.identifier(node.child(node.childCount() - 1));
        String database = node.childCount() > 1
                ? SyntaxText.identifier(node.child(node.childCount() - 2))
                : context.session().currentDatabase();
        return new TableName(database, last.toLowerCase(Locale.ROOT), node.position());
    }

    /** Like {@link #of}, but errors show the name as it is written. */
    public static TableName asWritten(SyntaxNode node, StatementContext context) {
        TableName name = of(node, context);
        String written = node.childCount() > 1 ? name.qualified() : name.table;
        return new TableName(name.database, name.table, name.position, written);
    }

    public String qualified() {
        return database + "." + table;
    }

    public SkepException notFound(List<String> others) {
        SkepException error = CompileErrors.plain(
                position, StandardErrorCode.TABLE_NOT_FOUND, ErrorMsg.INVALID_TABLE, "Table not found " + shown);
        return withNear(error, others);
    }

    SkepException withNear(SkepException error, List<String> others) {
        List<String> near = DidYouMean.of(table, others);
        return near.isEmpty() ? error : error.withHint("did you mean " + String.join(", ", near) + "?");
    }
}
