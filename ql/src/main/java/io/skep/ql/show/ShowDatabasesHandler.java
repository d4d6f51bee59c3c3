package io.skep.ql.show;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Optional;

/** SHOW DATABASES [LIKE pattern]. */
public final class ShowDatabasesHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Optional<String> pattern = statement.childCount() == 0
                ? Optional.empty()
                : Optional.of(SyntaxText.pattern(statement.child(statement.childCount() - 1)));
        return CommandStatement.withText("SHOWDATABASES", List.of("database_name"), log -> {
            List<String> names = context.catalog().databases().stream()
                    .filter(SyntaxText.like(pattern))
                    .filter(context.access().ofSession().visibleDatabases(context.catalog()))
                    .toList();
            return DefinitionJson.isWanted(context)
                    ? DefinitionJson.rows(DefinitionJson.names("databases", names))
                    : names.stream().map(name -> List.of(Optional.of(name))).toList();
        });
    }
}
