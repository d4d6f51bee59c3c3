package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.service.session.TestingSqlEngine;
import io.skep.tez.wire.ContainerConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TestWarmUp {
    private final TestingSqlEngine engine = new TestingSqlEngine();

    @Test
    void asksAsManyQueriesAsItIsTold() throws Exception {
        try (WarmUp training = new WarmUp(engine, 100, () -> false)) {
            training.start();
            assertThat(training.await()).isEqualTo(100);
            assertThat(engine.openStatements()).isZero();
        }
    }

    @Test
    void asksInDaemonsWhereOthersAreRunInContainers() {
        Map<String, String> settings =
                new HashMap<>(Map.of("hive.execution.mode", "container", "hive.llap.execution.mode", "none"));
        assertThat(ContainerConfig.inContainers(settings)).isTrue();
        settings.putAll(WarmUp.SETTINGS);
        assertThat(ContainerConfig.inContainers(settings)).isFalse();
    }

    @Test
    void asksNothingWhenItIsTurnedOff() throws Exception {
        try (WarmUp training = new WarmUp(engine, 0, () -> false)) {
            training.start();
            assertThat(training.await()).isZero();
        }
    }

    @Test
    void waitsWhileClientsAreServed() throws Exception {
        AtomicBoolean served = new AtomicBoolean(true);
        CountDownLatch asked = new CountDownLatch(3);
        try (WarmUp training = new WarmUp(engine, 1, () -> {
            asked.countDown();
            return served.get();
        })) {
            training.start();
            asked.await();
            assertThat(training.answered()).isZero();
            served.set(false);
            assertThat(training.await()).isEqualTo(1);
        }
    }

    @Test
    void endsWhenItIsClosed() throws Exception {
        WarmUp waiting = new WarmUp(engine, 1, () -> true);
        waiting.start();
        waiting.close();
        assertThat(waiting.await()).isZero();
        WarmUp neverStarted = new WarmUp(engine, 1, () -> false);
        neverStarted.close();
        assertThat(neverStarted.await()).isZero();
    }
}
