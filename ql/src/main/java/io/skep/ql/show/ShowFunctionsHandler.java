package io.skep.ql.show;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Optional;

/** SHOW FUNCTIONS [LIKE pattern]. */
public final class ShowFunctionsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Optional<String> pattern = statement.childCount() == 0
                ? Optional.empty()
                : Optional.of(SyntaxText.pattern(statement.child(statement.childCount() - 1)));
        return CommandStatement.withText(
                "SHOWFUNCTIONS",
                List.of("tab_name"),
                log -> context.session().userFunctions().catalog().names().stream()
                        .filter(SyntaxText.likeAny(pattern))
                        .map(name -> List.of(Optional.of(name)))
                        .toList());
    }
}
