package io.skep.ql.show;

import io.skep.engine.function.FunctionCatalog;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** DESCRIBE FUNCTION [EXTENDED] name. */
public final class DescribeFunctionHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode node = statement.child(0);
        boolean literal = node.text().startsWith("'") || node.text().startsWith("\"");
        String name = (literal ? SyntaxText.string(node) : SyntaxText.identifier(node)).toLowerCase(Locale.ROOT);
        boolean extended = statement.childCount() > 1;
        return CommandStatement.withText(
                "DESCFUNCTION",
                List.of("tab_name"),
                log -> inLowBytes(text(name, extended, context))
                        .lines()
                        .map(line -> List.of(Optional.of(line)))
                        .toList());
    }

    /** Hive prints the low byte of each character. These bytes are read as UTF-8. */
    private static String inLowBytes(String text) {
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) text.charAt(i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String text(String name, boolean extended, StatementContext context) {
        FunctionCatalog functions = context.session().userFunctions().catalog();
        return functions
                .description(name, extended)
                .orElseGet(() -> functions.kind(name).isPresent()
                        ? "There is no documentation for function '" + name + "'"
                        : "Function '" + name + "' does not exist.");
    }
}
