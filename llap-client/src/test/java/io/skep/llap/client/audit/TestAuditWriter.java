package io.skep.llap.client.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TestAuditWriter {
    private static final int CLIENTS = 64;
    private static final int LINES = 200;
    private static final long MEGABYTE = 1 << 20;

    @TempDir
    private Path folder;

    private static AuditConfig config(Path folder, boolean refuses, long maxWaitingBytes, Duration patience) {
        return new AuditConfig(
                true, true, folder, "skep.audit.folder", MEGABYTE, 1000, false, refuses, maxWaitingBytes, patience);
    }

    private static byte[] line(String user) {
        return ("{\"login\":\"" + user + "\"}\n").getBytes(StandardCharsets.UTF_8);
    }

    private static AuditWriter over(AuditTarget target, AuditConfig config) {
        return new AuditWriter(config, target);
    }

    private List<String> users() throws IOException {
        List<String> users = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".log")).toList();
        }
        for (Path file : files) {
            assertThat(Files.size(file)).isLessThanOrEqualTo(MEGABYTE);
            assertThat(Files.readString(file)).endsWith("\n");
            for (String line : Files.readAllLines(file)) {
                users.add(login(line));
            }
        }
        return users;
    }

    /** Returns a field of a line, which is a whole object. */
    private static String login(String line) throws IOException {
        String login = "";
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("login")) {
                    parser.nextToken();
                    login = parser.getText();
                }
            }
            assertThat(depth).isZero();
        }
        return login;
    }

    /** The lines of 64 threads, which are interrupted again and again, go into several files. */
    @Test
    void hasEachLineOnceAndWhole() throws Exception {
        AtomicInteger interrupts = new AtomicInteger();
        try (AuditWriter log = AuditWriter.open(config(folder, true, MEGABYTE, Duration.ofSeconds(30)))
                        .orElseThrow();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String client = "u".repeat(250 + i) + i + "_";
                running.add(threads.submit(() -> {
                    for (int line = 0; line < LINES; line++) {
                        if (line % 3 == 0) {
                            Thread.currentThread().interrupt();
                        }
                        log.append(line(client + line));
                        interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        assertThat(users()).hasSize(CLIENTS * LINES).doesNotHaveDuplicates();
        assertThat(interrupts.get()).isEqualTo(CLIENTS * ((LINES + 2) / 3));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.toString().endsWith(".log"))).hasSizeGreaterThan(2);
        }
    }

    /** A target that can hang and fail. */
    private static final class Faulty implements AuditTarget {
        private final List<String> written = new ArrayList<>();
        private final CountDownLatch begun = new CountDownLatch(1);
        private volatile CountDownLatch hang = new CountDownLatch(0);
        private volatile boolean full;

        @Override
        public synchronized void append(byte[] lines) throws IOException {
            begun.countDown();
            try {
                hang.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (full) {
                throw new IOException("No space left on device");
            }
            written.add(new String(lines, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {}
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.AUDIT_LOG_FAILED));
    }

    @Test
    void refusesWhileTheDiskIsFull() {
        Faulty disk = new Faulty();
        try (AuditWriter log = over(disk, config(folder, true, MEGABYTE, Duration.ofSeconds(30)))) {
            log.append(line("ann"));
            disk.full = true;
            assertRefused(() -> log.append(line("bob")));
            assertThat(log.unwrittenLines()).isEqualTo(1);
            disk.full = false;
            log.append(line("cid"));
        }
        assertThat(String.join("", disk.written)).contains("ann", "cid").doesNotContain("bob");
    }

    @Test
    void continuesIfTheSettingSaysSo() {
        Faulty disk = new Faulty();
        disk.full = true;
        try (AuditWriter log = over(disk, config(folder, false, MEGABYTE, Duration.ofSeconds(30)))) {
            log.append(line("ann"));
            assertThat(log.unwrittenLines()).isEqualTo(1);
        }
    }

    /** While the disk hangs, callers wait for a limited time, and what they want to write has a limited size. */
    @Test
    void waitsNoLongerThanTheLimit() throws Exception {
        Faulty disk = new Faulty();
        disk.hang = new CountDownLatch(1);
        try (AuditWriter log = over(disk, config(folder, true, 40, Duration.ofMillis(300)));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> first = threads.submit(() -> log.append(line("first")));
            disk.begun.await();
            assertRefused(() -> log.append(line("late")));
            List<Future<?>> others = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "other" + i;
                others.add(threads.submit(() -> assertRefused(() -> log.append(line(name)))));
            }
            for (Future<?> other : others) {
                other.get();
            }
            disk.hang.countDown();
            first.get();
            log.append(line("last"));
        }
        assertThat(String.join("", disk.written)).contains("first", "last").doesNotContain("late", "other");
    }

    /** Callers that wait for one who writes are written together. */
    @Test
    void writesWaitingLinesTogether() throws Exception {
        Faulty disk = new Faulty();
        disk.hang = new CountDownLatch(1);
        try (AuditWriter log = over(disk, config(folder, true, MEGABYTE, Duration.ofSeconds(30)));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            running.add(threads.submit(() -> log.append(line("first"))));
            disk.begun.await();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(threads.submit(() -> log.append(line("next"))));
            }
            Polling.await("the lines wait").until(() -> log.waitingLines() == CLIENTS);
            disk.hang.countDown();
            for (Future<?> one : running) {
                one.get();
            }
        }
        assertThat(disk.written).hasSize(2);
        assertThat(disk.written.getLast().lines()).hasSize(CLIENTS);
    }

    @Test
    void refusesWhatComesAfterTheEnd() {
        AuditWriter log = AuditWriter.open(config(folder, true, MEGABYTE, Duration.ofSeconds(1)))
                .orElseThrow();
        log.close();
        assertRefused(() -> log.append(line("late")));
    }

    @Test
    void refusesTheStartWithoutAFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        AuditConfig config = config(file, true, MEGABYTE, Duration.ofSeconds(1));
        assertThatThrownBy(() -> AuditWriter.open(config)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
            assertThat(e.fullMessage()).contains("skep.audit.folder", file.toString());
        });
    }
}
