package io.skep.ql.statement;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;

/** Compiles one kind of statement: checks it as far as possible, and returns what runs it. */
public interface StatementHandler {
    SqlStatement compile(SyntaxNode statement, StatementContext context);
}
