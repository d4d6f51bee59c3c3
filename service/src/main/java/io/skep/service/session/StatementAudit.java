package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.AccessRecord;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.AuditedClient;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The line of one statement or metadata call in the audit log. It is written when the statement is about to run, or
 * when it is refused before that, whichever comes first. A statement that checks something while it runs may have a
 * second one, about its denial. Owned by the threads that compile and run the statement, one after the other.
 */
final class StatementAudit {
    private final AuditLog log;
    private final AuditEvent.Kind kind;
    private final AuditedClient client;
    private final Map<String, String> arguments;
    private final AccessRecord access = new AccessRecord();
    private Optional<String> operation = Optional.empty();
    private @Nullable String text;
    private boolean written;

    private StatementAudit(AuditLog log, AuditEvent.Kind kind, AuditedClient client, Map<String, String> arguments) {
        this.log = log;
        this.kind = kind;
        this.client = client;
        this.arguments = arguments;
    }

    static StatementAudit ofText(AuditLog log, AuditedClient client, String text) {
        StatementAudit audit = new StatementAudit(log, AuditEvent.Kind.STATEMENT, client, Map.of());
        audit.text = StatementText.cut(text);
        return audit;
    }

    static StatementAudit ofCall(AuditLog log, AuditedClient client, MetadataCall call) {
        StatementAudit audit = new StatementAudit(log, AuditEvent.Kind.METADATA, client, call.arguments());
        audit.operation = Optional.of(call.name());
        return audit;
    }

    /** Returns what the compilation of the statement fills. */
    AccessRecord access() {
        return access;
    }

    /** Names the operation of a call, which has no compilation. */
    void name(String operationName) {
        operation = Optional.of(operationName);
    }

    /**
     * Records that the statement runs now.
     *
     * @throws SkepException AUDIT_LOG_FAILED when it must not
     */
    void allowed(QueryId query) {
        write(kind, Optional.of(query), Optional.empty());
        text = null;
        access.clear();
    }

    /**
     * Records that the statement does not run, unless it was recorded already.
     *
     * @return what the client is told: the error, or that the log cannot be written
     */
    SkepException refused(Optional<QueryId> query, SkepException error) {
        if (!written) {
            try {
                write(kind, query, Optional.of(error));
            } catch (SkepException failure) {
                failure.addSuppressed(error);
                return failure;
            }
        }
        return error;
    }

    /** Records the end of a statement if it was denied what it has checked while it ran. */
    void ended(QueryId query, Optional<SkepException> failure) {
        if (failure.isPresent() && failure.get().code() == StandardErrorCode.ACCESS_DENIED) {
            log.recordRefusal(event(AuditEvent.Kind.DENIAL, Optional.of(query), failure));
        }
    }

    private void write(AuditEvent.Kind what, Optional<QueryId> query, Optional<SkepException> refusal) {
        written = true;
        log.record(event(what, query, refusal));
    }

    private AuditEvent event(AuditEvent.Kind what, Optional<QueryId> query, Optional<SkepException> refusal) {
        return new AuditEvent(
                what,
                client,
                query,
                operation.or(access::operation),
                access.needs(),
                arguments,
                Optional.ofNullable(text),
                refusal);
    }
}
