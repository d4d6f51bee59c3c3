package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.statement.StatementContext;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The rules that the session's settings make for partitions whose values come from the query. */
final class DynamicPartitions {
    private static final String ALLOWED = "hive.exec.dynamic.partition";
    private static final String MODE = "hive.exec.dynamic.partition.mode";
    private static final String MAX = "hive.exec.max.dynamic.partitions";

    private DynamicPartitions() {}

    /**
     * Refuses dynamic partitions where the session has switched them off, and a PARTITION clause without any value in
     * the strict mode. As in Hive, the strict mode accepts an INSERT without the clause.
     *
     * @param target TOK_TAB
     */
    static void check(SyntaxNode target, boolean anyStatic, StatementContext context) {
        if (!context.settings().get(ALLOWED).map(Boolean::parseBoolean).orElse(true)) {
            throw CompileErrors.near(
                    target, StandardErrorCode.INVALID_PARTITION, ErrorMsg.DYNAMIC_PARTITION_DISABLED.getMsg());
        }
        boolean strict =
                context.settings().get(MODE).filter("strict"::equalsIgnoreCase).isPresent();
        if (strict && !anyStatic && target.has(HiveParser.TOK_PARTSPEC)) {
            throw CompileErrors.plain(
                    target.position(), StandardErrorCode.INVALID_PARTITION, ErrorMsg.DYNAMIC_PARTITION_STRICT_MODE);
        }
    }

    /**
     * Refuses the commit of more partitions than the site or the session has set.
     *
     * @param partitions the number of partitions that a statement has written to one table
     */
    static void requireFew(Destination destination, int partitions, StatementContext context) {
        if (destination.dynamicColumns().isEmpty()
                || context.settings().origin(MAX) == SessionSettings.Origin.DEFAULT) {
            return;
        }
        int max = max(context.settings().get(MAX).orElse(""));
        if (partitions > max) {
            throw CompileErrors.task(
                    destination.syntax().position(),
                    StandardErrorCode.INVALID_PARTITION,
                    ErrorMsg.GENERIC_ERROR,
                    "Number of dynamic partitions created is " + partitions + ", which is more than " + max
                            + ". To solve this try to set " + MAX + " to at least " + partitions + ".");
        }
    }

    private static int max(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, MAX + " is '" + text + "', not a number", e);
        }
    }
}
