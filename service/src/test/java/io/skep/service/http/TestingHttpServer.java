package io.skep.service.http;

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
import io.skep.service.wire.ThriftConfig;
import io.skep.service.wire.WireServices;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.THttpClient;
import org.apache.thrift.transport.TMemoryBuffer;

/** The HTTP transport with a test engine and a catalog that rejects all calls. */
final class TestingHttpServer implements AutoCloseable {
    static final TOpenSessionReq OPEN = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    final TestingSqlEngine engine = new TestingSqlEngine();
    final ClientSessions sessions;
    final WireServices services;
    final HttpServer http;

    /** @param changed settings, as in a site file */
    TestingHttpServer(Map<String, String> changed) {
        Map<String, String> settings = new HashMap<>(Map.of("hive.server2.thrift.http.port", "0"));
        settings.putAll(changed);
        SettingsReader reader = new SettingsReader(settings);
        ThriftConfig wire = ThriftConfig.of(reader);
        HttpConfig config = HttpConfig.of(reader);
        InstantSource clock = InstantSource.system();
        sessions = new ClientSessions(
                engine,
                SessionConfig.of(reader),
                CompileConfig.of(reader),
                new OperationHistory(clock),
                AuditLog.NONE,
                clock,
                clock);
        reader.finish();
        Catalog catalog = (Catalog) Proxy.newProxyInstance(
                Catalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
        Configuration site = new Configuration(false);
        settings.forEach(site::set);
        services =
                new WireServices(sessions, catalog, wire, ClientAuthentication.open(wire.authentication(), site), site);
        http = new HttpServer(InetAddress.getLoopbackAddress(), config, services, clock);
        http.start();
    }

    static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    TCLIService.Client client(String user) throws TException {
        THttpClient transport = new THttpClient("http://127.0.0.1:" + http.port() + "/cliservice");
        transport.setCustomHeader("Authorization", basic(user));
        transport.setCustomHeader("Connection", "close");
        return new TCLIService.Client(new TBinaryProtocol(transport));
    }

    Socket socket() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Returns the bytes of a call of OpenSession. */
    static byte[] openSession() throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        new TCLIService.Client(new TBinaryProtocol(buffer)).send_OpenSession(OPEN);
        return java.util.Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    /** Whether a condition becomes true within the time limit. */
    static boolean comesTrue(BooleanSupplier condition) {
        return Polling.comesTrue(PATIENCE, condition::getAsBoolean);
    }

    @Override
    public void close() {
        http.close();
        sessions.close();
        services.authentication().close();
    }
}
