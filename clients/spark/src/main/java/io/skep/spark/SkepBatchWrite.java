package io.skep.spark;

import io.skep.reader.ExternalWrite;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * A write of Spark. Its driver has a session with the server, whose temporary table collects the rows of tasks; the
 * session's end removes what is not committed.
 */
final class SkepBatchWrite implements BatchWrite {
    private final SkepOptions options;
    private final TableWrite write;
    private final Optional<ZoneId> zone;
    private @Nullable WriteSession session;

    /** @param zone in which instants are wall clocks; empty when there are none */
    SkepBatchWrite(SkepOptions options, TableWrite write, Optional<ZoneId> zone) {
        this.options = options;
        this.write = write;
        this.zone = zone;
    }

    @Override
    public synchronized DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        end();
        WriteSession opened = WriteSession.open(options, write);
        session = opened;
        ExternalWrite access = opened.access();
        return new SkepWriterFactory(
                access.encode(),
                options.certificates().orElse(null),
                zone.orElse(ZoneOffset.UTC).getId());
    }

    /** Only the parts of these attempts count. */
    @Override
    public synchronized void commit(WriterCommitMessage[] messages) {
        WriteSession open = session;
        if (open == null) {
            throw new IllegalStateException("Skep: the write has no session any more");
        }
        List<Long> parts = Arrays.stream(messages)
                .map(message -> ((SkepPart) message).number())
                .filter(number -> number > 0)
                .toList();
        open.commit(parts);
        end();
    }

    @Override
    public synchronized void abort(WriterCommitMessage[] messages) {
        end();
    }

    private void end() {
        WriteSession open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }
}
