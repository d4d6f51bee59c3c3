package io.skep.llap.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TestAvailableMemory {
    @Test
    void whatIsNotThereIsNotMadeUp() {
        assertThat(AvailableMemory.of(List.of("MemTotal:  100 kB", "MemAvailable:     42 kB")))
                .hasValue(42 * 1024);
        assertThat(AvailableMemory.of(List.of("MemTotal:  100 kB"))).isEmpty();
        assertThat(AvailableMemory.of(List.of("MemAvailable: many kB"))).isEmpty();
    }
}
