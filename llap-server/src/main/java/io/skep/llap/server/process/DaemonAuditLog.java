package io.skep.llap.server.external;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.common.error.SecretText;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.audit.AuditWriter;
import io.skep.llap.client.external.ReadTicket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The audit log of a daemon in a process of its own. Its lines have the fields of those of servers, and the id of the
 * statement whose objects are in the log of the server that has made the ticket.
 */
public final class DaemonReadLog implements ReadLog, AutoCloseable {
    private static final int MAX_ERROR_CHARS = 1 << 10;

    private final ObjectMapper json = new ObjectMapper();
    private final AuditWriter writer;
    private final InstantSource clock;
    private final String process = AuditWriter.process();

    /** @param writer is closed with this log */
    public DaemonReadLog(AuditWriter writer, InstantSource clock) {
        this.writer = writer;
        this.clock = clock;
    }

    @Override
    public void record(Optional<ReadTicket> ticket, String address, Optional<SkepException> refusal) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("event", "READ");
        line.put("server", process);
        line.put("transport", "FLIGHT");
        line.put("address", address);
        ticket.ifPresent(read -> {
            line.put("user", read.user());
            line.put("query", read.query().value());
        });
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
        String redacted = SecretText.redact(message);
        return redacted.length() <= MAX_ERROR_CHARS ? redacted : redacted.substring(0, MAX_ERROR_CHARS) + "...";
    }

    @Override
    public void close() {
        writer.close();
    }
}
