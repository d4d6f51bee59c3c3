package io.skep.ql.schedule;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;

/**
 * Names a scheduled query. Letter case counts.
 *
 * @param namespace that of the session
 */
public record ScheduleKey(String namespace, String name) {
    private static final int MAX_LENGTH = 256;

    /**
     * @param name the name in the statement
     * @throws SkepException INVALID_ARGUMENT for one that is too long
     */
    public static ScheduleKey of(SyntaxNode name, StatementContext context) {
        String text = BaseSemanticAnalyzer.unescapeIdentifier(name.text());
        requireShort("the name of the scheduled query", text, name);
        String namespace = context.settings()
                .get(ScheduleSettings.NAMESPACE.name())
                .orElse(ScheduleSettings.NAMESPACE.defaultValue());
        requireShort(ScheduleSettings.NAMESPACE.name(), namespace, name);
        return new ScheduleKey(namespace, text);
    }

    static void requireShort(String what, String text, SyntaxNode where) {
        if (text.length() > MAX_LENGTH) {
            throw CompileErrors.plain(
                    where.position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    what + " has " + text.length() + " characters where the metastore keeps " + MAX_LENGTH);
        }
    }
}
