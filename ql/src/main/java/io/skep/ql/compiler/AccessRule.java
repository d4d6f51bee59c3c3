package io.skep.ql.compiler;

import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;

/**
 * Declares what a statement needs. Names that do not exist need nothing: the handler reports them, or finds nothing to
 * do.
 */
@FunctionalInterface
interface AccessRule {
    StatementNeeds of(SyntaxNode statement, StatementContext context);

    /** A statement that everybody may run. What it shows may depend on the user. */
    static AccessRule open(String operation) {
        return (statement, context) -> StatementNeeds.of(operation);
    }

    /** Like {@link #open}, for a statement about which Hive does not ask an authorizer. */
    static AccessRule unasked(String operation) {
        return (statement, context) -> StatementNeeds.unasked(operation);
    }
}
