package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.SelfSigned;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests clients that abuse the handshake or an encrypted connection. A bystander gets answers throughout, and no
 * resources of the hostile clients remain.
 */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestHostileTlsClients {
    private static final int CONNECTIONS = 400;

    @TempDir
    private static Path folder;

    private static SelfSigned own;

    @BeforeAll
    static void makeKey() throws Exception {
        own = SelfSigned.make(folder.resolve("own.p12"));
    }

    private static TestingServer server(String... changes) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "hive.server2.authentication",
                "NONE",
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                own.file().toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD));
        for (int i = 0; i < changes.length; i += 2) {
            settings.put(changes[i], changes[i + 1]);
        }
        return new TestingServer(settings, Optional.of(own.trustedBy()));
    }

    private static Socket socket(TestingServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.thrift.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static byte[] clientHello() throws Exception {
        SSLEngine engine = own.trustedBy().createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    /** Returns a record that claims to be the begin of a handshake message of 16 MB. */
    private static byte[] hugeMessage(int fragment) {
        return ByteBuffer.allocate(5 + fragment)
                .put(new byte[] {22, 3, 3})
                .putShort((short) fragment)
                .put(new byte[] {1, -1, -1, -1})
                .array();
    }

    private static List<byte[]> beginnings() throws Exception {
        byte[] hello = clientHello();
        return List.of(
                new byte[0],
                new byte[] {22},
                new byte[] {22, 3, 1, 0x40, 0},
                Arrays.copyOf(hello, hello.length / 2),
                hello,
                hugeMessage(16_000));
    }

    private static void nothingIsLeft(TestingServer server) {
        assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0
                        && server.thrift.requestBytes() == 0
                        && server.sessions.all().isEmpty()))
                .as("connections %s", server.thrift.connectionCount())
                .isTrue();
    }

    /** Half-open clients stay within 64 KB each until the time for a login is over. */
    @Test
    void handshakesThatStopCostLittleAndEndInTime() throws Exception {
        try (TestingServer server = server("skep.thrift.login-timeout", "8s")) {
            try (Bystander _ = new Bystander(server)) {
                List<byte[]> beginnings = beginnings();
                List<Socket> sockets = new ArrayList<>();
                long before = heapBytes();
                for (int i = 0; i < CONNECTIONS; i++) {
                    Socket socket = socket(server);
                    sockets.add(socket);
                    socket.getOutputStream().write(beginnings.get(i % beginnings.size()));
                }
                assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() >= CONNECTIONS / 2))
                        .isTrue();
                long each = (heapBytes() - before) / CONNECTIONS;
                System.out.printf("a handshake that stops holds %d bytes, its client's socket included%n", each);
                assertThat(each).isLessThan(64 << 10);
                assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() <= 1))
                        .as("all have been sent away")
                        .isTrue();
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
            nothingIsLeft(server);
        }
    }

    @Test
    void garbageEndsTheConnectionOnly() throws Exception {
        byte[] hello = clientHello();
        byte[] damaged = hello.clone();
        damaged[5] = 77;
        ByteArrayOutputStream endless = new ByteArrayOutputStream();
        for (int i = 0; i < 20; i++) {
            endless.write(hugeMessage(16_000));
        }
        List<byte[]> garbage = List.of(
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[] {(byte) 0x80, 1, 0, 1, 0x7f, 0x7f, 0x7f, 0x7f},
                new byte[] {22, 3, 1, (byte) 0xff, (byte) 0xff, 1},
                new byte[] {22, 3, 1, 0, 0},
                new byte[] {22, 9, 9, 0, 4, 1, 2, 3, 4},
                damaged,
                endless.toByteArray());
        try (TestingServer server = server()) {
            try (Bystander _ = new Bystander(server)) {
                for (byte[] bytes : garbage) {
                    try (Socket socket = socket(server)) {
                        assertThat(isRefused(socket, bytes)).isTrue();
                    }
                }
            }
            nothingIsLeft(server);
        }
    }

    /** Whether the server closes the connection, be it before it has read everything. */
    private static boolean isRefused(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            return true;
        }
        return isClosed(socket);
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** A handshake that progresses a byte at a time has the same time as one that stops. */
    @Test
    void slowHandshakesEndInTime() throws Exception {
        byte[] hello = clientHello();
        try (TestingServer server = server("skep.thrift.login-timeout", "1s")) {
            try (Bystander _ = new Bystander(server);
                    Socket socket = socket(server)) {
                socket.setSoTimeout(200);
                boolean closed = false;
                for (int i = 0; i < hello.length && !closed; i++) {
                    closed = isClosedAfter(socket, hello[i]);
                }
                assertThat(closed).isTrue();
            }
            nothingIsLeft(server);
        }
    }

    private static boolean isClosedAfter(Socket socket, byte next) {
        try {
            socket.getOutputStream().write(next);
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Closing such a connection must not wait for the client to read. */
    @Test
    void clientsThatDoNotReadTheirAnswersAreSentAway() throws Exception {
        try (TestingServer server = server("skep.thrift.message-timeout", "1s")) {
            try (Bystander _ = new Bystander(server);
                    TTransport transport = server.login("mallory")) {
                TCLIService.Client client = TestingServer.client(transport);
                TSessionHandle session = client.OpenSession(
                                new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10))
                        .getSessionHandle();
                TOperationHandle rows = client.ExecuteStatement(new TExecuteStatementReq(session, "rows 100000000"))
                        .getOperationHandle();
                assertThat(isSentAwayWithoutReading(server, rows)).isTrue();
            }
            nothingIsLeft(server);
        }
    }

    private static boolean isSentAwayWithoutReading(TestingServer server, TOperationHandle rows) throws Exception {
        SSLContext context = own.trustedBy();
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
            socket.setReceiveBufferSize(16 << 10);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.thrift.port()));
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            SaslClient login = new SaslClient(new TIOStreamTransport(in, out), "\0mallory\0x");
            TCLIService.Client client = new TCLIService.Client(new TBinaryProtocol(login));
            for (int i = 0; i < 1_000_000; i++) {
                try {
                    client.send_FetchResults(new TFetchResultsReq(rows, TFetchOrientation.FETCH_NEXT, 10_000));
                } catch (org.apache.thrift.TException e) {
                    return true;
                }
            }
            return false;
        }
    }
}
