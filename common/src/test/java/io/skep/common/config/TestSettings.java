package io.skep.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestSettings {
    private static final Property<Integer> PORT =
            new Property<>("skep.port", PropertyType.integer(0, 65535), "10000", "Port.");
    private static final Property<Duration> IDLE =
            new Property<>("hive.idle", PropertyType.time(Duration.ofMillis(1)), "7d", "Idle time.");
    private static final Property<Long> BUFFER =
            new Property<>("skep.buffer", PropertyType.size(1024, 1L << 40), "64MB", "Buffer.");
    private static final Property<Boolean> FLAG = new Property<>("skep.flag", PropertyType.flag(), "true", "Flag.");
    private static final List<String> NAMES = List.of(PORT.name(), IDLE.name(), BUFFER.name(), FLAG.name());

    @Test
    void whatIsNotSetHasItsDefault() {
        SettingsReader reader = new SettingsReader(Map.of());
        assertThat(reader.read(PORT)).isEqualTo(10000);
        assertThat(reader.read(IDLE)).isEqualTo(Duration.ofDays(7));
        assertThat(reader.read(BUFFER)).isEqualTo(64L << 20);
        assertThat(reader.read(FLAG)).isTrue();
        reader.finish();
    }

    @Test
    void unitsAreRead() {
        SettingsReader reader =
                new SettingsReader(Map.of("skep.buffer", "2 gb", "hive.idle", "5000", "skep.flag", " FALSE "));
        assertThat(reader.read(BUFFER)).isEqualTo(2L << 30);
        assertThat(reader.read(IDLE)).isEqualTo(Duration.ofSeconds(5));
        assertThat(reader.read(FLAG)).isFalse();
        reader.finish();
    }

    @Test
    void allProblemsAreToldAtOnce() {
        SettingsReader reader = new SettingsReader(Map.of(
                "skep.port",
                "70000",
                "skep.buffer",
                "9999999tb",
                "hive.idle",
                "7x",
                "skep.falg",
                "true",
                "hive.other",
                "1"));
        assertThat(reader.read(PORT)).isEqualTo(10000);
        reader.read(BUFFER);
        reader.read(IDLE);
        reader.refuseUnknown(NAMES);
        assertThatThrownBy(reader::finish).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
            assertThat(e.getMessage())
                    .contains("skep.port: '70000'", "skep.buffer: '9999999tb'", "hive.idle: '7x'")
                    .contains("skep.falg: there is no such setting (did you mean skep.flag?)")
                    .doesNotContain("hive.other");
        });
    }

    @Test
    void wordsAreThoseOfTheSetting() {
        PropertyType<String> type = PropertyType.oneOf("NONE", "NOSASL");
        assertThat(type.parse("nosasl")).isEqualTo("NOSASL");
        assertThatThrownBy(() -> type.parse("KERBEROS"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one of NONE, NOSASL");
    }

    @Test
    void aDefaultMustFitItsType() {
        assertThatThrownBy(() -> new Property<>("a", PropertyType.integer(1, 2), "3", "A."))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void referenceNamesEverySetting() {
        assertThat(SettingsReference.table(List.of(PORT, IDLE)).lines())
                .contains("| skep.port | 10000 | a number from 0 to 65535 | Port. |")
                .hasSize(4);
    }
}
