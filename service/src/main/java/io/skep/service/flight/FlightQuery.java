package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ExternalReader;
import io.skep.llap.client.external.ExternalSplit;
import io.skep.llap.client.external.SplitRows;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.LocationSchemes;
import org.apache.arrow.flight.auth2.BasicAuthCredentialWriter;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Asks a server over Flight SQL, and reads the rows from wherever it says, as a program outside of it does. */
public final class FlightQuery {
    /** The metadata of an endpoint whose rows are the same each time. */
    static final byte[] REPEATABLE = {1};

    private static final long MEMORY = 256L << 20;

    private final URI server;
    private final Optional<Login> login;
    private final Optional<Path> trust;

    /** User and password. */
    public record Login(String user, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    /**
     * @param server {@code grpc+tcp://host:port}, or {@code grpc+tls} with encryption
     * @param trust PEM file with the authorities that certify server and daemons; empty for those of the JVM
     * @throws SkepException INVALID_ARGUMENT when the address has another form
     */
    public FlightQuery(URI server, Optional<Login> login, Optional<Path> trust) {
        boolean known = List.of(LocationSchemes.GRPC, LocationSchemes.GRPC_INSECURE, LocationSchemes.GRPC_TLS)
                .contains(String.valueOf(server.getScheme()));
        if (!known || server.getHost() == null || server.getPort() < 0) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT,
                    "'" + server + "' is not grpc+tcp://host:port or grpc+tls://host:port");
        }
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
     * @throws SkepException the error of the query or of its reads
     * @throws IOException when the rows cannot be written
     */
    public void write(String query, Format format, OutputStream out) throws IOException {
        try (BufferAllocator memory = new RootAllocator(MEMORY)) {
            ExternalReader reader = new ExternalReader(memory, trust);
            FlightInfo info = ask(reader, query);
            Schema schema = info.getSchemaOptional()
                    .orElseThrow(() -> new SkepException(
                            StandardErrorCode.DAMAGED_MESSAGE, "the server has not said which columns there are"));
            try (RowWriter rows = RowWriter.of(format, schema, memory, out)) {
                for (FlightEndpoint endpoint : info.getEndpoints()) {
                    write(reader.read(split(endpoint, schema)), rows);
                }
                rows.end();
            }
        }
    }

    private static void write(SplitRows read, RowWriter rows) throws IOException {
        try (read) {
            while (read.next()) {
                rows.write(read.batch());
            }
        }
    }

    @SuppressWarnings("try") // interrupts end the process
    private FlightInfo ask(ExternalReader reader, String query) throws IOException {
        try (FlightClient client = reader.connect(server)) {
            CallOption[] options = login.map(known -> new BasicAuthCredentialWriter(known.user(), known.password()))
                    .map(basic -> new CallOption[] {new CredentialCallOption(basic)})
                    .orElse(new CallOption[0]);
            // Closing it would close the client a second time.
            FlightSqlClient sql = new FlightSqlClient(client);
            return sql.execute(query, options);
        } catch (FlightRuntimeException e) {
            throw SplitRows.failure(e.status(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private ExternalSplit split(FlightEndpoint endpoint, Schema schema) {
        List<URI> locations = endpoint.getLocations().isEmpty()
                ? List.of(server)
                : endpoint.getLocations().stream()
                        .map(location -> location.getUri())
                        .toList();
        byte[] metadata = endpoint.getAppMetadata();
        return new ExternalSplit(
                endpoint.getTicket().getBytes(),
                locations,
                schema.serializeAsMessage(),
                metadata != null && Arrays.equals(metadata, REPEATABLE));
    }
}
