package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.service.session.TestingSqlEngine;
import io.skep.tez.ContainerSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TestStartTraining {
    private final TestingSqlEngine engine = new TestingSqlEngine();

    @Test
    void asksAsManyQueriesAsItIsTold() throws Exception {
        try (StartTraining training = new StartTraining(engine, 100, () -> false)) {
            training.start();
            assertThat(training.await()).isEqualTo(100);
            assertThat(engine.openStatements()).isZero();
        }
    }

    @Test
    void asksInDaemonsWhereOthersAreRunInContainers() {
        Map<String, String> settings =
                new HashMap<>(Map.of("hive.execution.mode", "container", "hive.llap.execution.mode", "none"));
        assertThat(ContainerSettings.inContainers(settings)).isTrue();
        settings.putAll(StartTraining.SETTINGS);
        assertThat(ContainerSettings.inContainers(settings)).isFalse();
    }

    @Test
    void asksNothingWhenItIsTurnedOff() throws Exception {
        try (StartTraining training = new StartTraining(engine, 0, () -> false)) {
            training.start();
            assertThat(training.await()).isZero();
        }
    }

    @Test
    void waitsWhileClientsAreServed() throws Exception {
        AtomicBoolean served = new AtomicBoolean(true);
        CountDownLatch asked = new CountDownLatch(3);
        try (StartTraining training = new StartTraining(engine, 1, () -> {
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
        StartTraining waiting = new StartTraining(engine, 1, () -> true);
        waiting.start();
        waiting.close();
        assertThat(waiting.await()).isZero();
        StartTraining neverStarted = new StartTraining(engine, 1, () -> false);
        neverStarted.close();
        assertThat(neverStarted.await()).isZero();
    }
}
