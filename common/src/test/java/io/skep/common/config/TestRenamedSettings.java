package io.skep.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestRenamedSettings {
    private static final Property<Integer> WARM_UP =
            new Property<>("skep.server.warmup-queries", PropertyType.integer(0, 1_000_000), "400", "Sample queries.");

    @Test
    void aFormerNameCountsAndThePresentOneTakesPrecedence() {
        assertThat(read(Map.of("skep.server.training-queries", "7"))).isEqualTo(7);
        assertThat(read(Map.of("skep.server.training-queries", "7", "skep.server.warmup-queries", "8")))
                .isEqualTo(8);
        assertThat(read(Map.of())).isEqualTo(400);
    }

    @Test
    void aFormerNameIsKnownAndItsValueIsChecked() {
        SettingsReader reader = new SettingsReader(Map.of("skep.server.training-queries", "many"));
        reader.read(WARM_UP);
        reader.refuseUnknown(List.of(WARM_UP.name()));
        assertThatThrownBy(reader::finish)
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("skep.server.warmup-queries")
                .hasMessageContaining("many")
                .hasMessageNotContaining("no such setting");
    }

    @Test
    void otherSettingsStayAsTheyAre() {
        Map<String, String> settings = Map.of("hive.exec.parallel", "true", "skep.new", "1");
        assertThat(RenamedSettings.withPresentNames(settings)).isEqualTo(settings);
    }

    @Test
    void noFormerNameIsAPresentOne() {
        assertThat(RenamedSettings.PRESENT_NAMES.values())
                .doesNotContainAnyElementsOf(RenamedSettings.PRESENT_NAMES.keySet())
                .doesNotHaveDuplicates();
    }

    private static int read(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        int value = reader.read(WARM_UP);
        reader.refuseUnknown(List.of(WARM_UP.name()));
        reader.finish();
        return value;
    }
}
