package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;

/** EXPLAIN statement: the plan as text. The words behind EXPLAIN that ask for other forms give the same plan. */
final class ExplainHandler implements StatementHandler {
    private static final List<String> OTHER_QUESTIONS =
            List.of("ast", "authorization", "dependency", "locks", "reoptimization", "analyze", "vectorization");

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        for (SyntaxNode option : statement.children().subList(1, statement.childCount())) {
            if (OTHER_QUESTIONS.contains(option.text().toLowerCase(java.util.Locale.ROOT))) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED, "EXPLAIN " + option.text() + " is not supported yet")
                        .at(option.position());
            }
        }
        SyntaxNode explained = statement.child(0);
        String text;
        try (SqlStatement compiled = StatementCompiler.handler(explained).compile(explained, context)) {
            text = compiled.plan().orElse(compiled.operationName());
        }
        return CommandStatement.withText(
                "EXPLAIN",
                List.of("Explain"),
                log -> text.lines().map(line -> List.of(Optional.of(line))).toList());
    }
}
