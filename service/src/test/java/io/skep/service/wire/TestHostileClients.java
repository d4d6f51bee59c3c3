package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.service.wire.ClaimedLengths.Claim;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TGetInfoReq;
import org.apache.hive.service.rpc.thrift.TGetInfoType;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;

/**
 * Tests clients that try to harm the server. A bystander gets answers throughout, and no resources of the hostile
 * clients remain.
 */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestHostileClients {
    private static final TOpenSessionReq OPEN = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);
    private static final Map<String, String> SASL = Map.of("hive.server2.authentication", "NONE");
    private static final Map<String, String> IMPATIENT =
            Map.of("skep.thrift.message-timeout", "1s", "skep.thrift.login-timeout", "1s");
    private static final long MB = 1 << 20;

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Socket socket(TestingServer server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 << 10);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.thrift.port()));
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static byte[] framed(byte[] message, int claimed) {
        return ByteBuffer.allocate(4 + message.length)
                .putInt(claimed)
                .put(message)
                .array();
    }

    private static void login(Socket socket) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        for (String text : List.of("PLAIN", "\0mallory\0x")) {
            out.writeByte(text.equals("PLAIN") ? 1 : 2);
            out.writeInt(text.length());
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new DataInputStream(socket.getInputStream()).readNBytes(5)[0])
                .isEqualTo((byte) 5);
    }

    private static void nothingIsLeft(TestingServer server) {
        assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0
                        && server.thrift.requestBytes() == 0
                        && server.sessions.all().isEmpty()))
                .as("connections %s, request bytes %s", server.thrift.connectionCount(), server.thrift.requestBytes())
                .isTrue();
    }

    @Test
    void noLengthIsBelievedAtAnyFieldOfAnyCall() throws Exception {
        List<Claim> claims = ClaimedLengths.all();
        assertThat(claims).hasSizeGreaterThan(150);
        try (TestingServer server = new TestingServer(SASL)) {
            long before = heapBytes();
            try (Bystander _ = new Bystander(server)) {
                for (Claim claim : claims) {
                    try (Socket socket = socket(server)) {
                        login(socket);
                        socket.getOutputStream().write(framed(claim.message(), claim.message().length));
                        DataInputStream in = new DataInputStream(socket.getInputStream());
                        TMessage answer = message(in.readNBytes(in.readInt()));
                        assertThat(answer.type).as(claim.where()).isEqualTo(TMessageType.EXCEPTION);
                    }
                }
            }
            nothingIsLeft(server);
            assertThat(heapBytes() - before).isLessThan(16 * MB);
        }
    }

    private static TMessage message(byte[] frame) throws Exception {
        return new TBinaryProtocol(new org.apache.thrift.transport.TMemoryInputTransport(frame)).readMessageBegin();
    }

    @Test
    void claimsThatAreNeverKeptHoldNoMemoryAndEndInTime() throws Exception {
        for (String authentication : List.of("NONE", "NOSASL")) {
            Map<String, String> settings = new java.util.HashMap<>(IMPATIENT);
            settings.put("hive.server2.authentication", authentication);
            boolean sasl = authentication.equals("NONE");
            try (TestingServer server = new TestingServer(settings);
                    Bystander _ = new Bystander(server)) {
                long before = heapBytes();
                List<Socket> sockets = new ArrayList<>();
                for (Claim claim : ClaimedLengths.all()) {
                    if (claim.where().endsWith("95000000")) {
                        Socket socket = socket(server);
                        sockets.add(socket);
                        if (sasl) {
                            login(socket);
                        }
                        socket.getOutputStream().write(sasl ? framed(claim.message(), 99_000_000) : claim.message());
                    }
                }
                long held = heapBytes() - before;
                System.out.printf("%s: %d claims of 95 MB hold %d KB%n", authentication, sockets.size(), held >> 10);
                assertThat(held).isLessThan(64 * MB);
                assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() <= 1))
                        .as("all have been sent away")
                        .isTrue();
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void requestsTogetherHaveABudgetAndSmallOnesNeedNone() throws Exception {
        Map<String, String> settings =
                Map.of("skep.thrift.request-memory", "8MB", "hive.server2.authentication", "NONE");
        try (TestingServer server = new TestingServer(settings);
                Bystander _ = new Bystander(server);
                Socket first = socket(server);
                TTransport second = server.login("ann")) {
            login(first);
            byte[] begin = statement(6_000_000, 3_000_000);
            first.getOutputStream().write(framed(begin, begin.length + 3_000_000));
            assertThat(TestingServer.comesTrue(() -> server.thrift.requestBytes() > 5 * MB))
                    .isTrue();
            TCLIService.Client client = TestingServer.client(second);
            TSessionHandle session = client.OpenSession(OPEN).getSessionHandle();
            TExecuteStatementReq large = new TExecuteStatementReq(session, "x".repeat(4_000_000));
            assertThatThrownBy(() -> client.ExecuteStatement(large))
                    .isInstanceOf(TApplicationException.class)
                    .hasMessageContaining("skep.thrift.request-memory");
            assertThat(client.GetInfo(new TGetInfoReq(session, TGetInfoType.CLI_DBMS_NAME))
                            .getInfoValue()
                            .getStringValue())
                    .as("the connection goes on")
                    .isEqualTo("Apache Hive");
            first.shutdownOutput();
            assertThat(TestingServer.comesTrue(() -> server.thrift.requestBytes() == 0))
                    .isTrue();
            assertThat(client.ExecuteStatement(new TExecuteStatementReq(session, "x".repeat(1_000_000)))
                            .getStatus()
                            .getErrorMessage())
                    .contains("no such statement");
        }
    }

    /** Returns a call of ExecuteStatement whose text claims to be longer than the bytes that are sent. */
    private static byte[] statement(int length, int given) throws Exception {
        var buffer = new org.apache.thrift.transport.TMemoryBuffer(given);
        TBinaryProtocol protocol = new TBinaryProtocol(buffer);
        protocol.writeMessageBegin(new TMessage("ExecuteStatement", TMessageType.CALL, 1));
        protocol.writeFieldBegin(new org.apache.thrift.protocol.TField("req", (byte) 12, (short) 1));
        protocol.writeFieldBegin(new org.apache.thrift.protocol.TField("statement", (byte) 11, (short) 2));
        protocol.writeI32(length);
        buffer.write(new byte[given]);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    @Test
    void nestingBombsAreRefused() throws Exception {
        byte[] struct = {12, 0, 99};
        byte[] list = {15, 0, 0, 0, 1};
        byte[] map = {13, 13, 0, 0, 0, 1};
        try (TestingServer server = new TestingServer(SASL);
                Bystander _ = new Bystander(server)) {
            for (byte[] level : List.of(struct, list, map)) {
                var buffer = new org.apache.thrift.transport.TMemoryBuffer(64);
                TBinaryProtocol protocol = new TBinaryProtocol(buffer);
                protocol.writeMessageBegin(new TMessage("OpenSession", TMessageType.CALL, 1));
                buffer.write(new byte[] {level[0], 0, 98});
                for (int i = 0; i < 1_000_000; i++) {
                    buffer.write(level);
                }
                try (Socket socket = socket(server)) {
                    login(socket);
                    socket.getOutputStream()
                            .write(framed(Arrays.copyOf(buffer.getArray(), buffer.length()), buffer.length()));
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    byte[] answer = in.readNBytes(in.readInt());
                    assertThat(message(answer).type).isEqualTo(TMessageType.EXCEPTION);
                    assertThat(new String(answer, StandardCharsets.ISO_8859_1)).contains("64 levels");
                }
            }
        }
    }

    @Test
    void slowLoginsAndSlowMessagesEndInTime() throws Exception {
        Map<String, String> settings = new java.util.HashMap<>(IMPATIENT);
        settings.putAll(SASL);
        try (TestingServer server = new TestingServer(settings);
                Bystander _ = new Bystander(server)) {
            drip(server, false, new byte[] {1, 0, 0, 0, 5, 'P', 'L', 'A'});
            drip(server, true, framed(statement(1_000, 900), 2_000));
        }
    }

    /**
     * Sends one byte at a time, slowly, until the server closes the connection. The server must do so before all bytes
     * are sent.
     */
    private static void drip(TestingServer server, boolean login, byte[] bytes) throws Exception {
        try (Socket socket = socket(server)) {
            if (login) {
                login(socket);
            }
            long start = System.nanoTime();
            socket.setSoTimeout(500);
            boolean closed = false;
            for (int i = 0; i < 60 && !closed; i++) {
                closed = isClosedAfter(socket, bytes[i % bytes.length]);
            }
            System.out.printf("a slow client was sent away after %.1f s%n", (System.nanoTime() - start) / 1e9);
            assertThat(closed).isTrue();
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

    @Test
    void clientsThatDoNotReadTheirAnswersAreSentAway() throws Exception {
        Map<String, String> settings = new java.util.HashMap<>(IMPATIENT);
        settings.putAll(SASL);
        try (TestingServer server = new TestingServer(settings)) {
            try (Bystander _ = new Bystander(server);
                    Socket socket = socket(server)) {
                login(socket);
                TOperationHandle rows;
                try (TTransport other = server.login("mallory")) {
                    TCLIService.Client client = TestingServer.client(other);
                    TSessionHandle session = client.OpenSession(OPEN).getSessionHandle();
                    rows = client.ExecuteStatement(new TExecuteStatementReq(session, "rows 100000000"))
                            .getOperationHandle();
                    byte[] fetch = fetch(rows);
                    boolean sent = true;
                    for (int i = 0; i < 1_000_000 && sent; i++) {
                        sent = isSent(socket, fetch);
                    }
                    assertThat(sent).as("the server stopped reading, then went").isFalse();
                }
            }
            nothingIsLeft(server);
        }
    }

    private static boolean isSent(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] openSession() throws Exception {
        var buffer = new org.apache.thrift.transport.TMemoryBuffer(256);
        new TCLIService.Client(new TBinaryProtocol(buffer)).send_OpenSession(OPEN);
        return framed(Arrays.copyOf(buffer.getArray(), buffer.length()), buffer.length());
    }

    private static byte[] fetch(TOperationHandle rows) throws Exception {
        var buffer = new org.apache.thrift.transport.TMemoryBuffer(256);
        new TCLIService.Client(new TBinaryProtocol(buffer))
                .send_FetchResults(new TFetchResultsReq(rows, TFetchOrientation.FETCH_NEXT, 10_000));
        return framed(Arrays.copyOf(buffer.getArray(), buffer.length()), buffer.length());
    }

    @Test
    void idleConnectionsCostLittle() throws Exception {
        int count = Integer.getInteger("skep.test.connections", 2_000);
        try (TestingServer server = new TestingServer(SASL)) {
            List<Socket> sockets = new ArrayList<>();
            long before = heapBytes();
            for (int i = 0; i < count; i++) {
                Socket socket = socket(server);
                sockets.add(socket);
                login(socket);
            }
            long bytes = (heapBytes() - before) / count;
            System.out.printf("an idle connection costs %d bytes of heap, its client's socket included%n", bytes);
            assertThat(bytes).isLessThan(20 << 10);
            try (Bystander _ = new Bystander(server)) {
                byte[] open = openSession();
                for (Socket socket : sockets) {
                    socket.getOutputStream().write(open);
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    in.readNBytes(in.readInt());
                }
                assertThat(server.sessions.all()).hasSizeGreaterThanOrEqualTo(count);
            }
            System.out.printf("with a session %d bytes%n", (heapBytes() - before) / count);
            for (Socket socket : sockets) {
                socket.close();
            }
            nothingIsLeft(server);
        }
    }

    @Test
    void connectionsBeyondTheLimitAndIdleOnesAreClosed() throws Exception {
        try (TestingServer server = new TestingServer(
                Map.of("skep.thrift.max-connections", "3", "skep.thrift.idle-connection-timeout", "1s"))) {
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sockets.add(socket(server));
            }
            assertThat(sockets.getLast().getInputStream().read()).isEqualTo(-1);
            sockets.getFirst().close();
            assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 2))
                    .isTrue();
            try (TTransport transport = server.connect()) {
                TCLIService.Client client = TestingServer.client(transport);
                TSessionHandle session = client.OpenSession(OPEN).getSessionHandle();
                client.CloseSession(new org.apache.hive.service.rpc.thrift.TCloseSessionReq(session));
                assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 2))
                        .as("a connection without a session does not stay")
                        .isTrue();
            }
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
