package io.skep.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.SelfSigned;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests clients that abuse HTTP. A bystander gets answers throughout, and no resources of the hostile clients remain.
 */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestHostileHttpClients {
    private static final int CONNECTIONS = 400;
    private static final long MB = 1 << 20;
    private static final Map<String, String> IMPATIENT =
            Map.of("skep.thrift.message-timeout", "1s", "skep.thrift.login-timeout", "1s");

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void nothingIsLeft(TestingHttpServer server) {
        assertThat(TestingHttpServer.comesTrue(() -> server.http.connectionCount() == 0
                        && server.services.requestBytes() == 0
                        && server.sessions.all().isEmpty()))
                .as(
                        "connections %s, request bytes %s, sessions %s",
                        server.http.connectionCount(), server.services.requestBytes(), server.sessions.all())
                .isTrue();
    }

    /** Returns a call of ExecuteStatement whose text claims to be longer than the bytes that are sent. */
    private static String statement(int claimed, int given) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(given);
        TBinaryProtocol protocol = new TBinaryProtocol(buffer);
        protocol.writeMessageBegin(new TMessage("ExecuteStatement", TMessageType.CALL, 1));
        protocol.writeFieldBegin(new TField("req", (byte) 12, (short) 1));
        protocol.writeFieldBegin(new TField("statement", (byte) 11, (short) 2));
        protocol.writeI32(claimed);
        buffer.write(new byte[given]);
        return new String(buffer.getArray(), 0, buffer.length(), StandardCharsets.ISO_8859_1);
    }

    private static String chunk(String content) {
        return Integer.toHexString(content.length()) + "\r\n" + content + "\r\n";
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void garbageAndDamagedRequestsEndTheConnectionOnly() throws Exception {
        String whole = RawHttp.header("Content-Length: 5") + "abcde";
        List<String> garbage = List.of(
                "\u0001\u0000\u0000\u0000\u0005PLAIN",
                "\u0016\u0003\u0001\u0000\u0004abcd",
                "\r\n\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "POST /cliservice HTTP/9.9\r\n\r\n",
                "POST /cliservice HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "POST /cliservice HTTP/1.1\r\n\r\n",
                RawHttp.header("Content-Length: -5") + "abcde",
                RawHttp.header("Content-Length: 5", "Content-Length: 6") + "abcde",
                RawHttp.header("Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n",
                RawHttp.header("Content-Length: 99999999999999999999") + "abcde",
                RawHttp.header("Transfer-Encoding: chunked") + "xyz\r\n",
                RawHttp.header("Transfer-Encoding: chunked") + "fffffffffffffffff\r\nabc",
                RawHttp.header("X: " + "y".repeat(10_000)),
                RawHttp.header("Cookie: hive.server2.auth=" + "A".repeat(10_000)),
                whole,
                whole.substring(0, whole.length() - 2),
                "");
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            try (HttpBystander _ = new HttpBystander(server)) {
                for (String bytes : garbage) {
                    try (Socket socket = server.socket()) {
                        RawHttp.send(socket, bytes);
                        socket.shutdownOutput();
                        assertThat(isClosed(socket)).as(bytes).isTrue();
                    }
                }
            }
            nothingIsLeft(server);
        }
    }

    @Test
    void bodiesThatAreTooLongAreRefusedByTheirLength() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            try (HttpBystander _ = new HttpBystander(server)) {
                String answer = RawHttp.ask(server, RawHttp.header("Content-Length: 9999999999") + "abc");
                assertThat(answer).startsWith("HTTP/1.1 413 ");
                String unknown = RawHttp.header("Content-Length: 99000000", "Authorization: none");
                assertThat(RawHttp.ask(server, unknown)).startsWith("HTTP/1.1 401 ");
            }
            nothingIsLeft(server);
        }
    }

    /** The claims of the body and of the values in it are 95 MB for each connection. */
    @Test
    void claimsThatAreNeverKeptHoldNoMemoryAndEndInTime() throws Exception {
        Map<String, String> settings = Map.of("skep.thrift.message-timeout", "6s");
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            try (HttpBystander _ = new HttpBystander(server)) {
                long before = heapBytes();
                List<Socket> sockets = new ArrayList<>();
                for (int i = 0; i < CONNECTIONS; i++) {
                    Socket socket = server.socket();
                    sockets.add(socket);
                    String body = statement(95_000_000, 1_000);
                    RawHttp.send(
                            socket,
                            i % 2 == 0
                                    ? RawHttp.header("Content-Length: 99000000") + body
                                    : RawHttp.header("Transfer-Encoding: chunked") + chunk(body) + "5a00000\r\n");
                }
                long each = (heapBytes() - before) / CONNECTIONS;
                System.out.printf("a claim of 95 MB holds %d bytes, its client's socket included%n", each);
                assertThat(each).isLessThan(160 << 10);
                assertThat(TestingHttpServer.comesTrue(() -> server.http.connectionCount() <= 2))
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
    void bodiesWithoutEndAreBounded() throws Exception {
        Map<String, String> settings =
                Map.of("hive.server2.thrift.max.message.size", "4MB", "skep.thrift.request-memory", "8MB");
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            try (HttpBystander _ = new HttpBystander(server);
                    Socket socket = server.socket()) {
                RawHttp.send(socket, RawHttp.header("Transfer-Encoding: chunked"));
                RawHttp.send(socket, chunk(statement(100_000_000, 0)));
                String megabyte = chunk("x".repeat((int) MB));
                boolean open = true;
                int sent = 0;
                for (; sent < 100 && open; sent++) {
                    open = isSent(socket, megabyte);
                }
                assertThat(sent).as("megabytes taken").isLessThan(30);
            }
            nothingIsLeft(server);
        }
    }

    private static boolean isSent(Socket socket, String bytes) {
        try {
            RawHttp.send(socket, bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void bodiesTogetherHaveABudget() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of("skep.thrift.request-memory", "8MB"))) {
            try (HttpBystander _ = new HttpBystander(server);
                    Socket first = server.socket()) {
                RawHttp.send(first, RawHttp.header("Content-Length: 90000000") + statement(6_000_000, 3_000_000));
                assertThat(TestingHttpServer.comesTrue(() -> server.services.requestBytes() > 5 * MB))
                        .isTrue();
                String large = statement(4_000_000, 4_000_000);
                String answer = RawHttp.ask(server, RawHttp.header("Content-Length: " + large.length()) + large);
                assertThat(answer).startsWith("HTTP/1.1 200 ").contains("skep.thrift.request-memory");
                first.shutdownOutput();
                assertThat(TestingHttpServer.comesTrue(() -> server.services.requestBytes() == 0))
                        .isTrue();
            }
            nothingIsLeft(server);
        }
    }

    /** Sends one byte at a time. The server must close the connection before all bytes are sent. */
    @Test
    void slowHeadersAndSlowBodiesEndInTime() throws Exception {
        byte[] call = TestingHttpServer.openSession();
        String once = RawHttp.header("Content-Length: " + call.length) + new String(call, StandardCharsets.ISO_8859_1);
        try (TestingHttpServer server = new TestingHttpServer(IMPATIENT)) {
            try (HttpBystander _ = new HttpBystander(server)) {
                drip(server, "", RawHttp.header("X: y"));
                drip(server, RawHttp.header("Content-Length: 2000"), statement(1_000, 900));
                drip(server, RawHttp.header("Transfer-Encoding: chunked"), chunk(statement(1_000, 900)));
                drip(server, once, RawHttp.header("X: y"));
                drip(server, RawHttp.header("Authorization: none", "Content-Length: 2000"), statement(1_000, 900));
            }
            server.sessions.all().forEach(session -> server.sessions.close(session.id()));
            nothingIsLeft(server);
        }
    }

    private static void drip(TestingHttpServer server, String first, String slow) throws Exception {
        try (Socket socket = server.socket()) {
            RawHttp.send(socket, first);
            socket.setSoTimeout(100);
            boolean closed = false;
            for (int i = 0; i < slow.length() && !closed; i++) {
                closed = isClosedAfter(socket, slow.substring(i, i + 1));
            }
            assertThat(closed).as(first).isTrue();
        }
    }

    private static boolean isClosedAfter(Socket socket, String next) {
        try {
            RawHttp.send(socket, next);
            int read = 0;
            while (read >= 0) {
                read = socket.getInputStream().read();
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void silentClientsAreSentAway() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of("skep.thrift.login-timeout", "1s"))) {
            try (HttpBystander _ = new HttpBystander(server)) {
                List<Socket> sockets = new ArrayList<>();
                for (int i = 0; i < CONNECTIONS; i++) {
                    sockets.add(server.socket());
                    RawHttp.send(sockets.getLast(), i % 2 == 0 ? "" : "POST /cliservice HT");
                }
                for (Socket socket : sockets) {
                    assertThat(isClosed(socket)).isTrue();
                    socket.close();
                }
            }
            nothingIsLeft(server);
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of("skep.thrift.max-connections", "3"))) {
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sockets.add(server.socket());
                int count = i + 1;
                assertThat(TestingHttpServer.comesTrue(() -> server.http.connectionCount() == count))
                        .isTrue();
            }
            try (Socket more = server.socket()) {
                assertThat(isClosed(more)).isTrue();
            }
            for (Socket socket : sockets) {
                socket.close();
            }
            nothingIsLeft(server);
        }
    }

    @Test
    void clientsThatDoNotReadTheirAnswersAreSentAway() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(IMPATIENT)) {
            TCLIService.Client client = server.client("mallory");
            TSessionHandle session = client.OpenSession(TestingHttpServer.OPEN).getSessionHandle();
            TOperationHandle rows = client.ExecuteStatement(new TExecuteStatementReq(session, "rows 100000000"))
                    .getOperationHandle();
            TMemoryBuffer buffer = new TMemoryBuffer(256);
            new TCLIService.Client(new TBinaryProtocol(buffer))
                    .send_FetchResults(new TFetchResultsReq(rows, TFetchOrientation.FETCH_NEXT, 10_000));
            String fetch = RawHttp.header("Content-Length: " + buffer.length())
                    + new String(buffer.getArray(), 0, buffer.length(), StandardCharsets.ISO_8859_1);
            try (HttpBystander _ = new HttpBystander(server);
                    Socket socket = new Socket()) {
                socket.setReceiveBufferSize(16 << 10);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.http.port()));
                boolean sent = true;
                for (int i = 0; i < 1_000_000 && sent; i++) {
                    sent = isSent(socket, fetch);
                }
                assertThat(sent).as("the server stopped reading, then went").isFalse();
            }
            client.CloseSession(new TCloseSessionReq(session));
            nothingIsLeft(server);
        }
    }

    /** The handshake has the time of a login too, and its memory is bounded. */
    @Test
    void unfinishedHandshakesCostLittleAndEndInTime(@TempDir Path folder) throws Exception {
        SelfSigned own = SelfSigned.make(folder.resolve("own.p12"));
        Map<String, String> settings = new HashMap<>(Map.of(
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                own.file().toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD,
                "skep.thrift.login-timeout",
                "6s"));
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            server.http.awaitAnswer(Duration.ofSeconds(20));
            List<String> beginnings =
                    List.of("", "\u0016", "\u0016\u0003\u0001@\u0000", "POST /cliservice HTTP/1.1\r\n");
            List<Socket> sockets = new ArrayList<>();
            long before = heapBytes();
            for (int i = 0; i < CONNECTIONS; i++) {
                sockets.add(server.socket());
                RawHttp.send(sockets.getLast(), beginnings.get(i % beginnings.size()));
            }
            long each = (heapBytes() - before) / CONNECTIONS;
            System.out.printf("a handshake that stops holds %d bytes, its client's socket included%n", each);
            assertThat(each).isLessThan(64 << 10);
            for (Socket socket : sockets) {
                assertThat(isClosed(socket)).isTrue();
                socket.close();
            }
            nothingIsLeft(server);
        }
    }
}
