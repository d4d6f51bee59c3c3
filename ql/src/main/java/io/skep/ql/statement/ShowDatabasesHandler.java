package io.skep.ql.statement;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** SHOW DATABASES [LIKE pattern]. */
final class ShowDatabasesHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Optional<String> pattern = statement.childCount() == 0
                ? Optional.empty()
                : Optional.of(Texts.pattern(statement.child(statement.childCount() - 1)));
        return CommandStatement.withText("SHOWDATABASES", List.of("database_name"), log -> {
            List<String> names = context.catalog().databases().stream()
                    .filter(name -> pattern.isEmpty() || Texts.like(name, pattern.get()))
                    .toList();
            boolean json = context.settings()
                    .get("hive.ddl.output.format")
                    .orElse("text")
                    .equals("json");
            List<String> lines = json ? List.of(json(names)) : names;
            return lines.stream().map(line -> List.of(Optional.of(line))).toList();
        });
    }

    /** Names of databases have no character that JSON escapes. */
    private static String json(List<String> names) {
        return names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",", "{\"databases\":[", "]}"));
    }
}
