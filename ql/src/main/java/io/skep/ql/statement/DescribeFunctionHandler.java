package io.skep.ql.statement;

import io.skep.engine.function.FunctionCatalog;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.parse.SemanticException;

/** DESCRIBE FUNCTION [EXTENDED] name. */
final class DescribeFunctionHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode node = statement.child(0);
        String name = (node.text().startsWith("'") || node.text().startsWith("\"")
                        ? Texts.string(node)
                        : Texts.identifier(node))
                .toLowerCase(Locale.ROOT);
        boolean extended = statement.childCount() > 1;
        return CommandStatement.withText(
                "DESCFUNCTION",
                List.of("tab_name"),
                log -> lines(name, extended, context).stream()
                        .flatMap(String::lines)
                        .map(line -> List.of(Optional.of(line)))
                        .toList());
    }

    private static List<String> lines(String name, boolean extended, StatementContext context) {
        FunctionCatalog functions = context.session().userFunctions().catalog();
        if (functions.kind(name).isEmpty() && functions.description(name, false).isEmpty()) {
            return List.of("Function '" + name + "' does not exist.");
        }
        List<String> lines = new ArrayList<>();
        Optional<String> description = functions.description(name, false);
        lines.add(description.orElse("There is no documentation for function '" + name + "'"));
        if (extended) {
            addDetails(name, functions, lines);
        }
        return lines;
    }

    private static void addDetails(String name, FunctionCatalog functions, List<String> lines) {
        FunctionInfo known = info(name);
        if (known != null) {
            Set<String> synonyms = synonyms(name);
            if (!synonyms.isEmpty()) {
                lines.add("Synonyms: " + String.join(", ", synonyms));
            }
        }
        String brief = functions.description(name, false).orElse("");
        String full = functions.description(name, true).orElse("");
        if (full.length() > brief.length()) {
            lines.add(full.substring(brief.length()).strip());
        }
        if (known != null) {
            lines.add("Function class:" + known.getFunctionClass().getName());
            lines.add("Function type:BUILTIN");
        }
    }

    private static Set<String> synonyms(String name) {
        try {
            return FunctionRegistry.getFunctionSynonyms(name);
        } catch (SemanticException e) {
            return Set.of();
        }
    }

    private static @org.jspecify.annotations.Nullable FunctionInfo info(String name) {
        try {
            return FunctionRegistry.getFunctionInfo(name);
        } catch (SemanticException e) {
            return null;
        }
    }
}
