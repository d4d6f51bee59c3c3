package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens connections to a server with 1 GB of heap in its own process. First they are silent, then logged in, then each
 * has a session. They cost little, and a concurrent client is still answered. {@code -Dskep.test.connections=10000} is
 * the full size; client and server need that number of descriptors each.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class TestIdleConnections {
    private static final int COUNT = Integer.getInteger("skep.test.connections", 2_000);

    /** The heap for a connection. Its session uses the same amount in addition. */
    private static final long CONNECTION_BYTES = 20 << 10;

    private static final long ALL_BYTES = 1L << 30;
    private static final int SILENCE_MILLIS = 60_000;

    @Test
    void idleConnectionsCostLittle(@TempDir Path folder) throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        List<Socket> sockets = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(data, Map.of("skep.thrift.login-timeout", "30m"));
                ServerJvm jvm = new ServerJvm(server.process().pid());
                ReleasedClient client = ReleasedClient.open()) {
            try (Bystander bystander = new Bystander(client, server.url())) {
                bystander.awaitAnswers(20);
                Reading before = read(server, jvm);
                System.out.println("no connections: " + before + ", " + bystander.answers());
                for (int i = 0; i < COUNT; i++) {
                    sockets.add(connect(server.url()));
                }
                assertFew("silent", read(server, jvm), before, CONNECTION_BYTES, bystander);
                for (Socket socket : sockets) {
                    login(socket);
                }
                assertFew("logged in", read(server, jvm), before, CONNECTION_BYTES, bystander);
                for (Socket socket : sockets) {
                    openSession(socket);
                }
                assertFew("with a session", read(server, jvm), before, 2 * CONNECTION_BYTES, bystander);
            }
            for (Socket socket : sockets) {
                socket.close();
            }
            ServerProcess.await(() -> server.page("/api/sessions").equals("[]"));
            System.out.println("closed: " + read(server, jvm));
        }
    }

    private static void assertFew(String what, Reading now, Reading before, long most, Bystander bystander) {
        bystander.awaitAnswers(20);
        long each = (now.heapBytes() - before.heapBytes()) / COUNT;
        System.out.println(COUNT + " connections, " + what + ": " + now + ", " + each + " bytes of heap each, "
                + bystander.answers());
        assertThat(each).as(what).isLessThan(most);
        assertThat(now.residentBytes()).as(what).isLessThan(ALL_BYTES);
    }

    private static Socket connect(String url) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(),
                URI.create(url.substring("jdbc:".length())).getPort());
        socket.setSoTimeout(SILENCE_MILLIS);
        return socket;
    }

    /** Logs in by SASL PLAIN: the mechanism, then name and password. The answer is a message of status 5. */
    private static void login(Socket socket) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String text : List.of("PLAIN", "\0idle\0x")) {
            out.writeByte(text.equals("PLAIN") ? 1 : 2);
            out.writeInt(text.length());
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        socket.getOutputStream().write(bytes.toByteArray());
        assertThat(new DataInputStream(socket.getInputStream()).readNBytes(5)[0])
                .isEqualTo((byte) 5);
    }

    /** Calls OpenSession in Thrift's binary protocol. The answer is a reply message. */
    private static void openSession(Socket socket) throws IOException {
        byte[] name = "OpenSession".getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream message = new DataOutputStream(bytes);
        message.writeInt(0x80010001);
        message.writeInt(name.length);
        message.write(name);
        message.writeInt(1);
        message.write(new byte[] {12, 0, 1, 8, 0, 1, 0, 0, 0, 9, 0, 0});
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        new DataOutputStream(frame).writeInt(bytes.size());
        bytes.writeTo(frame);
        frame.writeTo(out);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = in.readNBytes(in.readInt());
        assertThat(answer[3]).as("a reply").isEqualTo((byte) 2);
    }

    /**
     * The memory of a process.
     *
     * @param heapBytes the used heap after garbage collections
     * @param residentBytes the resident memory of the whole process, as the kernel counts it
     */
    private record Reading(long heapBytes, long residentBytes) {
        @Override
        public String toString() {
            return "heap " + (heapBytes >> 10) + " KB, resident " + (residentBytes >> 20) + " MB";
        }
    }

    private static Reading read(ServerProcess server, ServerJvm jvm) throws IOException {
        long heapBytes = jvm.heapBytes();
        long kilobytes = Files.readAllLines(Path.of("/proc/" + server.process().pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
        return new Reading(heapBytes, kilobytes << 10);
    }

    /** A normal client that connects and runs a query repeatedly, and records its longest wait. */
    private static final class Bystander implements AutoCloseable {
        private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

        private final ReleasedClient client;
        private final String url;
        private final Thread thread;
        private volatile boolean ended;
        private volatile int answered;
        private volatile long longestNanos;
        private volatile @Nullable Throwable failure;

        Bystander(ReleasedClient client, String url) {
            this.client = client;
            this.url = url;
            thread = Thread.ofPlatform().name("bystander").start(this::ask);
        }

        private void ask() {
            try {
                while (!ended) {
                    long start = System.nanoTime();
                    askOnce();
                    longestNanos = Math.max(longestNanos, System.nanoTime() - start);
                    int count = answered + 1;
                    answered = count;
                }
            } catch (Exception | AssertionError e) {
                failure = e;
            }
        }

        private void askOnce() throws Exception {
            try (Connection connection = client.connect(url);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select 1")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }

        /** Waits until this number of additional answers has arrived. */
        void awaitAnswers(int more) {
            int wanted = answered + more;
            ServerProcess.await(() -> answered >= wanted || failure != null);
            assertThat(failure).isNull();
        }

        /** Returns the answers since the previous call. */
        String answers() {
            String told = answered + " answers to a bystander, the longest after " + longestNanos / 1_000_000 + " ms";
            longestNanos = 0;
            return told;
        }

        @Override
        public void close() {
            ended = true;
            ServerProcess.await(() -> !thread.isAlive());
            assertThat(failure).isNull();
            assertThat(longestNanos).isLessThan(LONGEST_NANOS);
        }
    }
}
