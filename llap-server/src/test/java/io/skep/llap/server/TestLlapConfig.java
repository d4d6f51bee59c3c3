package io.skep.llap.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestLlapConfig {
    private static final long GB = 1L << 30;

    @Test
    void sizesFollowTheMachine() {
        LlapConfig small = LlapConfig.derive(2, 2 * GB, 8 * GB, Path.of("/tmp/s"));
        assertThat(small.executors()).isEqualTo(2);
        assertThat(small.cacheBytes()).isBetween(2 * GB, 4 * GB);
        assertThat(small.maxMemoryBytes()).isLessThan(2 * GB);
        assertThat(small.exchangeBytes()).isLessThan(small.maxMemoryBytes());
        LlapConfig large = LlapConfig.derive(64, 32 * GB, 512 * GB, Path.of("/tmp/s"));
        assertThat(large.executors()).isEqualTo(64);
        assertThat(large.cacheBytes()).isGreaterThan(200 * GB);
    }

    @Test
    void aTightMachineStillGetsACache() {
        assertThat(LlapConfig.derive(1, GB, GB, Path.of("/tmp/s")).cacheBytes()).isEqualTo(64 << 20);
    }

    @Test
    void everyValueIsReported() {
        LlapConfig config = LlapConfig.derive(Path.of("/tmp/s"));
        assertThat(config.values()).hasSize(LlapConfig.class.getRecordComponents().length);
    }

    @Test
    void aDiskCacheHasASizeAndFolders() {
        assertThat(read(Map.of()).diskCacheBytes()).isZero();
        LlapConfig inTheDataFolder = read(Map.of("skep.llap.disk-cache.size", "20 mb"));
        assertThat(inTheDataFolder.diskCacheBytes()).isEqualTo(20 << 20);
        assertThat(inTheDataFolder.diskCacheFolders()).containsExactly(Path.of("/tmp/disk-cache"));
        LlapConfig elsewhere =
                read(Map.of("skep.llap.disk-cache.size", "1gb", "skep.llap.disk-cache.folders", "/d1/x, /d2,/d1/x"));
        assertThat(elsewhere.diskCacheFolders()).containsExactly(Path.of("/d1/x"), Path.of("/d2"));
        SettingsReader tooSmall = new SettingsReader(Map.of("skep.llap.disk-cache.size", "1mb"));
        LlapConfig.of(tooSmall, Path.of("/tmp/s"));
        assertThatThrownBy(tooSmall::finish)
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("skep.llap.disk-cache.size");
    }

    private static LlapConfig read(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        LlapConfig config = LlapConfig.of(reader, Path.of("/tmp/s"));
        reader.finish();
        return config;
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> config(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("executors");
        assertThatThrownBy(() -> config(1, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cache");
    }

    private static LlapConfig config(int executors, long cacheBytes) {
        return new LlapConfig(
                executors, 1, 1, 1, cacheBytes, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, List.of(), Path.of("/tmp/s"));
    }
}
