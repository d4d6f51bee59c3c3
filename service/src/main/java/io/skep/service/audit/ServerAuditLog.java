package io.skep.service.audit;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.llap.client.audit.AuditConfig;
import io.skep.llap.client.audit.AuditWriter;
import java.time.InstantSource;

/** The audit log of a server that has one. */
public final class ServerAuditLog implements AuditLog {
    private final AuditLine format;
    private final AuditWriter writer;
    private final InstantSource clock;

    private ServerAuditLog(AuditLine format, AuditWriter writer, InstantSource clock) {
        this.format = format;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * @param secrets the settings whose values are secrets
     * @throws SkepException INVALID_CONFIGURATION when the log cannot be written
     */
    public static AuditLog open(AuditConfig config, SecretSettings secrets, InstantSource clock) {
        AuditLine format = new AuditLine(AuditWriter.process(), config.authorizes(), config.withText(), secrets);
        return AuditWriter.open(config)
                .<AuditLog>map(writer -> new ServerAuditLog(format, writer, clock))
                .orElse(AuditLog.NONE);
    }

    @Override
    public void record(AuditEvent event) {
        writer.append(format.of(event, clock.instant()));
    }

    @Override
    public void close() {
        writer.close();
    }
}
