package io.skep.ql.schedule;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject.OfScheduledQuery;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * Who may make and change a scheduled query, which runs with the rights of its owner: the owner, and where the
 * authorizer knows scheduled queries, whom it lets.
 */
final class ScheduleOwner {
    private ScheduleOwner() {}

    /**
     * @param operation of the statement, for the authorizer of the site
     * @throws SkepException ACCESS_DENIED
     */
    static void require(String operation, ScheduledQuery query, TextPosition where, StatementContext context) {
        String user = context.session().user();
        String owner = query.user();
        boolean isAuthorized = context.settings().rules().authorizesSchedules();
        OfScheduledQuery object = new OfScheduledQuery(query.namespace(), query.name(), owner);
        context.access()
                .askPlugin(
                        operation,
                        isAuthorized ? List.of(AccessNeed.input(object), AccessNeed.output(object)) : List.of());
        if (!isAuthorized && !owner.equals(user)) {
            throw CompileErrors.plain(
                            where,
                            StandardErrorCode.ACCESS_DENIED,
                            ErrorMsg.GENERIC_ERROR,
                            "Authorization of scheduled queries is not enabled - only owners may change scheduled"
                                    + " queries (currentUser: " + user + ", owner: " + owner + ")")
                    .withHint("with hive.security.authorization.scheduled.queries.supported=true and authorization on,"
                            + " the role admin may have scheduled queries that run as others");
        }
    }

    /**
     * Returns a scheduled query that exists, and that the user may change.
     *
     * @param operation of the statement, for the authorizer of the site
     * @param name the name in the statement
     * @throws SkepException SCHEDULED_QUERY_NOT_FOUND or ACCESS_DENIED
     */
    static ScheduledQuery find(String operation, SyntaxNode name, StatementContext context) {
        ScheduleKey key = ScheduleKey.of(name, context);
        ScheduledQuery query = context.services()
                .schedules()
                .find(key.namespace(), key.name())
                .orElseThrow(() -> CompileErrors.plain(
                                name.position(),
                                StandardErrorCode.SCHEDULED_QUERY_NOT_FOUND,
                                ErrorMsg.GENERIC_ERROR,
                                "There is no scheduled query for: " + key.name() + "@" + key.namespace())
                        .withHint("letter case counts in names of scheduled queries, and they belong to the namespace "
                                + ScheduleSettings.NAMESPACE.name()));
        require(operation, query, name.position(), context);
        return query;
    }
}
