package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.CompileConfig;
import io.skep.service.audit.AuditLog;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.OperationHistory;
import io.skep.service.session.SessionConfig;
import io.skep.service.session.TestingSqlEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server's graceful shutdown, with a clock that the test controls. */
@Timeout(60)
final class TestDrain {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource clock = now::get;
    private final AtomicInteger left = new AtomicInteger();
    private final ClientSessions sessions = new ClientSessions(
            new TestingSqlEngine(),
            SessionConfig.of(new SettingsReader(Map.of("hive.server2.session.check.interval", "0"))),
            CompileConfig.of(new SettingsReader(Map.of())),
            new OperationHistory(clock),
            AuditLog.NONE,
            InstantSource.system(),
            clock);
    private final Drain drain = new Drain(sessions, clock, left::incrementAndGet);

    @AfterEach
    void close() {
        sessions.close();
    }

    private ClientSession open() {
        return sessions.open("ann", "here", Map.of());
    }

    @Test
    void emptyServerEndsAtOnce() {
        drain.begin("test", Optional.empty());
        assertThat(drain.done()).isDone();
        assertThat(left).hasValue(1);
    }

    @Test
    void endsWithTheLastSessionAndTakesNoNewOnes() throws Exception {
        ClientSession one = open();
        ClientSession two = open();
        drain.begin("test", Optional.empty());
        drain.begin("again", Optional.empty());
        assertThat(left).hasValue(1);
        assertThatThrownBy(this::open).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.SERVER_DRAINING);
            assertThat(e.hint()).isPresent();
        });
        assertThat(sessions.all()).containsExactlyInAnyOrder(one, two);
        sessions.close(one.id());
        assertThat(sessions.get(two.id(), two.secret())).isSameAs(two);
        now.set(now.get().plus(Duration.ofDays(1000)));
        assertThat(drain.done()).isNotDone();
        sessions.close(two.id());
        drain.done().get(30, TimeUnit.SECONDS);
    }

    @Test
    void limitEndsTheWait() throws Exception {
        open();
        drain.begin("test", Optional.empty());
        drain.begin("in a hurry", Optional.of(Duration.ofSeconds(10)));
        now.set(now.get().plusSeconds(9));
        assertThat(drain.done()).isNotDone();
        now.set(now.get().plusSeconds(1));
        drain.done().get(30, TimeUnit.SECONDS);
        assertThat(sessions.all()).hasSize(1);
    }

    @Test
    void requestsAreTakenOnce(@TempDir Path data) throws Exception {
        assertThat(DrainRequest.take(data)).isEmpty();
        Path file = data.resolve("drain.request");
        Files.writeString(file, "\n");
        assertThat(DrainRequest.take(data)).contains(new DrainRequest(Optional.empty()));
        assertThat(DrainRequest.take(data)).isEmpty();
        Files.writeString(file, "90\n");
        assertThat(DrainRequest.take(data)).contains(new DrainRequest(Optional.of(Duration.ofSeconds(90))));
        Files.writeString(file, "soon");
        assertThatThrownBy(() -> DrainRequest.take(data)).isInstanceOf(SkepException.class);
        Files.writeString(file, "");
        DrainRequest.clear(data);
        assertThat(DrainRequest.take(data)).isEmpty();
    }
}
