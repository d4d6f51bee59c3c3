package io.skep.service.flight;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.skep.authentication.tls.TlsStores;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.external.ExternalPort;
import io.skep.llap.server.external.ExternalStreams;
import io.skep.llap.server.external.FlightPort;
import io.skep.llap.server.external.FragmentReads;
import io.skep.llap.server.external.ReadLog;
import io.skep.metastore.Catalog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.session.ClientSessions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The server's port of Arrow Flight SQL. It also serves the parts of scans that a daemon in this process runs. */
public final class FlightServer implements AutoCloseable {
    private final RpcThreads threads;
    private final ExternalStreams streams;
    private final BufferAllocator arriving;
    private final PartStreams parts;
    private final FlightPort port;
    private final URI location;

    /**
     * Where and for whom the port listens.
     *
     * @param advertised host by which readers find it
     * @param tls key and certificates, if clients use TLS
     */
    public record Place(
            InetSocketAddress address,
            String advertised,
            Optional<TlsStores> tls,
            ClientAuthentication authentication,
            InstantSource steady) {}

    /** @param daemon the daemon of this process, if queries run in it */
    public FlightServer(
            Place place,
            ExternalConfig config,
            ClientSessions sessions,
            Catalog catalog,
            ExternalSplits splits,
            PartWrites writes,
            Optional<LlapDaemon> daemon) {
        this.threads = new RpcThreads("flight");
        this.streams = new ExternalStreams(config, threads);
        // Memory of its own, so that what clients send leaves that of readers alone.
        this.arriving = new RootAllocator(config.maxBytes() / 2);
        WriteLog writeLog = new WriteLog(sessions.audit());
        this.parts = new PartStreams(writes, config, writeLog, arriving, threads);
        ReadLog log = new ServerReadLog(sessions.audit());
        FlightSessions flightSessions = new FlightSessions(sessions);
        FlightSqlService service = new FlightSqlService(
                splits,
                flightSessions,
                new StatementReads(sessions, streams),
                parts,
                new FlightMetadata(flightSessions, catalog, streams),
                streams,
                daemon.map(own -> new FragmentReads(own, streams, log)),
                log);
        this.port = new FlightPort(
                new FlightPort.Place(
                        place.address(),
                        credentials(place.tls()),
                        place.tls().isPresent(),
                        ExternalPort.maxMessageBytes()),
                new WriteGate(
                        writes.tickets(),
                        writeLog,
                        new FlightLogin(place.authentication(), sessions.audit(), place.steady())),
                service,
                arriving);
        this.location = port.location(place.advertised());
        splits.serveAt(location);
        writes.serveAt(location);
        daemon.ifPresent(own -> own.announceExternal(location));
    }

    private static ServerCredentials credentials(Optional<TlsStores> tls) {
        if (tls.isEmpty()) {
            return InsecureServerCredentials.create();
        }
        TlsServerCredentials.Builder credentials = TlsServerCredentials.newBuilder()
                .keyManager(tls.get().keyManagers().getKeyManagers());
        tls.get()
                .trustManagers()
                .ifPresent(trust -> credentials
                        .trustManager(trust.getTrustManagers())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE));
        return credentials.build();
    }

    public int port() {
        return port.port();
    }

    /** Returns where clients find the port. */
    public URI location() {
        return location;
    }

    public ExternalStreams streams() {
        return streams;
    }

    /** The number of parts that are arriving from external writers. */
    public int arrivingParts() {
        return parts.count();
    }

    /** The memory outside the heap of what clients have sent. */
    public long arrivingBytes() {
        return arriving.getAllocatedMemory();
    }

    @Override
    public void close() {
        parts.close();
        streams.close();
        port.close();
        if (arriving.getAllocatedMemory() == 0) {
            arriving.close();
        }
        threads.close();
    }
}
