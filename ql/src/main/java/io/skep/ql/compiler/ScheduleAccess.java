package io.skep.ql.compiler;

import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The needs of statements about scheduled queries, which only the role admin may run, as in Hive. Who schedules a
 * statement also needs what that statement needs, which is checked again for its owner each time it runs. An authorizer
 * of the site is asked about both apart: by this rule about the scheduled statement, by the handlers about the other.
 */
final class ScheduleAccess {
    private ScheduleAccess() {}

    static AccessRule of(String operation) {
        return (statement, context) -> {
            StatementNeeds own = DefinitionAccess.admin(operation);
            Optional<StatementNeeds> scheduled = scheduled(statement, context);
            if (scheduled.isEmpty()) {
                return own;
            }
            if (context.access().ofSession().plugin().isPresent()) {
                return scheduled.get();
            }
            return own.and(scheduled.get().needs()).reading(scheduled.get().read());
        };
    }

    private static Optional<StatementNeeds> scheduled(SyntaxNode statement, StatementContext context) {
        return statement
                .first(HiveParser.TOK_QUERY)
                .map(defined -> defined.child(0))
                .map(scheduled -> StatementKinds.of(scheduled, context.access().ofSession())
                        .needs()
                        .of(scheduled, context));
    }
}
