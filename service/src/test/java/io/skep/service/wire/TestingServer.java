package io.skep.service.wire;

import io.skep.common.config.SettingsReader;
import io.skep.common.testing.Polling;
import io.skep.metastore.Catalog;
import io.skep.ql.execution.CompileConfig;
import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.OperationHistory;
import io.skep.service.session.SessionConfig;
import io.skep.service.session.TestingSqlEngine;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** The protocol's server with a test engine and a catalog that rejects all calls. */
final class TestingServer implements AutoCloseable {
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    final TestingSqlEngine engine = new TestingSqlEngine();
    final ClientSessions sessions;
    final ThriftServer thrift;
    private final ClientAuthentication authentication;
    private final boolean sasl;
    private final Optional<SSLContext> tls;

    /** @param changed settings, as in a site file; the default is plain Thrift */
    TestingServer(Map<String, String> changed) {
        this(changed, Optional.empty());
    }

    /** @param tls how well-behaved clients connect, when the settings switch TLS on */
    TestingServer(Map<String, String> changed, Optional<SSLContext> tls) {
        this.tls = tls;
        Map<String, String> settings = new HashMap<>(Map.of("hive.server2.authentication", "NOSASL"));
        settings.putAll(changed);
        SettingsReader reader = new SettingsReader(settings);
        ThriftConfig wire = ThriftConfig.of(reader);
        SessionConfig config = SessionConfig.of(reader);
        CompileConfig compiling = CompileConfig.of(reader);
        reader.finish();
        InstantSource clock = InstantSource.system();
        sessions =
                new ClientSessions(engine, config, compiling, new OperationHistory(clock), AuditLog.NONE, clock, clock);
        sasl = wire.sasl();
        Catalog catalog = (Catalog) Proxy.newProxyInstance(
                Catalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
        Configuration site = new Configuration(false);
        settings.forEach(site::set);
        try {
            authentication = ClientAuthentication.open(wire.authentication(), site);
            WireServices services = new WireServices(sessions, catalog, wire, authentication, site);
            thrift = new ThriftServer(InetAddress.getLoopbackAddress(), 0, services);
        } catch (RuntimeException e) {
            sessions.close();
            throw e;
        }
        thrift.start();
    }

    TTransport connect() throws TTransportException {
        try {
            TSocket socket = new TSocket(
                    tls.isPresent()
                            ? tls.get().getSocketFactory().createSocket("127.0.0.1", thrift.port())
                            : new Socket(InetAddress.getLoopbackAddress(), thrift.port()));
            socket.setTimeout((int) SOCKET_TIMEOUT.toMillis());
            return socket;
        } catch (IOException e) {
            throw new TTransportException(e);
        }
    }

    /** Opens a connection that is ready for calls, with SASL if the server requires it. */
    TTransport login(String user) throws TTransportException {
        return sasl ? new SaslClient(connect(), "\0" + user + "\0secret") : connect();
    }

    static TCLIService.Client client(TTransport transport) {
        return new TCLIService.Client(new TBinaryProtocol(transport));
    }

    /** Whether a condition becomes true within the time limit. */
    static boolean comesTrue(BooleanSupplier condition) {
        return Polling.comesTrue(PATIENCE, condition::getAsBoolean);
    }

    @Override
    public void close() {
        thrift.close();
        sessions.close();
        authentication.close();
    }
}
