package io.skep.llap.server.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.authentication.http.LoginLog;
import io.skep.common.error.SecretText;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.audit.AuditWriter;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.external.ReadLog;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The audit log of a daemon in a process of its own: external reads, and logins to the pages. Its lines have the fields
 * of those of servers. Lines of reads have the id of the statement whose objects are in the log of the server that has
 * made the ticket.
 */
final class DaemonAuditLog implements ReadLog, LoginLog, AutoCloseable {
    private static final int MAX_NAME_CHARS = 1 << 10;
    private static final int MAX_ERROR_CHARS = 1 << 10;

    private final ObjectMapper json = new ObjectMapper();
    private final AuditWriter writer;
    private final InstantSource clock;
    private final String process = AuditWriter.process();

    /** @param writer is closed with this log */
    DaemonAuditLog(AuditWriter writer, InstantSource clock) {
        this.writer = writer;
        this.clock = clock;
    }

    @Override
    public void record(Optional<ReadTicket> ticket, String address, Optional<SkepException> refusal) {
        Map<String, Object> line = line("READ", "FLIGHT", address);
        ticket.ifPresent(read -> {
            line.put("user", read.user());
            line.put("query", read.query().value());
        });
        append(line, refusal);
    }

    @Override
    public void loggedIn(String address, String user) {
        recordLogin(address, Optional.of(user), Optional.empty());
    }

    @Override
    public void refused(String address, Optional<String> user, String why) {
        try {
            recordLogin(address, user, Optional.of(new SkepException(StandardErrorCode.ACCESS_DENIED, why)));
        } catch (SkepException e) {
            // The process's log has the reason. The login is refused anyway.
        }
    }

    private void recordLogin(String address, Optional<String> user, Optional<SkepException> refusal) {
        Map<String, Object> line = line("LOGIN", "WEB_PAGES", address);
        user.ifPresent(name -> line.put("login", cut(name, MAX_NAME_CHARS)));
        append(line, refusal);
    }

    private Map<String, Object> line(String event, String transport, String address) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("event", event);
        line.put("server", process);
        line.put("transport", transport);
        line.put("address", address);
        return line;
    }

    private void append(Map<String, Object> line, Optional<SkepException> refusal) {
        line.put(
                "decision",
                refusal.map(error -> error.code() == StandardErrorCode.ACCESS_DENIED ? "DENIED" : "FAILED")
                        .orElse("ALLOWED"));
        refusal.ifPresent(
                error -> line.put("error", Map.of("code", error.code().name(), "message", shown(error.fullMessage()))));
        try {
            writer.append((json.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new SkepException(StandardErrorCode.AUDIT_LOG_FAILED, "a line of the audit log cannot be made", e);
        }
    }

    private static String shown(String message) {
        return cut(SecretText.redact(message), MAX_ERROR_CHARS);
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length) + "...";
    }

    @Override
    public void close() {
        writer.close();
    }
}
