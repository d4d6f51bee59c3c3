package io.skep.ql.compiler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.StatementAccess;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.statement.StatementContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * EXPLAIN AUTHORIZATION: what a statement reads and changes, for whom, and why it would be refused, in Hive's form. The
 * statement is compiled, and not refused. The partitions that it reads are shown to those who may run it.
 */
final class ExplainAuthorization {
    private static final String INPUTS = "INPUTS";
    private static final String OUTPUTS = "OUTPUTS";
    private static final String USER = "CURRENT_USER";
    private static final String OPERATION = "OPERATION";
    private static final String FAILURES = "AUTHORIZATION_FAILURES";

    private final Set<String> inputs = new LinkedHashSet<>();
    private final Set<String> outputs = new LinkedHashSet<>();
    private final String user;
    private final String operation;
    private final Optional<String> failure;

    private ExplainAuthorization(String user, String operation, Optional<String> failure) {
        this.user = user;
        this.operation = operation;
        this.failure = failure;
    }

    static ExplainAuthorization of(SyntaxNode statement, StatementContext explaining) {
        StatementAccess access = explaining.access().explained();
        StatementContext context = explaining.withAccess(access);
        StatementNeeds declared =
                StatementKinds.of(statement, access.ofSession()).needs().of(statement, context);
        access.declare(declared);
        List<QueryCompiler.Compiled> queries = List.of();
        if (statement.is(HiveParser.TOK_QUERY)) {
            queries = ExplainHandler.queries(statement, context);
        } else {
            StatementKinds.compile(statement, context).close();
        }
        Optional<String> refusal = access.refusal();
        ExplainAuthorization explained =
                new ExplainAuthorization(context.session().user(), declared.operation(), refusal);
        access.needs().forEach(explained::add);
        if (refusal.isEmpty()) {
            explained.inputs.addAll(ExplainHandler.partitions(queries, context));
        }
        return explained;
    }

    private void add(AccessNeed need) {
        (need.side() == AccessNeed.Side.INPUT ? inputs : outputs).add(name(need.object()));
    }

    private static String name(AccessedObject object) {
        return switch (object) {
            case AccessedObject.OfTable it ->
                it.table().database() + "@" + it.table().name();
            case AccessedObject.OfNewTable it -> it.database() + "@" + it.table();
            case AccessedObject.OfDatabase it -> "database:" + it.name();
            case AccessedObject.OfNewDatabase it -> "database:" + it.name();
            case AccessedObject.OfFunction it -> it.name();
            case AccessedObject.OfPath it -> it.resolved();
            case AccessedObject.OfScheduledQuery it -> it.name();
            case AccessedObject.OfConnector it -> "connector:" + it.name();
            case AccessedObject.OfCommand it -> it.name();
            case AccessedObject.OfServer it -> it.name();
        };
    }

    String text() {
        StringBuilder text = new StringBuilder();
        append(INPUTS, inputs, text);
        append(OUTPUTS, outputs, text);
        append(USER, List.of(user), text);
        append(OPERATION, List.of(operation), text);
        failure.ifPresent(why -> append(FAILURES, List.of(why), text));
        return text.toString();
    }

    private static void append(String heading, Iterable<String> lines, StringBuilder text) {
        text.append(heading).append(": \n");
        lines.forEach(line -> text.append("  ").append(line).append('\n'));
    }

    String json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode read = json.putArray(INPUTS);
        inputs.forEach(read::add);
        ArrayNode changed = json.putArray(OUTPUTS);
        outputs.forEach(changed::add);
        json.put(USER, user);
        json.put(OPERATION, operation);
        failure.ifPresent(why -> json.putArray(FAILURES).add(why));
        return json.toString();
    }
}
