package io.skep.ql.statement;

import io.skep.common.query.QueryId;
import io.skep.ql.session.SessionSettings;

/**
 * What one statement is compiled and run with.
 *
 * @param text as the user sent it, after substitution of variables
 */
public record StatementContext(QueryId queryId, String text, SessionSettings settings) {}
