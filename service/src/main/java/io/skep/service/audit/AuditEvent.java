package io.skep.service.audit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.AccessRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log.
 *
 * @param operation the statement's kind in Hive, or the name of the call
 * @param needs what the statement needs
 * @param arguments what a call asks for, such as the pattern of names
 * @param text the text of the statement
 * @param refusal why it is refused; empty when it is allowed
 */
public record AuditEvent(
        Kind kind,
        AuditedClient client,
        Optional<QueryId> query,
        Optional<String> operation,
        List<AccessRecord.Need> needs,
        Map<String, String> arguments,
        Optional<String> text,
        Optional<SkepException> refusal) {
    public AuditEvent {
        needs = List.copyOf(needs);
        arguments = Map.copyOf(arguments);
    }

    /** What has happened. */
    public enum Kind {
        /** A login was refused, or a user of the web pages has logged in. */
        LOGIN,
        /** A session was opened or refused. */
        SESSION,
        /** A statement was compiled, and runs now if it is allowed. */
        STATEMENT,
        /** A metadata call. */
        METADATA,
        /** A delegation token is given, renewed or cancelled. */
        TOKEN,
        /** A program outside of the server reads a part of a scan, or its ticket is refused. */
        READ,
        /** A program outside of the server writes a part of a temporary table, or its ticket is refused. */
        WRITE,
        /** A statement that was allowed is denied while it runs. */
        DENIAL
    }

    public static AuditEvent login(AuditedClient client) {
        return of(Kind.LOGIN, client, Optional.empty());
    }

    /** @param why without passwords and tokens */
    public static AuditEvent refusedLogin(AuditedClient client, String why) {
        return of(Kind.LOGIN, client, Optional.of(new SkepException(StandardErrorCode.ACCESS_DENIED, why)));
    }

    public static AuditEvent session(AuditedClient client, Optional<SkepException> refusal) {
        return of(Kind.SESSION, client, refusal);
    }

    /** @param arguments whose token it is, without the token */
    public static AuditEvent token(
            AuditedClient client, String operation, Map<String, String> arguments, @Nullable SkepException refusal) {
        return new AuditEvent(
                Kind.TOKEN,
                client,
                Optional.empty(),
                Optional.of(operation),
                List.of(),
                arguments,
                Optional.empty(),
                Optional.ofNullable(refusal));
    }

    private static AuditEvent of(Kind kind, AuditedClient client, Optional<SkepException> refusal) {
        return new AuditEvent(
                kind, client, Optional.empty(), Optional.empty(), List.of(), Map.of(), Optional.empty(), refusal);
    }
}
