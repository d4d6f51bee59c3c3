package io.skep.llap.server.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestContainerMemory {
    private static final long MB = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {768, 1024, 4096, 65_536, 1_048_576})
    void thePartsFillTheContainerAndDoNotExceedIt(long megabytes) {
        ContainerMemory memory = derived(megabytes);
        long sum = memory.heap() + memory.cache() + memory.direct() + memory.headroom();
        assertThat(sum).isBetween(memory.container() - 2 * MB, memory.container());
        assertThat(memory.headroom()).isGreaterThanOrEqualTo(256 * MB);
        assertThat(memory.cache()).isBetween(memory.heap() - MB, memory.heap() + MB);
        long outside = (memory.cache() + memory.direct() / 2) / MB;
        assertThat(memory.flags())
                .contains("-Xmx" + memory.heap() / MB + "m", "-XX:MaxDirectMemorySize=" + outside + "m")
                .anyMatch(flag -> flag.endsWith("maxDirectMemory=" + memory.direct() / 2));
    }

    private static ContainerMemory derived(long megabytes) {
        return ContainerMemory.divide(megabytes * MB, Optional.empty(), Optional.empty());
    }

    @Test
    void whatIsGivenIsKept() {
        ContainerMemory heap = ContainerMemory.divide(4096 * MB, Optional.of(3000 * MB), Optional.empty());
        assertThat(heap.heap()).isEqualTo(3000 * MB);
        assertThat(heap.cache()).isEqualTo((4096 - 512 - 512 - 3000) * MB);
        ContainerMemory cache = ContainerMemory.divide(4096 * MB, Optional.empty(), Optional.of(0L));
        assertThat(cache.cache()).isZero();
        assertThat(cache.heap()).isEqualTo((4096 - 512 - 512) * MB);
        ContainerMemory both = ContainerMemory.divide(4096 * MB, Optional.of(1000 * MB), Optional.of(500 * MB));
        assertThat(both.heap()).isEqualTo(1000 * MB);
        assertThat(both.cache()).isEqualTo(500 * MB);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertRefused(400, Optional.empty(), Optional.empty());
        assertRefused(1024, Optional.of(800 * MB), Optional.empty());
        assertRefused(1024, Optional.empty(), Optional.of(800 * MB));
        assertRefused(4096, Optional.of(3000 * MB), Optional.of(3000 * MB));
    }

    private static void assertRefused(long megabytes, Optional<Long> heap, Optional<Long> cache) {
        assertThatThrownBy(() -> ContainerMemory.divide(megabytes * MB, heap, cache))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining(megabytes + " mb");
    }
}
