package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.testing.TestingKdc;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.security.auth.Subject;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests clients that try to harm a server with Kerberos, before and after their login. */
final class TestHostileKerberosClients {
    private static final byte OK = 2;
    private static final long MB = 1 << 20;

    /** The bytes of the longest first message of a login, after the name of its mechanism. */
    private static final int LONGEST = (64 << 10) - "GSSAPI".length();

    /** The bytes that the server reserves for the array of such a message and for those from which it has grown. */
    private static final int RESERVED = 128 << 10;

    /**
     * The bytes of an encrypted frame's header that the JDK does not compare with their encrypted copy: the number of
     * fill bytes, and the number of the frame, of whose four lower bytes the next one is expected.
     */
    private static final List<Integer> UNVERIFIED = List.of(4, 5, 8, 9, 10, 11);

    @TempDir
    private static Path folder;

    private static TestingKdc kdc;
    private static Subject ann;

    @BeforeAll
    static void start() throws Exception {
        kdc = TestingKdc.start(folder);
        ann = kdc.login("ann");
    }

    @AfterAll
    static void stop() {
        kdc.close();
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void nothingIsLeft(TestingServer server) {
        assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0
                        && server.thrift.requestBytes() == 0
                        && server.sessions.all().isEmpty()))
                .as("connections %s, request bytes %s", server.thrift.connectionCount(), server.thrift.requestBytes())
                .isTrue();
    }

    private static void isClosed(TTransport socket) {
        assertThatThrownBy(() -> socket.readAll(new byte[1], 0, 1)).isInstanceOf(TTransportException.class);
    }

    private static void isServed(TestingServer server) throws Exception {
        try (TTransport transport = KerberosClient.open(server.connect(), ann, "hive", "auth-conf,auth-int,auth")) {
            TestingServer.client(transport)
                    .OpenSession(new org.apache.hive.service.rpc.thrift.TOpenSessionReq(
                            org.apache.hive.service.rpc.thrift.TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10));
        }
    }

    @Test
    void tokensThatAreNoneAreRefused() throws Exception {
        Random random = new Random(17);
        try (TestingServer server = new TestingServer(kdc.server("hive.server2.thrift.sasl.qop", "auth-conf"))) {
            byte[] token = KerberosClient.token(ann, KerberosClient.sasl(ann, "auth-conf"), new byte[0]);
            for (int i = 0; i < 200; i++) {
                byte[] bad = token.clone();
                bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
                if (i % 3 == 0) {
                    bad = java.util.Arrays.copyOf(bad, random.nextInt(bad.length));
                }
                if (i % 10 == 0) {
                    random.nextBytes(bad);
                }
                try (TTransport socket = server.connect()) {
                    KerberosClient.begin(socket, bad);
                    // A change of what is not signed, such as the flags of the login, may be accepted. It ends here.
                    KerberosClient.answer(socket, OK);
                } catch (TTransportException e) {
                    assertThat(e).hasMessageContaining("Error validating the login");
                }
            }
            isServed(server);
            nothingIsLeft(server);
        }
    }

    private interface Login {
        void begin(TTransport socket) throws Exception;
    }

    private static void withoutItsLastByte(TTransport socket) throws Exception {
        KerberosClient.send(socket, (byte) 1, "GSSAPI".getBytes(StandardCharsets.US_ASCII));
        socket.write(
                ByteBuffer.allocate(5 + LONGEST - 1).put(OK).putInt(LONGEST).array());
        socket.flush();
    }

    private static void withoutItsLastMessage(TTransport socket) throws Exception {
        KerberosClient.begin(socket, KerberosClient.token(ann, KerberosClient.sasl(ann, "auth"), new byte[0]));
        assertThat(KerberosClient.answer(socket, OK)).isNotEmpty();
    }

    @Test
    void unfinishedLoginsHoldLittleMemory() throws Exception {
        // The bytes of the message, and the connection on both sides. Bytes held twice would be 64 KB more.
        holds("a message without its last byte", 100 << 10, RESERVED, TestHostileKerberosClients::withoutItsLastByte);
        holds("a login without its last message", 64 << 10, 0, TestHostileKerberosClients::withoutItsLastMessage);
    }

    /** @param reserved the bytes that the server reserves for a login when all that its client sends has arrived */
    private static void holds(String what, int mostBytes, int reserved, Login login) throws Exception {
        int count = 200;
        try (TestingServer server = new TestingServer(kdc.server())) {
            try (TTransport first = server.connect()) {
                login.begin(first);
            }
            nothingIsLeft(server);
            long before = heapBytes();
            List<TTransport> sockets = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                TTransport socket = server.connect();
                sockets.add(socket);
                login.begin(socket);
            }
            assertThat(TestingServer.comesTrue(() -> server.thrift.requestBytes() >= (long) count * reserved))
                    .as("all has arrived")
                    .isTrue();
            long bytes = (heapBytes() - before) / count;
            System.out.printf("%s costs %d bytes of heap, its client's side included%n", what, bytes);
            assertThat(bytes).isLessThan(mostBytes);
            sockets.forEach(TTransport::close);
            nothingIsLeft(server);
        }
    }

    @Test
    void unfinishedLoginsEndInTime() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server("skep.thrift.login-timeout", "1s"))) {
            for (Login login : List.<Login>of(
                    TestHostileKerberosClients::withoutItsLastByte,
                    TestHostileKerberosClients::withoutItsLastMessage)) {
                try (TTransport socket = server.connect()) {
                    login.begin(socket);
                    isClosed(socket);
                }
            }
            nothingIsLeft(server);
            isServed(server);
        }
    }

    @Test
    void loginsThatAreTooLongOrDoNotEndAreRefused() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server())) {
            try (TTransport socket = server.connect()) {
                KerberosClient.send(socket, (byte) 1, "GSSAPI".getBytes(StandardCharsets.US_ASCII));
                socket.write(ByteBuffer.allocate(5).put(OK).putInt(70_000).array());
                socket.flush();
                isClosed(socket);
            }
            try (TTransport socket = server.connect()) {
                KerberosClient.begin(socket, KerberosClient.token(ann, KerberosClient.sasl(ann, "auth"), new byte[0]));
                KerberosClient.answer(socket, OK);
                assertThatThrownBy(() -> {
                            while (true) {
                                KerberosClient.send(socket, OK, new byte[0]);
                                KerberosClient.answer(socket, OK);
                            }
                        })
                        .isInstanceOf(TTransportException.class)
                        .hasMessageContaining("Error validating the login");
            }
            nothingIsLeft(server);
        }
    }

    @Test
    void damagedRepeatedAndReorderedFramesEndTheConnection() throws Exception {
        for (String protection : List.of("auth-int", "auth-conf")) {
            try (TestingServer server = new TestingServer(kdc.server("hive.server2.thrift.sasl.qop", protection))) {
                byte[] call = ProtectedFrames.openSession();
                for (String how : List.of("damaged", "cut", "empty", "plain", "repeated", "left out", "longer")) {
                    try (TTransport socket = server.connect()) {
                        ProtectedFrames frames =
                                new ProtectedFrames(socket, KerberosClient.login(socket, ann, protection));
                        byte[] content = frames.wrapped(call);
                        switch (how) {
                            case "damaged" -> content[content.length / 2] ^= 1;
                            case "cut" -> content = java.util.Arrays.copyOf(content, content.length / 2);
                            case "empty" -> content = new byte[0];
                            case "plain" -> content = call;
                            case "repeated" -> {
                                frames.sendRaw(content);
                                assertThat(frames.received()).isNotEmpty();
                            }
                            case "left out" -> content = frames.wrapped(call);
                            default -> content = java.util.Arrays.copyOf(content, content.length + 1);
                        }
                        frames.sendRaw(content);
                        isClosed(socket);
                    }
                    nothingIsLeft(server);
                }
                isServed(server);
            }
        }
    }

    @Test
    void damageOfAMessageIsNotOverlooked() throws Exception {
        Random random = new Random(17);
        for (String protection : List.of("auth-int", "auth-conf")) {
            List<Integer> served = new ArrayList<>();
            try (TestingServer server = new TestingServer(kdc.server("hive.server2.thrift.sasl.qop", protection))) {
                for (int i = 0; i < 100; i++) {
                    try (TTransport socket = server.connect()) {
                        ProtectedFrames frames =
                                new ProtectedFrames(socket, KerberosClient.login(socket, ann, protection));
                        byte[] content = frames.wrapped(ProtectedFrames.openSession());
                        int at = i % content.length;
                        content[at] ^= (byte) (1 + random.nextInt(255));
                        frames.sendRaw(content);
                        if (isAnswered(socket)) {
                            served.add(at);
                        }
                    }
                }
                nothingIsLeft(server);
            }
            if (protection.equals("auth-int")) {
                assertThat(served).isEmpty();
            } else {
                assertThat(served).isSubsetOf(UNVERIFIED);
            }
        }
    }

    private static boolean isAnswered(TTransport socket) {
        try {
            socket.readAll(new byte[1], 0, 1);
            return true;
        } catch (TTransportException e) {
            return false;
        }
    }

    @Test
    void lengthsOfFramesAreNotBelieved() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server(
                "hive.server2.thrift.sasl.qop",
                "auth-conf",
                "skep.thrift.message-timeout",
                "2s",
                "skep.thrift.request-memory",
                "8MB"))) {
            for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, (100 << 20) + 1}) {
                try (TTransport socket = server.connect()) {
                    KerberosClient.login(socket, ann, "auth-conf");
                    socket.write(ByteBuffer.allocate(4).putInt(length).array());
                    socket.flush();
                    isClosed(socket);
                }
            }
            long before = heapBytes();
            List<TTransport> sockets = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                TTransport socket = server.connect();
                sockets.add(socket);
                KerberosClient.login(socket, ann, "auth-conf");
                socket.write(ByteBuffer.allocate(100).putInt(99_000_000).array());
                socket.flush();
            }
            long held = heapBytes() - before;
            System.out.printf("50 claims of 99 MB hold %d KB%n", held >> 10);
            assertThat(held).isLessThan(16 * MB);
            assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0))
                    .as("all have been sent away")
                    .isTrue();
            sockets.forEach(TTransport::close);
            nothingIsLeft(server);
        }
    }

    @Test
    void framesTogetherHaveABudget() throws Exception {
        try (TestingServer server = new TestingServer(
                        kdc.server("hive.server2.thrift.sasl.qop", "auth-conf", "skep.thrift.request-memory", "8MB"));
                TTransport socket = server.connect()) {
            ProtectedFrames frames = new ProtectedFrames(socket, KerberosClient.login(socket, ann, "auth-conf"));
            assertThatThrownBy(() -> {
                        frames.send(new byte[6_000_000]);
                        frames.received();
                    })
                    .isInstanceOf(TTransportException.class);
            nothingIsLeft(server);
            isServed(server);
        }
    }
}
