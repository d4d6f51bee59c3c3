package io.skep.tez.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestTezConfig {
    private static TezConfig of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        TezConfig config = TezConfig.of(reader);
        reader.finish();
        return config;
    }

    @Test
    void withoutSettingsMastersRunInTheServer() {
        assertThat(of(Map.of()))
                .isEqualTo(new TezConfig(
                        true, List.of("default"), 1, true, Duration.ofMinutes(5), Duration.ofSeconds(15)));
    }

    @Test
    void hivesNamesSayHowManyAreKept() {
        assertThat(of(Map.of(
                        "tez.local.mode", "false",
                        "tez.queue.name", "etl",
                        "hive.server2.tez.default.queues", "a, b,a",
                        "hive.server2.tez.sessions.per.default.queue", "3",
                        "hive.server2.tez.initialize.default.sessions", "false",
                        "tez.session.am.dag.submit.timeout.secs", "60",
                        "skep.tez.master-timeout", "2s")))
                .isEqualTo(new TezConfig(
                        false, List.of("a", "b"), 3, false, Duration.ofMinutes(1), Duration.ofSeconds(2)));
    }

    @Test
    void theQueueOfQueriesIsTheOneThatIsKept() {
        assertThat(of(Map.of("tez.queue.name", " etl ")).queues()).containsExactly("etl");
    }
}
