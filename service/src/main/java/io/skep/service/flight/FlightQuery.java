package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.llap.client.external.ReadFailures;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.FlightSplits;
import io.skep.reader.Login;
import io.skep.reader.QuerySplits;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Asks a server over Flight SQL, and reads the rows from wherever it says, as a program outside of it does. */
public final class FlightQuery {
    private static final long MEMORY = 256L << 20;

    private final URI server;
    private final Optional<Login> login;
    private final Optional<Path> trust;

    /**
     * @param server {@code grpc+tcp://host:port}, or {@code grpc+tls} with encryption
     * @param trust PEM file with the authorities that certify server and daemons; empty for those of the JVM
     */
    public FlightQuery(URI server, Optional<Login> login, Optional<Path> trust) {
        this.server = server;
        this.login = login;
        this.trust = trust;
    }

    /** The form in which rows are written. */
    public enum Format {
        /** Arrow's streaming format (IPC). */
        ARROW,
        /** Lines of RFC 4180 with a header. A null is empty, an empty text is quoted. */
        CSV
    }

    /**
     * Writes the rows of a query.
     *
     * @throws SkepException the error of the query or of its reads; INVALID_ARGUMENT when the address has another form
     * @throws IOException when the rows cannot be written
     */
    public void write(String query, Format format, OutputStream out) throws IOException {
        try (BufferAllocator memory = new RootAllocator(MEMORY)) {
            ExternalReader reader = new ExternalReader(memory, trust);
            QuerySplits asked = FlightSplits.of(reader, server, login, query);
            try (RowWriter rows = RowWriter.of(format, asked.schema(), memory, out)) {
                for (ExternalSplit split : asked.splits()) {
                    write(reader.read(split), rows);
                }
                rows.end();
            }
        } catch (ReadException e) {
            throw ReadFailures.asSkepException(e);
        }
    }

    private static void write(SplitRows read, RowWriter rows) throws IOException {
        try (read) {
            while (read.next()) {
                rows.write(read.batch());
            }
        }
    }
}
