package io.skep.reader;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.LocationSchemes;
import org.apache.arrow.flight.auth2.BasicAuthCredentialWriter;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.vector.types.pojo.Schema;

/** Asks a server for splits over Flight SQL, without a driver. The server decides how many there are. */
public final class FlightSplits {
    /** The header of a call that asks for rows, so that the server runs no statement that changes something. */
    public static final String READS_ONLY = "skep-reads-only";

    private static final byte[] REPEATABLE = {1};

    private FlightSplits() {}

    /** Returns the metadata of an endpoint whose rows are the same each time. */
    public static byte[] repeatable() {
        return REPEATABLE.clone();
    }

    /** Whether an address is one of Flight SQL. */
    private static boolean isAddress(URI server) {
        return List.of(LocationSchemes.GRPC, LocationSchemes.GRPC_INSECURE, LocationSchemes.GRPC_TLS)
                        .contains(String.valueOf(server.getScheme()))
                && server.getHost() != null
                && server.getPort() >= 0;
    }

    /**
     * Asks for the splits of a query.
     *
     * @param server {@code grpc+tcp://host:port}, or {@code grpc+tls} with encryption
     * @throws ReadException the error of the query
     */
    public static QuerySplits of(ExternalReader reader, URI server, Optional<Login> login, String query) {
        if (!isAddress(server)) {
            throw new ReadException(
                    ReadErrorCode.INVALID_ARGUMENT,
                    "'" + server + "' is not grpc+tcp://host:port or grpc+tls://host:port");
        }
        FlightInfo info = ask(reader, server, login, query);
        Schema schema = info.getSchemaOptional()
                .orElseThrow(() -> new ReadException(
                        ReadErrorCode.DAMAGED_MESSAGE, "the server has not said which columns the query has"));
        byte[] message = schema.serializeAsMessage();
        return new QuerySplits(
                schema,
                info.getEndpoints().stream()
                        .map(endpoint -> split(endpoint, server, message))
                        .toList());
    }

    @SuppressWarnings("try") // interrupts end the read
    private static FlightInfo ask(ExternalReader reader, URI server, Optional<Login> login, String query) {
        try (FlightClient client = reader.connect(server)) {
            CallHeaders headers = new FlightCallHeaders();
            headers.insert(READS_ONLY, "true");
            CallOption[] options = Stream.concat(
                            Stream.of(new HeaderCallOption(headers)),
                            login.stream()
                                    .map(known -> new CredentialCallOption(
                                            new BasicAuthCredentialWriter(known.user(), known.password()))))
                    .toArray(CallOption[]::new);
            // Closing it would close the client a second time.
            FlightSqlClient sql = new FlightSqlClient(client);
            return sql.execute(query, options);
        } catch (FlightRuntimeException e) {
            throw SplitRows.failure(e.status(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReadException(ReadErrorCode.OPERATION_CANCELED, "the reader was interrupted", e);
        }
    }

    private static ExternalSplit split(FlightEndpoint endpoint, URI server, byte[] schema) {
        List<URI> locations = endpoint.getLocations().isEmpty()
                ? List.of(server)
                : endpoint.getLocations().stream().map(Location::getUri).toList();
        return new ExternalSplit(
                endpoint.getTicket().getBytes(),
                locations,
                schema,
                Arrays.equals(endpoint.getAppMetadata(), REPEATABLE));
    }
}
